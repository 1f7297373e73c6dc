import { TextLineStream } from "./text_lines.ts";

/** Another contestant in a process of its own, which answers every line with a line. */
export interface LineProcess extends AsyncDisposable {
  /** Its next line, once it has written that. @throws {Error} where it has ended instead. */
  hear(): Promise<string>;
  /** Says a line, without its end, and waits for the answer. @throws as `hear` does. */
  ask(line: string): Promise<string>;
}

/**
 * Starts a process; disposing of it closes its input and waits until it has ended.
 *
 * @param what Who is measured, for the message where it ends too early.
 */
export function openLineProcess(
  command: string,
  args: readonly string[],
  { what, stderr = "inherit" }: { readonly what: string; readonly stderr?: "inherit" | "null" },
): LineProcess {
  const pipes = { stdin: "piped", stdout: "piped", stderr } as const;
  const child = new Deno.Command(command, { args: [...args], ...pipes }).spawn();
  const input = child.stdin.getWriter();
  const lines = child.stdout.pipeThrough(new TextDecoderStream())
    .pipeThrough(new TextLineStream()).getReader();
  const hear = async () => {
    const { value, done } = await lines.read();
    if (!done) return value;
    throw new Error(
      `Cannot compare with ${what}: its process ended early. Run this by hand to see why: ` +
        [command, ...args].join(" "),
    );
  };
  return {
    hear,
    async ask(line) {
      await input.write(new TextEncoder().encode(`${line}\n`));
      return await hear();
    },
    async [Symbol.asyncDispose]() {
      await input.close().catch(() => undefined);
      await lines.cancel();
      await child.status;
    },
  };
}
