import { join } from "node:path";
import { classifyPipFailure, PIP_ENVIRONMENT } from "../../lib/files/pip.ts";
import type { ProcessResult, RunProcess } from "../../lib/files/process.ts";
import { JUPYTERLAB, type JupyterPaths, kernelSpec } from "./environment.ts";

/** Ways to start Python, tried in this order; `py` is the launcher of Windows. */
const PYTHONS = [["python3"], ["python"], ["py", "-3"]] as const;

const REMEDIES: Readonly<Record<string, string>> = {
  "no-network": "the package index cannot be reached: connect to the network and try again",
  "disk": "the disk is full or may not be written: make room and try again",
  "no-pip": "the environment lacks pip: remove the folder .venv and try again",
  "not-found":
    "the package index does not have it, or not for this Python: use Python 3.10 to 3.14",
};

/**
 * Makes the project's Python environment with JupyterLab and the Deno kernel in it, as far as that
 * is not done yet. What Python and pip print may carry addresses and is never passed on.
 *
 * @throws Error with the cause and the remedy
 */
export async function setUpJupyter(
  root: string,
  paths: JupyterPaths,
  run: RunProcess,
  say: (line: string) => void,
): Promise<void> {
  const options = { cwd: root, env: PIP_ENVIRONMENT };
  const mark = join(paths.venv, "touchstone.txt");
  if (readOrEmpty(mark) !== JUPYTERLAB) {
    say("Making the Python environment .venv");
    await makeVenv(paths, (command, args) => run(command, args, options));
    say(`Installing ${JUPYTERLAB}, about 240 MB on the disk`);
    const install = ["-m", "pip", "install", "--quiet", JUPYTERLAB];
    const result = await run(paths.python, install, options);
    if (result.kind === "missing" || result.code !== 0) throw installFailure(result);
    Deno.writeTextFileSync(mark, JUPYTERLAB);
  }
  Deno.mkdirSync(paths.kernel, { recursive: true });
  Deno.writeTextFileSync(join(paths.kernel, "kernel.json"), kernelSpec(Deno.execPath()));
  say("Ready: .venv has JupyterLab and the Deno kernel");
}

type Run = (command: string, args: readonly string[]) => Promise<ProcessResult>;

async function makeVenv({ venv }: JupyterPaths, run: Run): Promise<void> {
  for (const [command, ...first] of PYTHONS) {
    const result = await run(command, [...first, "-m", "venv", venv]);
    if (result.kind === "missing") continue;
    if (result.code === 0) return;
    throw venvFailure(result.output);
  }
  throw new Error("Cannot make .venv: no Python is there: install Python 3.10 or later");
}

function venvFailure(output: string): Error {
  if (/ensurepip|No module named '?venv/.test(output)) {
    return new Error(
      "Cannot make .venv: Python lacks its venv module: " +
        "on Debian and Ubuntu install the package python3-venv, then try again",
    );
  }
  if (/Permission denied|No space left|Read-only/i.test(output)) {
    return new Error(`Cannot make .venv: ${REMEDIES["disk"]}`);
  }
  if (/command not found|Python was not found|no developer tools/i.test(output)) {
    return new Error("Cannot make .venv: no Python is there: install Python 3.10 or later");
  }
  return new Error("Cannot make .venv: python3 -m venv .venv fails: run it to see why");
}

function installFailure(result: ProcessResult): Error {
  const output = result.kind === "ended" ? result.output : "";
  const reason = result.kind === "missing" ? "no-pip" : classifyPipFailure(output, "jupyterlab");
  const remedy = REMEDIES[reason] ?? "pip fails: run .venv's pip to see why";
  return new Error(`Cannot install ${JUPYTERLAB}: ${remedy}`);
}

function readOrEmpty(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}
