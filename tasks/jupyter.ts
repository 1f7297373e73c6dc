/**
 * Starts JupyterLab on the notebooks with the Deno kernel.
 *
 * It runs in the project's Python environment: the user's Jupyter folders are neither read nor
 * written.
 * @module
 */
import { join } from "node:path";
import { type RunProcess, runProcess } from "../lib/files/pip.ts";
import { command, EXIT, run } from "./command.ts";
import { benchPath, pythonEnvironment } from "./python_environment.ts";

/** Requirements with pinned hashes, so that every user gets the same files. */
const REQUIREMENTS = benchPath("../python/jupyterlab.txt");

const JUPYTER = command(
  "jupyter",
  "JupyterLab with the Deno kernel in .venv: sets up what is missing, then starts it",
  (c) => c.option("--setup-only", "set up and end"),
  async ({ setupOnly }) => {
    const root = join(import.meta.dirname!, "..");
    const venv = join(root, ".venv");
    const program = await setUpJupyter(venv);
    console.log("Ready: .venv has JupyterLab and the Deno kernel");
    if (setupOnly) return EXIT.done;
    // In a container the only user is often root, whom JupyterLab refuses by default.
    const asRoot = Deno.uid() === 0 ? ["--allow-root"] : [];
    const lab = new Deno.Command(program("jupyter"), {
      args: ["lab", "--notebook-dir", join(root, "notebooks"), ...asRoot],
      env: jupyterEnvironment(venv),
    }).spawn(); // the terminal's Ctrl-C reaches JupyterLab too, which asks the user
    if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", () => lab.kill("SIGTERM"));
    return (await lab.status).code === 0 ? EXIT.done : EXIT.failed;
  },
);

/** Returns environment variables that keep Jupyter's and IPython's files in the environment. */
function jupyterEnvironment(venv: string) {
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

/**
 * Creates the project's Python environment with JupyterLab and the Deno kernel.
 *
 * Completed steps are skipped. @throws as {@link pythonEnvironment} does.
 */
export async function setUpJupyter(venv: string, run: RunProcess = runProcess) {
  const program = await pythonEnvironment(venv, {
    what: "JupyterLab, about 240 MB on the disk,",
    note: Deno.readTextFileSync(REQUIREMENTS),
    steps: [
      ["-m", "pip", "install", "--quiet", "--require-hashes", "--only-binary=:all:"]
        .concat("-r", REQUIREMENTS),
    ],
  }, run);
  const spec = {
    // This very Deno, by its absolute path.
    argv: [Deno.execPath(), "jupyter", "--kernel", "--conn", "{connection_file}"],
    display_name: "Deno",
    language: "typescript",
    interrupt_mode: "message",
  };
  const kernel = join(venv, "share", "jupyter", "kernels", "deno");
  Deno.mkdirSync(kernel, { recursive: true });
  Deno.writeTextFileSync(join(kernel, "kernel.json"), JSON.stringify(spec, null, 2) + "\n");
  return program;
}

if (import.meta.main) await run(JUPYTER);
