import { QUANTIFIERS } from "./determiners.ts";
import { type Adjective, ADJECTIVES } from "./lexicon.ts";
import { type Cell, CELLS, cellsOf, inflect } from "./paradigm.ts";

function indexForms(): ReadonlyMap<string, readonly Adjective[]> {
  const index = new Map<string, Set<Adjective>>();
  for (const adjective of ADJECTIVES) {
    for (const cell of CELLS) {
      for (const strength of ["strong", "weak"] as const) {
        const form = inflect(adjective.parts, strength, cell);
        index.set(form, (index.get(form) ?? new Set<Adjective>()).add(adjective));
      }
    }
  }
  return new Map([...index].map(([form, adjectives]) => [form, [...adjectives]]));
}

const BY_FORM = indexForms();

/** The adjectives, each with its degree, of which a lower-case word can be a form. */
export function adjectivesWithForm(word: string): readonly Adjective[] {
  return BY_FORM.get(word) ?? [];
}

/** Whether a word can be a strong adjective or a quantifier beside a noun in one of these cells. */
export function isStrongForm(word: string, cells: readonly Cell[]): boolean {
  return QUANTIFIERS.has(word) ||
    adjectivesWithForm(word).some((adjective) =>
      cellsOf(adjective.parts, "strong", word).some((cell) => cells.includes(cell))
    );
}
