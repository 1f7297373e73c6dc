import { join } from "node:path";

/** Pinned, so that everybody reads the notebooks in the same front end. */
export const JUPYTERLAB = "jupyterlab==4.4.10";

/** Where the project's own Python environment and everything of Jupyter's stands. */
export interface JupyterPaths {
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
export function kernelSpec(deno: string): string {
  const spec = {
    argv: [deno, "jupyter", "--kernel", "--conn", "{connection_file}"],
    display_name: "Deno",
    language: "typescript",
    interrupt_mode: "message",
  };
  return JSON.stringify(spec, null, 2) + "\n";
}
