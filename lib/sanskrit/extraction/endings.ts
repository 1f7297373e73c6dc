import { CELLS, formatCell } from "../cell.ts";
import { type DeclensionClass, DECLENSIONS } from "../declension.ts";

/** Declensions whose nouns are looked for. */
export const NOUN_DECLENSIONS = [
  "a_masculine",
  "a_neuter",
  "ā_feminine",
  "i_masculine",
  "i_feminine",
  "i_neuter",
] as const satisfies readonly DeclensionClass[];

/** Every ending of these declensions with the cells it may stand for, whatever the declension. */
const CELLS_BY_ENDING: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const found = new Map<string, Set<string>>();
  for (const name of NOUN_DECLENSIONS) {
    for (const cell of CELLS) {
      for (const ending of DECLENSIONS[name].endings[cell.case][cell.number]) {
        const cells = found.get(ending) ?? new Set();
        found.set(ending, cells.add(formatCell(cell)));
      }
    }
  }
  return found;
})();

/** ṇ and n are one in an ending: which of them stands there is the stem's affair. */
const withoutRetroflexion = (text: string) => text.replaceAll("ṇ", "n");

/** Whether the form shows by its ending alone which cell it is: narasya, but not phalam or deve. */
export function endsUnambiguously(form: string, base: string): boolean {
  const ending = withoutRetroflexion(form.slice(base.length));
  return CELLS_BY_ENDING.get(ending)?.size === 1;
}
