/**
 * JupyterLab on the notebooks, with the Deno kernel, in a Python environment of the project's own:
 * the user's Jupyter folders are neither read nor written.
 *
 *     deno task jupyter                 sets up what is missing, then starts JupyterLab
 *     deno task jupyter --setup-only    sets up only
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runProcess } from "../lib/files/process.ts";
import { jupyterEnvironment, jupyterPaths } from "./jupyter/environment.ts";
import { setUpJupyter } from "./jupyter/setup.ts";

const { values } = parseArgs({
  options: { "setup-only": { type: "boolean", default: false } },
});
const root = join(import.meta.dirname!, "..");
const paths = jupyterPaths(root);
try {
  await setUpJupyter(root, paths, runProcess, (line) => console.log(line));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  Deno.exit(1);
}
if (!values["setup-only"]) {
  // In a container the only user is often root, whom JupyterLab refuses unless told.
  const asRoot = Deno.uid() === 0 ? ["--allow-root"] : [];
  const lab = new Deno.Command(paths.jupyter, {
    args: ["lab", "--notebook-dir", join(root, "notebooks"), ...asRoot],
    env: { ...jupyterEnvironment(paths) },
  }).spawn();
  Deno.addSignalListener("SIGINT", () => {}); // the terminal tells JupyterLab, which asks the user
  if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", () => lab.kill("SIGTERM"));
  Deno.exit((await lab.status).code);
}
