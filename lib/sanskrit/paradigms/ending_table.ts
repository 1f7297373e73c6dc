import type { Case, GrammaticalNumber } from "../cell.ts";

/** The forms of one case: IAST endings that replace the stem's end (a, ā, an …), the usual one first. */
type EndingRow = Readonly<Record<GrammaticalNumber, readonly string[]>>;

/** Every ending of a declension in its pausal form, before retroflexion. */
export type EndingTable = Readonly<Record<Case, EndingRow>>;

type Ending = string | readonly string[];

const asList = (ending: Ending): readonly string[] =>
  typeof ending === "string" ? [ending] : ending;

/** A row of a grammar's table; doublets are written as a list. */
export function row(singular: Ending, dual: Ending, plural: Ending): EndingRow {
  return { singular: asList(singular), dual: asList(dual), plural: asList(plural) };
}
