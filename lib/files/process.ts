/** What became of a command: it could not be started at all, or it ended. */
export type ProcessResult =
  | { readonly kind: "missing" }
  | { readonly kind: "ended"; readonly code: number; readonly output: string };

/** What a command is started with, beside its arguments. */
export interface ProcessOptions {
  readonly cwd: string;
  /** Added to the environment that the child inherits. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Runs a command to its end; passed in, so that tests need neither Python nor a network. */
export type RunProcess = (
  command: string,
  args: readonly string[],
  options: ProcessOptions,
) => Promise<ProcessResult>;

/** Runs a command of this machine. Needs `--allow-run` for it, and no environment permission. */
export const runProcess: RunProcess = async (command, args, { cwd, env, signal }) => {
  try {
    const { code, stdout, stderr } = await new Deno.Command(command, {
      args: [...args],
      cwd,
      env: { ...env },
      signal,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).output();
    const decoder = new TextDecoder();
    return { kind: "ended", code, output: decoder.decode(stdout) + decoder.decode(stderr) };
  } catch (error) {
    if (isUnavailable(error)) return { kind: "missing" };
    throw error;
  }
};

/** A command that was absent when Deno resolved --allow-run counts as not permitted: same thing. */
function isUnavailable(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotCapable ||
    error instanceof Deno.errors.PermissionDenied;
}
