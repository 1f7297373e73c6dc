/** What a run of this very Deno gave. */
export interface DenoResult {
  readonly success: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `deno` with arguments, and a text as its input. */
export async function runDeno(args: readonly string[], input = ""): Promise<DenoResult> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    env: { NO_COLOR: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const written = new Blob([input]).stream().pipeTo(child.stdin);
  const { success, stdout, stderr } = await child.output();
  await written;
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { success, stdout: text(stdout), stderr: text(stderr) };
}
