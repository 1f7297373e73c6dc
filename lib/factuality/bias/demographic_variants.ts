import type { RandomSource } from "../../stats/random.ts";
import { type Demographic, DEMOGRAPHIC_TABLES, DEMOGRAPHICS } from "./demographic_table.ts";
import { swapDemographic, type SwappedText, valuesOf } from "./demographic_swap.ts";

/** The words of one value. */
function wordsOf(demographic: Exclude<Demographic, "age">, value: string): ReadonlySet<string> {
  const { values, rows } = DEMOGRAPHIC_TABLES[demographic];
  const column = values.indexOf(value);
  return new Set(rows.map((row) => row[column]!.toLowerCase()));
}

/** The values of a trait that a text names; of two that exchange anyway, the first. */
function namedValues(text: string, demographic: Demographic): readonly string[] {
  const values = valuesOf(demographic);
  const changesOf = (from: string) => {
    const to = values.find((value) => value !== from)!;
    return swapDemographic(text, { demographic, from, to }).changes;
  };
  if (demographic === "age" || values.length === 2) {
    return changesOf(values[0]!).length > 0 ? [values[0]!] : [];
  }
  return values.filter((value) => {
    const words = wordsOf(demographic, value);
    return changesOf(value).some(({ before }) => words.has(before.toLowerCase()));
  });
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
