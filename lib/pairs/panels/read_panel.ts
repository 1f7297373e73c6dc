import { resolve } from "node:path";
import { shownPath } from "../../files/shown_path.ts";
import { type Panel, parsePanel } from "../../models/panel.ts";

/**
 * A panel. Relative paths of models start from the project's folder, wherever the notebook runs.
 * @throws SyntaxError naming every field that is wrong, Deno.errors.NotFound without the file.
 */
export function readPanel(path: string, project: string): Panel {
  const panel = parsePanel(panelText(path), shownPath(path));
  const models = panel.models.map((entry) =>
    entry.kind !== "gguf" || entry.path === undefined
      ? entry
      : { ...entry, path: resolve(project, entry.path) }
  );
  return { ...panel, models };
}

function panelText(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound) && !(cause instanceof Deno.errors.IsADirectory)) {
      throw cause;
    }
    throw new Deno.errors.NotFound(
      `Cannot read panel ${
        shownPath(path)
      }: there is no such file. Write groq, local, or the path ` +
        "of a YAML file as in data/panels.",
      { cause },
    );
  }
}
