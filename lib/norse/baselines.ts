import {
  ALWAYS_FIRST,
  ALWAYS_SHORTER,
  characterNgramBaseline,
  type FoldedSentence,
  randomBaseline,
  unigramBaseline,
} from "../models/baselines.ts";
import { type Baseline, heldOut, inBothOrders } from "../pairs/artefacts.ts";
import type { DatasetItem } from "../pairs/dataset.ts";
import { randomSource } from "../stats/random.ts";
import type { Sentence } from "./dataset.ts";

/** Characters of context: enough for a stem and its ending, few enough for 24,000 words. */
const NGRAM_ORDER = 5;

/**
 * The rules that know no grammar, in the order of `artefacts.csv`. The counted ones learn from all
 * chapters but the pair's own.
 */
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
    heldOut(unigramBaseline(folded), chapters),
    heldOut(characterNgramBaseline(folded, NGRAM_ORDER), chapters),
  ];
}
