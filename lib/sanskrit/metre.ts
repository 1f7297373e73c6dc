import { graphemes, LETTERS } from "./devanagari.ts";

/** A verse's quarters, as far as they are words of their own, and what they scan as. */
export interface Scansion {
  /** Where a written token runs across the boundary, two pādas are one entry. */
  readonly padas: readonly string[];
  /** The metre's name and the syllables of each entry, e.g. `anuṣṭubh 8+8+16`. */
  readonly metre: string;
}

interface Metre {
  readonly name: string;
  /** What a pāda may count: the metre's own number, and one more as the epic allows. */
  readonly syllables: readonly number[];
}

const ANUSHTUBH: Metre = { name: "anuṣṭubh", syllables: [8, 9] };
/** Pādas of twelve syllables are jagatī, and stand among those of eleven. */
const TRISHTUBH: Metre = { name: "triṣṭubh", syllables: [11, 12] };
/** More syllables than two pādas of anuṣṭubh can have. */
const SHORTEST_TRISHTUBH_LINE = 22;

const SYLLABLE = new RegExp(`^[${LETTERS.consonant}${LETTERS.vowel}ॐ]`, "u");

/** How many syllables are written: akṣaras with a vowel; a consonant with virāma has none. */
export function countSyllables(text: string): number {
  return graphemes(text).filter((it) => SYLLABLE.test(it) && !it.endsWith(LETTERS.virama)).length;
}

/** The two pādas of a line, or the line whole where no space between words parts them. */
function padasOf(line: string, { syllables }: Metre): readonly string[] {
  const tokens = line.split(" ");
  const halves = tokens.map((_, index) => [
    tokens.slice(0, index).join(" "),
    tokens.slice(index).join(" "),
  ]);
  const fits = (half: string) => syllables.includes(countSyllables(half));
  return halves.find((pair) => pair.every(fits)) ?? [line];
}

/** Cuts the lines of one verse into pādas by counting syllables. */
export function scan(lines: readonly string[]): Scansion {
  const longest = Math.max(...lines.map(countSyllables));
  const metre = longest < SHORTEST_TRISHTUBH_LINE ? ANUSHTUBH : TRISHTUBH;
  const padas = lines.flatMap((line) => padasOf(line, metre));
  return { padas, metre: `${metre.name} ${padas.map(countSyllables).join("+")}` };
}
