import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * Names (without `.ipynb`) of the notebooks in a folder, in the order in which they are run; none
 * where the folder is not there.
 */
export function listNotebooks(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return [...Deno.readDirSync(folder)]
    .filter((entry) => entry.isFile && entry.name.endsWith(".ipynb"))
    .map((entry) => entry.name.replace(/\.ipynb$/, ""))
    .sort();
}

/**
 * The names that any of `wanted` selects; all where nothing is wanted. `11`, `11_norse`, `norse`
 * and `notebooks/11_norse_acquisition.ipynb` all select `11_norse_acquisition`.
 *
 * @throws RangeError where one of `wanted` selects nothing
 */
export function selectNotebooks(
  names: readonly string[],
  wanted: readonly string[],
): readonly string[] {
  const beginnings = wanted.map((want) => want.replace(/^.*\//, "").replace(/\.ipynb$/, ""));
  const matches = (name: string, beginning: string) =>
    name.startsWith(beginning) || name.includes(`_${beginning}`);
  for (const beginning of beginnings) {
    if (names.some((name) => matches(name, beginning))) continue;
    throw new RangeError(
      `Cannot select a notebook: "${beginning}" begins none of ${names.join(", ") || "(none)"}`,
    );
  }
  if (beginnings.length === 0) return names;
  return names.filter((name) => beginnings.some((beginning) => matches(name, beginning)));
}

/** Where a notebook of that name stands. */
export function notebookPath(folder: string, name: string): string {
  return join(folder, `${name}.ipynb`);
}
