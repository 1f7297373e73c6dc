import { characterNgramBaseline } from "../models/baselines/character_ngram.ts";
import {
  ALWAYS_FIRST,
  ALWAYS_SHORTER,
  randomBaseline,
} from "../models/baselines/place_baselines.ts";
import type { Baseline } from "../pairs/artefacts.ts";
import { heldOut, inBothOrders } from "../pairs/held_out_baselines.ts";
import type { Preference } from "../pairs/likelihood_measures.ts";
import type { DatasetItem } from "../pairs/number_pairs.ts";
import type { MinimalPair } from "../pairs/pair.ts";
import { variantForm } from "../pairs/sentence_difference.ts";
import { randomSource } from "../stats/random.ts";
import { foldedLines, foldOfSource, verseFolds } from "./evaluation/folds.ts";
import { type CountForm, countForms } from "./metrics/form_counts.ts";
import { countSyllables } from "./metre.ts";
import { type Verse, verseId } from "./verses.ts";

/** As in the Old Norse study. */
const NGRAM_ORDER = 5;

/** Syllables of a pāda, by the first word of a verse's metre. A line is one pāda or more. */
const PADA_SYLLABLES: Readonly<Record<string, number>> = { anuṣṭubh: 8, triṣṭubh: 11 };

/**
 * The rules that know no grammar, in the order of `artefacts.csv`. The counted ones learn from all
 * verses but those that repeat words of the pair's own. `metre` counts syllables: a variant of
 * another length often breaks the verse, and that can be seen without any grammar.
 *
 * What they choose throws RangeError for a pair that is not among the items.
 */
export function sanskritBaselines(
  verses: readonly Verse[],
  items: readonly DatasetItem[],
  seed: number,
): readonly Baseline[] {
  const foldOf = verseFolds(verses);
  const lines = foldedLines(verses, foldOf);
  const folds = new Map(
    items.map(({ pair, certificate }) => [pair.id, foldOfSource(certificate, foldOf)]),
  );
  const random = randomSource(seed);
  return [
    inBothOrders(randomBaseline(() => random.next())),
    inBothOrders(ALWAYS_FIRST),
    inBothOrders(ALWAYS_SHORTER),
    formFrequency(countForms(verses, foldOf), folds),
    heldOut(characterNgramBaseline(lines, NGRAM_ORDER), folds),
    regularMetre(verses, items),
  ];
}

/** Prefers the commoner of the two forms, by the text outside the pair's fold. */
function formFrequency(count: CountForm, folds: ReadonlyMap<string, string>): Baseline {
  return {
    name: "form_frequency",
    choose: (pair) => {
      const fold = known(folds, pair);
      return higher(count(pair.target, fold), count(variantForm(pair), fold));
    },
  };
}

/** Prefers the member whose line is of whole pādas; where both are, or neither, a tie. */
function regularMetre(verses: readonly Verse[], items: readonly DatasetItem[]): Baseline {
  const padas = new Map(
    verses.map(({ id, metre }) => [id, PADA_SYLLABLES[metre.split(" ")[0] ?? ""]]),
  );
  const padaOf = new Map(items.flatMap(({ pair, certificate: { source } }) => {
    const syllables = padas.get(verseId(source.chapter, source.sentence));
    return syllables === undefined ? [] : [[pair.id, syllables] as const];
  }));
  return {
    name: "metre",
    choose: (pair) => {
      const syllables = known(padaOf, pair);
      const isRegular = (line: string) => Number(countSyllables(line) % syllables === 0);
      return higher(isRegular(pair.grammatical), isRegular(pair.ungrammatical));
    },
  };
}

const higher = (grammatical: number, ungrammatical: number): Preference =>
  grammatical === ungrammatical
    ? "tie"
    : grammatical > ungrammatical
    ? "grammatical"
    : "ungrammatical";

function known<Value>(of: ReadonlyMap<string, Value>, { id }: MinimalPair): Value {
  const found = of.get(id);
  if (found !== undefined) return found;
  throw new RangeError(`Cannot judge ${id} by counts: its place in the text is not known.`);
}
