import { dirname, join } from "node:path";
import { z } from "zod";
import { field, name, oneOf, type RowOf, table, text } from "../../files/table.ts";
import { FACTUALITY_PATHS } from "../paths.ts";

const RULES = join(dirname(FACTUALITY_PATHS.configuration), "rules");
const MAKER = "git checkout";

/** Several texts in one field, `|` between them. */
const PARTS = z.string().min(1).transform((joined) => joined.split("|"));
const several = (sentence: string) => field(PARTS, sentence, (parts) => parts.join("|"));

/** What a field's text begins with where its value is of one of these kinds. */
const VALUES: Readonly<Record<string, string>> = {
  number: "^(-?\\$?[\\d.,]+(?: (?:million|billion|trillion))?)",
  percent: "^(-?[\\d.]+%)",
  kilometres: "^([\\d.,]+ (?:sq )?km)",
  years: "^([\\d.]+ years)",
  name: "^([A-Z][\\p{L}' -]+?)(?:[;,(]|$)",
  words: "^([a-z][\\p{L} -]+?)(?:[;,(]|$)",
};

/** How claims are worded from one structured field of the factbook. */
export const FACT_TEMPLATES = table({
  path: join(RULES, "fact_templates.csv"),
  about: "written by hand: fields of the factbook with one value that says all, and how it is said",
  maker: MAKER,
  columns: {
    field: name("of the factbook"),
    subfield: text("the subfield, or the start of its name where a year follows"),
    value: field(
      z.string().min(1),
      `${Object.keys(VALUES).join(", ")}, or a regular expression whose first group is the value`,
    ),
    question: name("what the value answers; C is the country"),
    phrasings: several("statements, `|` between them; C is the country, V the value"),
  },
});

/** A template, ready to take values out of texts. */
export interface FactTemplate extends Omit<RowOf<typeof FACT_TEMPLATES>, "value"> {
  readonly value: RegExp;
}

let templates: readonly FactTemplate[] | undefined;

export function factTemplates(): readonly FactTemplate[] {
  return templates ??= FACT_TEMPLATES.read().map(({ value, ...row }) => ({
    ...row,
    value: new RegExp(VALUES[value] ?? value, "u"),
  }));
}

/** Words that are put in the place of one another. */
export const CLAIM_WORDS = table({
  path: join(RULES, "claim_words.csv"),
  about: "written by hand: words by which statements about countries are made false, or reworded",
  maker: MAKER,
  columns: {
    kind: oneOf(
      ["exclusive", "opposite", "same meaning"],
      "exclusive: one for another makes a true statement false; opposite: two that say the contrary; same meaning: the first can be said as the others",
    ),
    words: several("`|` between them"),
  },
});

let words: ReadonlyMap<string, readonly RowOf<typeof CLAIM_WORDS>[]> | undefined;

/** The lists of words of one kind, in the order of the file. */
export function claimWords(kind: RowOf<typeof CLAIM_WORDS>["kind"]) {
  words ??= Map.groupBy(CLAIM_WORDS.read(), (row) => row.kind);
  return (words.get(kind) ?? []).map((row) => row.words);
}
