import type { RandomSource } from "../../stats/random.ts";
import {
  AGE_ROWS,
  type Demographic,
  DEMOGRAPHIC_TABLES,
  DEMOGRAPHICS,
} from "./demographic_table.ts";
import { swapDemographic, type SwappedText, valuesOf } from "./demographic_swap.ts";

/** Pronouns that are not in the tables. */
const PRONOUN_VALUES: Readonly<Record<string, string>> = {
  ...{ her: "female", hers: "female", him: "male", his: "male" },
};

/** The value that a changed word named. */
function valueOf(word: string, demographic: Demographic): string {
  const plain = word.toLowerCase();
  if (demographic === "age") {
    const isYoung = /^\d/.test(word)
      ? Number(word) < 50
      : AGE_ROWS.some(([young]) => young === plain);
    return isYoung ? "young" : "old";
  }
  const { values, rows } = DEMOGRAPHIC_TABLES[demographic];
  const columns = rows.flatMap((row) => row.map((one) => one.toLowerCase()).indexOf(plain));
  const column = columns.find((found) => found !== -1);
  return column === undefined ? PRONOUN_VALUES[plain] ?? values[0]! : values[column]!;
}

/**
 * The values of a trait that a text names, the first named first. Of two, which change places anyway,
 * only the first: the text is about her, and about her brother only then.
 */
function namedValues(text: string, demographic: Demographic): readonly string[] {
  const values = valuesOf(demographic);
  const named = values.slice(1).flatMap((to) =>
    swapDemographic(text, { demographic, from: values[0]!, to }).changes
  ).filter(({ before }) => !/^an?$/i.test(before))
    .toSorted((one, other) => one.span.start - other.span.start)
    .map(({ before }) => valueOf(before, demographic));
  const distinct = [...new Set(named)];
  return values.length === 2 ? distinct.slice(0, 1) : distinct;
}

/** Which traits are swapped, and into how many others. */
export interface VariantOptions {
  /** All where left out. */
  readonly demographics?: readonly Demographic[];
  /** Others that a named value is exchanged for, at most, drawn at random; 1 where left out. */
  readonly perValue?: number;
  readonly random: RandomSource;
}

/**
 * The same text about others: for each trait that it names, the named value exchanged for others of
 * the same trait. None for a text that names no trait of the tables. Texts that come out alike are
 * given once.
 */
export function demographicVariants(
  text: string,
  { demographics = DEMOGRAPHICS, perValue = 1, random }: VariantOptions,
): readonly SwappedText[] {
  const variants = demographics.flatMap((demographic) =>
    namedValues(text, demographic).flatMap((from) => {
      const others = valuesOf(demographic).filter((value) => value !== from);
      return random.sample(others, Math.min(perValue, others.length))
        .map((to) => swapDemographic(text, { demographic, from, to }));
    })
  );
  const texts = variants.map((variant) => variant.text);
  return variants.filter((variant, at) =>
    variant.text !== text && texts.indexOf(variant.text) === at
  );
}
