import { termsOf, writtenTerms } from "./terms.ts";

/** What passages are about, and the names that it goes by. */
export interface Title {
  readonly title: string;
  /** Other names of it, as the knowledge source gives them: "French" of France. */
  readonly also: readonly string[];
}

/** The titles of an index's passages, by number and by name. */
export interface TitleIndex {
  readonly titles: readonly Title[];
  /** Number of each passage's title. */
  readonly titleOf: Uint32Array<ArrayBuffer>;
  /** Numbers of the titles that go by a name, given as its terms with spaces between them. */
  readonly names: ReadonlyMap<string, readonly number[]>;
}

/** A title that a claim names. */
export interface NamedTitle {
  readonly number: number;
  /** The terms of the name, as the claim has it. */
  readonly name: readonly string[];
}

/** Other names of titles; a title without any is missing. */
export type TitleAliases = ReadonlyMap<string, readonly string[]>;

/** Numbers titles in the order in which passages bring them. */
export class TitleIndexBuilder {
  readonly #numbers = new Map<string, number>();
  readonly #titleOf: number[] = [];

  /** The title of the next passage. */
  add(title: string): void {
    const number = this.#numbers.get(title) ?? this.#numbers.size;
    this.#numbers.set(title, number);
    this.#titleOf.push(number);
  }

  finish(aliases: TitleAliases = new Map()): TitleIndex {
    const titles = [...this.#numbers.keys()]
      .map((title) => ({ title, also: aliases.get(title) ?? [] }));
    return titleIndex(titles, new Uint32Array(this.#titleOf));
  }
}

/** The index by names of numbered titles. */
export function titleIndex(
  titles: readonly Title[],
  titleOf: Uint32Array<ArrayBuffer>,
): TitleIndex {
  const names = new Map<string, number[]>();
  for (const [number, { title, also }] of titles.entries()) {
    // "Turkey (Turkiye)", "Mercury (planet)": what stands before the bracket is the name.
    for (const name of new Set([title, title.replace(/ \([^()]*\)$/u, ""), ...also].map(keyOf))) {
      if (name.length < 2) continue;
      const known = names.get(name);
      if (known === undefined) names.set(name, [number]);
      else known.push(number);
    }
  }
  return { titles, titleOf, names };
}

function keyOf(name: string): string {
  return termsOf(name).join(" ");
}

/** Longest name looked for, in terms. */
const LONGEST_NAME = 8;
/** A statement is hardly about more than these. */
const MOST_TITLES = 4;

/**
 * The titles that a claim names, in its order, each once and so many at most, 4 unless told. A name
 * begins with a capital letter; of names that overlap the longest counts ("Guinea" is not named by
 * "Equatorial Guinea"); one that several titles go by names them all.
 */
export function namedTitles(
  { names }: TitleIndex,
  claim: string,
  most = MOST_TITLES,
): readonly NamedTitle[] {
  const words = writtenTerms(claim);
  const found = new Map<number, NamedTitle>();
  for (let at = 0; at < words.length;) {
    const length = words[at]!.capital ? longestName(names, words.slice(at, at + LONGEST_NAME)) : 0;
    const name = words.slice(at, at + length).map(({ term }) => term);
    for (const number of names.get(name.join(" ")) ?? []) {
      if (!found.has(number)) found.set(number, { number, name });
    }
    at += length || 1;
  }
  return [...found.values()].slice(0, most);
}

/** Terms of the longest name that the words begin with; 0 where they begin with none. */
function longestName(names: TitleIndex["names"], words: readonly { readonly term: string }[]) {
  for (let length = words.length; length > 0; length--) {
    if (names.has(words.slice(0, length).map(({ term }) => term).join(" "))) return length;
  }
  return 0;
}
