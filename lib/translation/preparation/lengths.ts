import { max, min, quantile } from "simple-statistics";
import { canonicalText } from "../canonical_text.ts";
import { wordsOf } from "./words.ts";

/** How a quantity spreads; all 0 where there is nothing to measure (n says so). */
export interface Spread {
  readonly n: number;
  readonly min: number;
  readonly lowerQuartile: number;
  readonly median: number;
  readonly upperQuartile: number;
  readonly max: number;
}

/** Lengths of texts. */
export interface LengthSummary {
  /** Unicode code points. */
  readonly characters: Spread;
  /** By Unicode's rules (UAX #29). */
  readonly words: Spread;
}

/** Least, quartiles and greatest of numbers, the quartiles as simple-statistics defines them. */
export function spreadOf(values: readonly number[]): Spread {
  const all = [...values];
  if (all.length === 0) {
    return { n: 0, min: 0, lowerQuartile: 0, median: 0, upperQuartile: 0, max: 0 };
  }
  const [lowerQuartile, median, upperQuartile] = quantile(all, [0.25, 0.5, 0.75]);
  return {
    ...{ n: all.length, min: min(all), max: max(all) },
    ...{ lowerQuartile: lowerQuartile!, median: median!, upperQuartile: upperQuartile! },
  };
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
