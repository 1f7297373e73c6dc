import { areExclusive } from "../features/opposites.ts";
import { type ReadingTools, readWords } from "../features/read_words.ts";
import type { Word } from "../features/word.ts";
import { isSameWord } from "../features/word_match.ts";

/** What tells two sentences of like meaning apart: numbers, names, words of degree, denial. */
export interface Specifics {
  readonly named: readonly Word[];
  readonly degrees: readonly Word[];
  readonly denies: boolean;
}

/** The specifics of a sentence. */
export function specificsOf(text: string, tools: ReadingTools): Specifics {
  const words = readWords(text, tools);
  return {
    named: words.filter(({ wordClass }) => wordClass === "quantity" || wordClass === "name"),
    degrees: words.filter(({ wordClass }) => wordClass === "degree"),
    denies: words.some(({ negated }) => negated),
  };
}

/**
 * Whether nothing specific stands against the premise's saying what the claim says: it has the
 * claim's every number, date and name, no word of degree opposed to one of the claim's ("north",
 * "south"), and denies where the claim does. "In 1975" and "in 1976" have nearly the same vector; this
 * is what keeps them apart. It does not say that the premise entails the claim.
 */
export function mayEntail(premise: Specifics, claim: Specifics): boolean {
  if (premise.denies !== claim.denies) return false;
  const has = (word: Word) => premise.named.some((other) => isSameWord(word, other));
  return claim.named.every(has) &&
    !claim.degrees.some((word) => isOpposed(word, premise.degrees));
}

function isOpposed({ lemma }: Word, others: readonly Word[]): boolean {
  return others.some((other) => areExclusive(lemma, other.lemma)) &&
    !others.some((other) => other.lemma === lemma);
}
