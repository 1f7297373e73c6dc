/** The eight cases in the order of the grammars. */
export const CASES = [
  "nominative",
  "accusative",
  "instrumental",
  "dative",
  "ablative",
  "genitive",
  "locative",
  "vocative",
] as const;
export type Case = (typeof CASES)[number];

export const NUMBERS = ["singular", "dual", "plural"] as const;
export type GrammaticalNumber = (typeof NUMBERS)[number];

export const GENDERS = ["masculine", "feminine", "neuter"] as const;
export type Gender = (typeof GENDERS)[number];

/** One cell of a noun's paradigm. */
export interface Cell {
  readonly case: Case;
  readonly number: GrammaticalNumber;
}

const CASE_LABELS: Readonly<Record<Case, string>> = {
  nominative: "nom",
  accusative: "acc",
  instrumental: "ins",
  dative: "dat",
  ablative: "abl",
  genitive: "gen",
  locative: "loc",
  vocative: "voc",
};

const NUMBER_LABELS: Readonly<Record<GrammaticalNumber, string>> = {
  singular: "sg",
  dual: "du",
  plural: "pl",
};

/** Every cell of a noun, case by case: nominative singular, dual, plural, accusative … */
export const CELLS: readonly Cell[] = CASES.flatMap((name) =>
  NUMBERS.map((number) => ({ case: name, number }))
);

/** A cell as data files name it, e.g. `gen.sg`. */
export function formatCell(cell: Cell): string {
  return `${CASE_LABELS[cell.case]}.${NUMBER_LABELS[cell.number]}`;
}

const BY_LABEL = new Map(CELLS.map((cell) => [formatCell(cell), cell]));

/** The cell that a label names. Throws SyntaxError for any other text. */
export function parseCell(label: string): Cell {
  const cell = BY_LABEL.get(label);
  if (cell) return cell;
  throw new SyntaxError(
    `"${label}" is no cell: write it as gen.sg (${[...BY_LABEL.keys()].join(", ")}).`,
  );
}
