import type { RandomSource } from "../../stats/random.ts";
import { choose } from "./random_choice.ts";
import { EXCLUSIVE_WORDS } from "./word_tables.ts";

/** Names that may take one another's place. */
export interface NamePool {
  readonly countries: readonly string[];
  /** Other names in running text: people, parties, places, organisations. */
  readonly others: readonly string[];
}

const CLASSED = new Set(EXCLUSIVE_WORDS.flat());

/** Names that stand within a sentence: runs of words with a capital, not at its beginning. */
export function namesIn(text: string): readonly string[] {
  const found = text.matchAll(/(?<=[\p{Ll}\d,)] )(?:\p{Lu}[\p{L}'-]*)(?: \p{Lu}[\p{L}'-]*)*/gu);
  const names = [...found].map(([name]) => name.replace(/'s$/u, "").replace(/-$/u, ""));
  return [...new Set(names)].filter((name) => name.length > 2 && !CLASSED.has(name));
}

/** The pool of a set of texts. */
export function namePool(texts: readonly string[], countries: readonly string[]): NamePool {
  const known = new Set(countries);
  const names = new Set(texts.flatMap(namesIn).filter((name) => !known.has(name)));
  return { countries: [...known].sort(), others: [...names].sort() };
}

/**
 * One name by another of its kind that the text has not: a country by a country, an abbreviation by
 * an abbreviation, a name of two words by one of two words. Undefined without a name to change.
 */
export function changeName(
  text: string,
  pool: NamePool,
  random: RandomSource,
): string | undefined {
  const names = namesIn(text);
  if (names.length === 0) return undefined;
  const name = choose(random, names);
  const kin = pool.countries.includes(name)
    ? pool.countries
    : pool.others.filter((other) => shape(other) === shape(name));
  const candidates = kin.filter((other) => !text.includes(other) && !name.includes(other));
  if (candidates.length === 0) return undefined;
  return text.replace(name, () => choose(random, candidates));
}

function shape(name: string): string {
  if (/^\p{Lu}+$/u.test(name)) return "abbreviation";
  return `${name.split(" ").length} words`;
}
