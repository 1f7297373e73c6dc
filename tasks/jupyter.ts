/**
 * JupyterLab on the notebooks, with the Deno kernel, in a Python environment of the project's own:
 * the user's Jupyter folders are neither read nor written.
 */

import { join } from "node:path";
import { readTextIfThere } from "../lib/files/atomic.ts";
import {
  classifyPipFailure,
  PIP_ENVIRONMENT,
  type ProcessResult,
  type RunProcess,
  runProcess,
} from "../lib/files/pip.ts";
import { command, EXIT, run } from "./command.ts";

/** Pinned, so that everybody reads the notebooks in the same front end. */
const JUPYTERLAB = "jupyterlab==4.4.10";

const JUPYTER = command(
  "jupyter",
  "JupyterLab with the Deno kernel in .venv: sets up what is missing, then starts it",
  (c) => c.option("--setup-only", "set up and end"),
  async ({ setupOnly }) => {
    const root = join(import.meta.dirname!, "..");
    const paths = jupyterPaths(root);
    await setUpJupyter(root, paths, runProcess, (line) => console.log(line));
    if (setupOnly) return EXIT.done;
    // In a container the only user is often root, whom JupyterLab refuses unless told.
    const asRoot = Deno.uid() === 0 ? ["--allow-root"] : [];
    const lab = new Deno.Command(paths.jupyter, {
      args: ["lab", "--notebook-dir", join(root, "notebooks"), ...asRoot],
      env: { ...jupyterEnvironment(paths) },
    }).spawn(); // the terminal's Ctrl-C reaches JupyterLab too, which asks the user
    if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", () => lab.kill("SIGTERM"));
    return (await lab.status).code === 0 ? EXIT.done : EXIT.failed;
  },
);

/** Where the project's own Python environment and everything of Jupyter's stands. */
interface JupyterPaths {
  /** The project-local environment; git ignores it. */
  readonly venv: string;
  readonly python: string;
  readonly jupyter: string;
  /** Where the Deno kernelspec goes. */
  readonly kernel: string;
}

export function jupyterPaths(root: string, windows = Deno.build.os === "windows"): JupyterPaths {
  const venv = join(root, ".venv");
  const program = (name: string) => join(venv, windows ? `Scripts/${name}.exe` : `bin/${name}`);
  return {
    venv,
    python: program("python"),
    jupyter: program("jupyter"),
    kernel: join(venv, "share", "jupyter", "kernels", "deno"),
  };
}

/** Keeps all that Jupyter and IPython read and write inside the environment. */
export function jupyterEnvironment({ venv }: JupyterPaths): Readonly<Record<string, string>> {
  return {
    JUPYTER_CONFIG_DIR: join(venv, "etc", "jupyter"),
    JUPYTER_DATA_DIR: join(venv, "share", "jupyter"),
    JUPYTER_RUNTIME_DIR: join(venv, "share", "jupyter", "runtime"),
    JUPYTERLAB_SETTINGS_DIR: join(venv, "etc", "jupyter", "lab", "user-settings"),
    JUPYTERLAB_WORKSPACES_DIR: join(venv, "etc", "jupyter", "lab", "workspaces"),
    JUPYTER_PREFER_ENV_PATH: "1",
    IPYTHONDIR: join(venv, "ipython"),
  };
}

/** The kernel's description for Jupyter: this very Deno, by its absolute path. */
function kernelSpec(deno: string): string {
  const spec = {
    argv: [deno, "jupyter", "--kernel", "--conn", "{connection_file}"],
    display_name: "Deno",
    language: "typescript",
    interrupt_mode: "message",
  };
  return JSON.stringify(spec, null, 2) + "\n";
}

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
  if (readTextIfThere(mark) !== JUPYTERLAB) {
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

if (import.meta.main) await run(JUPYTER);
