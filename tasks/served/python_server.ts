import { TextLineStream } from "../bench/text_lines.ts";

/** A server that runs for the time of a comparison, on loopback. */
export interface RunningServer extends AsyncDisposable {
  /** Up to and with `/v1`. */
  readonly baseUrl: string;
}

export interface PythonServerOptions {
  readonly python: string;
  readonly script: string;
  /** GGUF file to be served. */
  readonly path: string;
  readonly threads: number;
  readonly contextTokens: number;
}

/**
 * Starts a script of tasks/python that serves a GGUF file, and waits until the model is loaded. The
 * script ends when its input is closed, and so with this process, however that ends.
 *
 * @throws {Error} where it ends before it serves.
 */
export async function startPythonServer(options: PythonServerOptions): Promise<RunningServer> {
  const { python, script, path, threads, contextTokens } = options;
  const child = new Deno.Command(python, {
    args: [script, path, String(threads), String(contextTokens)],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const lines = child.stdout
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new TextLineStream())
    .getReader();
  const address = await firstAddress(lines);
  if (address === undefined) {
    await child.stdin.close();
    throw new Error(`Cannot compare: ${script} ended before it served; run it by hand to see why`);
  }
  return {
    baseUrl: `${address}/v1`,
    async [Symbol.asyncDispose]() {
      await child.stdin.close();
      await lines.cancel();
      await child.status;
    },
  };
}

/** The address of the line `{"address": …}`; what a server prints besides is passed over. */
async function firstAddress(
  lines: ReadableStreamDefaultReader<string>,
): Promise<string | undefined> {
  while (true) {
    const { value, done } = await lines.read();
    if (done) return undefined;
    const address = /^\{"address": "(http:[^"]+)"/.exec(value)?.[1];
    if (address !== undefined) return address;
  }
}
