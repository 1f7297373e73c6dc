import { canonicalText } from "../canonical_text.ts";
import { type Quartiles, quartiles } from "../quartiles.ts";
import { wordsOf } from "./words.ts";

/** How a quantity spreads; all 0 where there is nothing to measure (n says so). */
export type Spread = Omit<Quartiles, "kind">;

/** Lengths of texts. */
export interface LengthSummary {
  /** Unicode code points. */
  readonly characters: Spread;
  /** By Unicode's rules (UAX #29). */
  readonly words: Spread;
}

/** Least, quartiles and greatest of numbers. */
export function spreadOf(values: readonly number[]): Spread {
  const found = quartiles(values, "no texts");
  if (found.kind === "unavailable") {
    return { n: 0, min: 0, lowerQuartile: 0, median: 0, upperQuartile: 0, max: 0 };
  }
  const { kind: _, ...spread } = found;
  return spread;
}

/** How long texts are. */
export function lengthsOf(texts: readonly string[], language?: string): LengthSummary {
  return {
    characters: spreadOf(texts.map((text) => [...text].length)),
    words: spreadOf(texts.map((text) => wordsOf(text, language).length)),
  };
}

/** Whether a text is nothing but spaces once it is canonical. */
export function isEmpty(text: string): boolean {
  return canonicalText(text).trim() === "";
}
