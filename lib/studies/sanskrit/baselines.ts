import { sha256Hex } from "../../files/atomic.ts";
import {
  ALWAYS_FIRST,
  ALWAYS_SHORTER,
  characterNgramBaseline,
  type FoldedSentence,
  HeldOutCounts,
  randomBaseline,
} from "../../models/baselines.ts";
import { bidirectionalCharacterModel } from "../../models/masked/bidirectional_character_model.ts";
import { type MaskedModel, pseudoLikelihoodModels } from "../../models/masked/pseudo_likelihood.ts";
import type { LanguageModel } from "../../models/model.ts";
import { type Baseline, heldOutBaseline, inBothOrders } from "../../pairs/artefacts.ts";
import type { DatasetItem } from "../../pairs/dataset.ts";
import type { Preference } from "../../pairs/measures.ts";
import { type Certificate, type MinimalPair, variantForm } from "../../pairs/pair.ts";
import { randomSource } from "../../stats/random.ts";
import type { ContrastSets } from "./probes.ts";
import { toIast } from "./sounds.ts";
import { countSyllables, type Verse, verseId } from "./verses.ts";

/** Syllables of a pāda by the first word of a verse's metre. A line has one pāda or more. */
const PADA_SYLLABLES: Readonly<Record<string, number>> = { anuṣṭubh: 8, triṣṭubh: 11 };

/**
 * Returns the grammar-free baselines, in the order of `artefacts.csv`.
 * Those based on counts are trained on all verses except those that repeat words of the pair's
 * verse. `metre` counts syllables: a variant of different length often breaks the verse. A baseline
 * throws RangeError for a pair that is not among the items.
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
    heldOutBaseline(characterNgramBaseline(lines), folds),
    regularMetre(verses, items),
  ];
}

/** Prefers the form more frequent in the text outside the pair's fold. */
function formFrequency(count: CountForm, folds: ReadonlyMap<string, string>): Baseline {
  return {
    name: "form_frequency",
    choose: (pair) => {
      const fold = known(folds, pair);
      return higher(count(pair.target, fold), count(variantForm(pair), fold));
    },
  };
}

/** Prefers the member whose line consists of whole pādas; otherwise a tie. */
function regularMetre(verses: readonly Verse[], items: readonly DatasetItem[]): Baseline {
  const padas = new Map(
    verses.map(({ id, metre }) => [id, PADA_SYLLABLES[metre.split(" ")[0] ?? ""]]),
  );
  const padaOf = new Map(items.map(({ pair, certificate: { source } }) => [
    pair.id,
    padas.get(verseId(source.chapter, source.sentence)),
  ]));
  return {
    name: "metre",
    choose: (pair) => {
      const syllables = known(padaOf, pair);
      const isRegular = (line: string) => Number(countSyllables(line) % syllables === 0);
      return higher(isRegular(pair.grammatical), isRegular(pair.ungrammatical));
    },
  };
}

function higher(grammatical: number, ungrammatical: number): Preference {
  if (grammatical === ungrammatical) return "tie";
  return grammatical > ungrammatical ? "grammatical" : "ungrammatical";
}

function known<Value>(of: ReadonlyMap<string, Value | undefined>, { id }: MinimalPair): Value {
  const value = of.get(id);
  if (value !== undefined) return value;
  throw new RangeError(`Cannot judge ${id} by counts: its place in the text is not known.`);
}

/** Description of the folds held out by `textFolds`, as in a run's settings. */
const HELD_OUT =
  "pair: the fold of its verse; control sentence, bare form: every fold with the noun's stem";

/**
 * Returns the folds to hold out when scoring each text.
 * For a member of a pair it is its verse's fold, in both scripts. For a control sentence or bare
 * form it is every fold with its noun in any form. The returned function throws RangeError for a
 * text outside the sets.
 * @param lines of the text, by fold (see `foldedLines`).
 * @throws {RangeError} if a text would have two sets of folds.
 */
