import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pythonWith } from "../python/environment.ts";
import { type RunningServer, startPythonServer } from "./python_server.ts";

const PYTHON = new URL("../python/", import.meta.url);
const inPython = (name: string) => fileURLToPath(new URL(name, PYTHON));

/** A server that can be had from the package index. */
export interface ServerKind {
  /** What is said while it is installed. */
  readonly what: string;
  /** Path of a requirements file. */
  readonly requirements: string;
  readonly script: string;
  /** Put before texts whose likelihood is asked, in the order tried. */
  readonly startTokens: readonly string[];
}

/** SmolLM2's: the one between documents, and that after its BOS. */
const END_OF_TEXT = "<|endoftext|>";
const BOS_AND_END_OF_TEXT = "<|im_start|><|endoftext|>";

export const SERVERS: Readonly<Record<string, ServerKind>> = {
  /** llama.cpp's own HTTP server, compiled into a wheel. */
  "xllamacpp": {
    what: "xllamacpp (34 MB, llama.cpp's own server in a wheel)",
    requirements: inPython("served_xllamacpp.txt"),
    script: inPython("serve_xllamacpp.py"),
    startTokens: [END_OF_TEXT],
  },
  /**
   * A server written in Python over the same library. It echoes log-probabilities, but one place off
   * unless the prompt begins with BOS; so the second start token has it.
   */
  "llama-cpp-python": {
    what: "llama-cpp-python (built from source: needs cmake and a C++ compiler, and about " +
      "15 minutes of one core)",
    requirements: inPython("served_llama_cpp_python.txt"),
    script: inPython("serve_llama_cpp_python.py"),
    startTokens: [END_OF_TEXT, BOS_AND_END_OF_TEXT],
  },
};

/** Installs a server where it is not there yet, and starts it. */
export async function startServer(kind: ServerKind, name: string, options: {
  readonly cacheDirectory: string;
  readonly path: string;
  readonly threads: number;
  readonly contextTokens: number;
}): Promise<RunningServer> {
  const python = await pythonWith({
    folder: join(options.cacheDirectory, "served", name),
    requirements: await Deno.readTextFile(kind.requirements),
    what: kind.what,
    installs: [["-r", kind.requirements]],
  });
  return await startPythonServer({ ...options, python, script: kind.script });
}
