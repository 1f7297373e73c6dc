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

/** The project's own Python environment, which git ignores, and everything of Jupyter's in it. */
export function jupyterPaths(root: string, windows = Deno.build.os === "windows") {
  const venv = join(root, ".venv");
  const program = (name: string) => join(venv, windows ? `Scripts/${name}.exe` : `bin/${name}`);
  const kernel = join(venv, "share", "jupyter", "kernels", "deno");
  return { venv, python: program("python"), jupyter: program("jupyter"), kernel };
}
type JupyterPaths = ReturnType<typeof jupyterPaths>;

/** Keeps all that Jupyter and IPython read and write inside the environment. */
function jupyterEnvironment({ venv }: JupyterPaths): Readonly<Record<string, string>> {
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

/** Ways to start Python, tried in this order; `py` is the launcher of Windows. */
const PYTHONS = [["python3"], ["python"], ["py", "-3"]] as const;

/** What pip's failures ask for, by their reasons. */
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
    await makeVenv(paths.venv, (command, args) => run(command, args, options));
    say(`Installing ${JUPYTERLAB}, about 240 MB on the disk`);
    const install = ["-m", "pip", "install", "--quiet", JUPYTERLAB];
    const result = await run(paths.python, install, options);
    if (result.kind === "missing" || result.code !== 0) {
      const isMissing = result.kind === "missing";
      const reason = isMissing ? "no-pip" : classifyPipFailure(result.output, "jupyterlab");
      const remedy = REMEDIES[reason] ?? "pip fails: run .venv's pip to see why";
      throw new Error(`Cannot install ${JUPYTERLAB}: ${remedy}`);
    }
    Deno.writeTextFileSync(mark, JUPYTERLAB);
  }
  const spec = {
    // This very Deno, by its absolute path.
    argv: [Deno.execPath(), "jupyter", "--kernel", "--conn", "{connection_file}"],
    display_name: "Deno",
    language: "typescript",
    interrupt_mode: "message",
  };
  Deno.mkdirSync(paths.kernel, { recursive: true });
  Deno.writeTextFileSync(join(paths.kernel, "kernel.json"), JSON.stringify(spec, null, 2) + "\n");
  say("Ready: .venv has JupyterLab and the Deno kernel");
}

async function makeVenv(
  venv: string,
  run: (command: string, args: readonly string[]) => Promise<ProcessResult>,
): Promise<void> {
  let remedy = "no Python is there: install Python 3.10 or later";
  for (const [command, ...first] of PYTHONS) {
    const result = await run(command, [...first, "-m", "venv", venv]);
    if (result.kind === "missing") continue;
    if (result.code === 0) return;
    // What stands in for Python on macOS and Windows says so and ends: the next name may be one.
    if (/command not found|Python was not found|no developer tools/i.test(result.output)) continue;
    remedy = /ensurepip|No module named '?venv/.test(result.output)
      ? "Python lacks its venv module: on Debian and Ubuntu install the package python3-venv"
      : /Permission denied|No space left|Read-only/i.test(result.output)
      ? REMEDIES["disk"]!
      : "python3 -m venv .venv fails: run it to see why";
    break;
  }
  throw new Error(`Cannot make .venv: ${remedy}`);
}

if (import.meta.main) await run(JUPYTER);