export function textFolds(
  sets: ContrastSets,
  foldOf: FoldOf,
  lines: readonly FoldedSentence[],
): (text: string) => readonly string[] {
  const foldsByText = new Map<string, readonly string[]>();
  const put = (text: string, folds: readonly string[]) => {
    const before = foldsByText.get(text) ?? folds;
    if (before.join() !== folds.join()) {
      throw new RangeError(`Cannot hold out "${text}": it is in ${before} and in ${folds}`);
    }
    foldsByText.set(text, folds);
  };
  for (const { pair, certificate } of sets.main) {
    const folds = [foldOfSource(certificate, foldOf)];
    const texts = [pair.grammatical, pair.ungrammatical];
    for (const text of [...texts, ...texts.map(toIast)]) put(text, folds);
  }
  // The folds with a line that contains the stem without its end, which the endings replace
  // (an inherent a is not written). The search errs on the large side: words with the same letters
  // count, and compounds too.
  const foldsWith = (stem: string) => {
    const trunk = stem.replace(/[क-ह]्$/u, "").replace(/[\u093e-\u094c]$/u, "");
    const withNoun = lines.filter(({ text }) => text.includes(trunk)).map(({ fold }) => fold);
    return [...new Set(withNoun)].sort();
  };
  for (const record of sets.controls) {
    // In the noun's pairs sandhi may conceal its first letter: adambhitvamahiṃsā.
    const ofPairs = sets.main.filter((item) => item.record.stem === record.stem)
      .map(({ certificate }) => foldOfSource(certificate, foldOf));
    const folds = [...new Set([...foldsWith(record.stem), ...ofPairs])].sort();
    for (const text of [record.grammatical, record.ungrammatical]) put(text, folds);
  }
  // A bare form may belong to two nouns, viṣama and viṣamā: then the folds of both.
  const stemsOf = Map.groupBy(
    sets.bare.flatMap(({ stem, ...pair }) =>
      [pair.grammatical, pair.ungrammatical].map((text) => ({ text, stem }))
    ),
    ({ text }) => text,
  );
  for (const [text, entries] of stemsOf) {
    put(text, [...new Set(entries.flatMap(({ stem }) => foldsWith(stem)))].sort());
  }
  return (text) => {
    const folds = foldsByText.get(text);
    if (folds !== undefined) return folds;
    throw new RangeError(`Cannot score "${text}": it is of no contrast set, so what to hold out?`);
  };
}

/**
 * Returns character models trained on the Gītā, in both variants of pseudo-likelihood.
 * A text is scored in its script by a model trained on the lines outside its held-out folds (see
 * `textFolds`). Only texts of the sets can be scored, since for others the folds are unknown.
 */
export function characterModels(
  verses: readonly Verse[],
  sets: ContrastSets,
): readonly LanguageModel[] {
  const foldOf = verseFolds(verses);
  const lines = foldedLines(verses, foldOf);
  const heldOutOf = textFolds(sets, foldOf, lines);
  const inIast = lines.map(({ fold, text }): FoldedSentence => ({ fold, text: toIast(text) }));
  const [devanagari, iast] = [lines, inIast].map((texts) =>
    bidirectionalCharacterModel(texts, heldOutOf)
  );
  const eitherScript: MaskedModel = {
    name: devanagari!.name,
    settings: {
      ...devanagari!.settings,
      scripts: "Devanagari and IAST, each by its own counts",
      heldOut: HELD_OUT,
      sentencesSha256: sha256Hex(lines.map(({ fold, text }) => `${fold} ${text}\n`).join("")),
    },
    tokenise: (text) => (/\p{Script=Devanagari}/u.test(text) ? devanagari! : iast!).tokenise(text),
  };
  return pseudoLikelihoodModels(eitherScript);
}

/** Returns the fold of a verse id. Throws RangeError for an unknown verse. */
type FoldOf = (verse: string) => string;

/**
 * Divides the Gītā into folds for models trained on it.
 * Verses that share a line or pāda, directly or transitively, form one fold, named after its first
 * verse; otherwise a held-out verse's words would be learned from its repetition. 44 pādas recur.
 */
export function verseFolds(verses: readonly Verse[]): FoldOf {
  const folds = new Map(verses.map(({ id }) => [id, id]));
  const firstWith = new Map<string, string>();
  for (const { id, lines, padas } of verses) {
    for (const part of new Set([...lines.map(({ text }) => text), ...padas])) {
      const first = firstWith.get(part);
      if (first === undefined) firstWith.set(part, id);
      else merge(folds, folds.get(first), folds.get(id));
    }
  }
  return (verse) => {
    const fold = folds.get(verse);
    if (fold !== undefined) return fold;
    throw new RangeError(`Cannot hold out ${verse}: the text has no such verse`);
  };
}

/** Merges two folds into the earlier one. Verse ids sort in text order. */
function merge(folds: Map<string, string>, one = "", other = ""): void {
  const [earlier, later] = one < other ? [one, other] : [other, one];
  for (const [verse, fold] of folds) if (fold === later) folds.set(verse, earlier);
}

export function foldedLines(verses: readonly Verse[], foldOf: FoldOf): readonly FoldedSentence[] {
  return verses.flatMap(({ id, lines }) => lines.map(({ text }) => ({ fold: foldOf(id), text })));
}

export function foldOfSource({ source }: Pick<Certificate, "source">, foldOf: FoldOf): string {
  return foldOf(verseId(source.chapter, source.sentence));
}

/** Counts a form's occurrences as a separate word outside a fold. */
type CountForm = (form: string, heldOut: string) => number;

/**
 * Counts every written word, final म् and anusvāra as one form.
 * A form joined to its neighbour or changed by sandhi is not counted, as expected of a count
 * without grammar.
 */
export function countForms(verses: readonly Verse[], foldOf: FoldOf): CountForm {
  const counts = new HeldOutCounts();
  for (const { fold, text } of foldedLines(verses, foldOf)) {
    for (const word of text.split(" ")) counts.add(withoutNasal(word), fold);
  }
  return (form, heldOut) => counts.count(withoutNasal(form), heldOut);
}

const withoutNasal = (word: string) => word.replace(/म्$/u, "ं");
