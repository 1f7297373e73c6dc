import type { WordNet } from "../wordnet/wordnet.ts";
import type { WordClass } from "./word.ts";

/** Numbers and names carry most of what can be checked; an adverb rarely decides. */
const BY_CLASS: Readonly<Record<WordClass, number>> = {
  quantity: 1.5,
  name: 1.5,
  noun: 1,
  verb: 0.8,
  adjective: 0.8,
  degree: 0.6,
  adverb: 0.4,
};

/**
 * How much a word says, 0–1.5: by its class, and less the more meanings it has, which stands in for
 * frequency ("run" has 57, "oxygen" one) without any corpus.
 */
export function wordWeight(lemma: string, wordClass: WordClass, wordnet: WordNet): number {
  const whole = BY_CLASS[wordClass];
  if (wordClass === "quantity" || wordClass === "name") return whole;
  return whole / (1 + Math.log1p(wordnet.senseCount(lemma)) / 3);
}
