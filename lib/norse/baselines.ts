import {
  ALWAYS_FIRST,
  ALWAYS_SHORTER,
  characterNgramBaseline,
  type FoldedSentence,
  type PlaceBaseline,
  randomBaseline,
  unigramBaseline,
} from "../models/baselines.ts";
import { type Baseline, heldOut, inBothOrders } from "../pairs/artefacts.ts";
import type { DatasetItem } from "../pairs/dataset.ts";
import { randomSource } from "../stats/random.ts";
import type { Sentence } from "./dataset.ts";

/** Characters of context: enough for a stem and its ending, few enough for 24,000 words. */
const NGRAM_ORDER = 5;

const marksOfNorm = (text: string) =>
  [...text.normalize("NFC").matchAll(/ǫ|[sz]k(?!\p{L})/giu)].length;

/**
 * Prefers the text with more of what marks the normalised spelling: ǫ, and -sk or -zk at a word's end. Not
 * grammar: the edition has neither. In one direction every umlaut and middle ending is such a mark.
 */
export const NORMALISED_SPELLING: PlaceBaseline = {
  name: "normalised_spelling",
  prefer(first, second) {
    const difference = marksOfNorm(first) - marksOfNorm(second);
    return difference === 0 ? "tie" : difference > 0 ? "first" : "second";
  },
};

/** The rules that know no grammar; the counted ones learn from all chapters but the pair's own. */
export function norseBaselines(
  sentences: readonly Sentence[],
  items: readonly DatasetItem[],
  seed: number,
): readonly Baseline[] {
  const folded: readonly FoldedSentence[] = sentences.map(({ chapter, normalised }) => ({
    fold: String(chapter),
    text: normalised,
  }));
  const chapters = new Map(
    items.map(({ pair, certificate }) => [pair.id, String(certificate.source.chapter)]),
  );
  const random = randomSource(seed);
  return [
    inBothOrders(randomBaseline(() => random.next())),
    inBothOrders(ALWAYS_FIRST),
    inBothOrders(ALWAYS_SHORTER),
    inBothOrders(NORMALISED_SPELLING),
    heldOut(unigramBaseline(folded), chapters),
    heldOut(characterNgramBaseline(folded, NGRAM_ORDER), chapters),
  ];
}
