import {
  type FoldedSentence,
  type HeldOutBaseline,
  type PlaceBaseline,
  type PlacePreference,
  preferMoreProbable,
} from "../models/baselines/baseline.ts";
import { characterNgramBaseline } from "../models/baselines/character_ngram.ts";
import {
  ALWAYS_FIRST,
  ALWAYS_SHORTER,
  randomBaseline,
} from "../models/baselines/place_baselines.ts";
import { unigramBaseline } from "../models/baselines/unigram.ts";
import type { Baseline } from "../pairs/artefacts.ts";
import type { Preference } from "../pairs/likelihood_measures.ts";
import type { DatasetItem } from "../pairs/number_pairs.ts";
import { randomSource } from "../stats/random.ts";
import type { Sentence } from "./sentence.ts";

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

const asMember = (preferred: PlacePreference, first: "grammatical" | "ungrammatical"): Preference =>
  preferred === "tie"
    ? "tie"
    : (preferred === "first") === (first === "grammatical")
    ? "grammatical"
    : "ungrammatical";

/** Asked in both orders; who chooses another sentence in each has none, which is a tie. */
function inBothOrders({ name, prefer }: PlaceBaseline): Baseline {
  return {
    name,
    choose: ({ grammatical, ungrammatical }) => {
      const forth = asMember(prefer(grammatical, ungrammatical), "grammatical");
      const back = asMember(prefer(ungrammatical, grammatical), "ungrammatical");
      return forth === back ? forth : "tie";
    },
  };
}

function heldOut(baseline: HeldOutBaseline, chapters: ReadonlyMap<string, string>): Baseline {
  return {
    name: baseline.name,
    choose: ({ id, grammatical, ungrammatical }) => {
      const chapter = chapters.get(id);
      if (chapter === undefined) {
        throw new RangeError(`Cannot hold out the chapter of ${id}: it has no certificate.`);
      }
      return asMember(
        preferMoreProbable(baseline, grammatical, ungrammatical, chapter),
        "grammatical",
      );
    },
  };
}
