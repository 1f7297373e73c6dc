import { resolve } from "node:path";
import { type Panel, parsePanel } from "../models/panel.ts";
import { NORSE_PATHS } from "./paths.ts";

/**
 * A panel, the one that runs without a key unless told. Relative paths of models start from the
 * project's folder, wherever the notebook runs.
 * @throws SyntaxError naming every field that is wrong.
 */
export function readPanel(path: string = NORSE_PATHS.panel): Panel {
  const panel = parsePanel(Deno.readTextFileSync(path), path);
  const models = panel.models.map((entry) =>
    entry.kind !== "gguf" || entry.path === undefined
      ? entry
      : { ...entry, path: resolve(NORSE_PATHS.project, entry.path) }
  );
  return { ...panel, models };
}
