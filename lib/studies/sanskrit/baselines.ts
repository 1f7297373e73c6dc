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

/** Syllables of a pāda, by the first word of a verse's metre. A line is one pāda or more. */
const PADA_SYLLABLES: Readonly<Record<string, number>> = { anuṣṭubh: 8, triṣṭubh: 11 };

/**
 * The rules that know no grammar, in the order of `artefacts.csv`. The counted ones learn from all verses
 * but those that repeat words of the pair's own. `metre` counts syllables: a variant of another length
 * often breaks the verse. What they choose throws RangeError for a pair that is not among the items.
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
  const found = of.get(id);
  if (found !== undefined) return found;
  throw new RangeError(`Cannot judge ${id} by counts: its place in the text is not known.`);
}

/** What `textFolds` holds out, as it stands in the settings of a run. */
const HELD_OUT =
  "pair: the fold of its verse; control sentence, bare form: every fold with the noun's stem";

/**
 * The folds by which each text must not be scored: of a member of a pair its verse's, in both scripts; of a
 * control sentence or bare form all that have its noun in any form.
 * @param lines of the text, by fold (see `foldedLines`).
 * @throws {RangeError} where a text would have two sets of folds; the function given, for any other.
 */
export function textFolds(
  sets: ContrastSets,
  foldOf: FoldOf,
  lines: readonly FoldedSentence[],
): (text: string) => readonly string[] {
  const found = new Map<string, readonly string[]>();
  const put = (text: string, folds: readonly string[]) => {
    const before = found.get(text) ?? folds;
    if (before.join() !== folds.join()) {
      throw new RangeError(`Cannot hold out "${text}": it stands in ${before} and in ${folds}`);
    }
    found.set(text, folds);
  };
  for (const { pair, certificate } of sets.main) {
    const folds = [foldOfSource(certificate, foldOf)];
    const texts = [pair.grammatical, pair.ungrammatical];
    for (const text of [...texts, ...texts.map(toIast)]) put(text, folds);
  }
  // The folds with a line in which the stem stands without its end, which the endings replace
  // (an inherent a is not written). Rather too many than too few: words that have the same letters
  // count, and so do compounds.
  const foldsWith = (stem: string) => {
    const kept = stem.replace(/[क-ह]्$/u, "").replace(/[\u093e-\u094c]$/u, "");
    const withNoun = lines.filter(({ text }) => text.includes(kept)).map(({ fold }) => fold);
    return [...new Set(withNoun)].sort();
  };
  for (const record of sets.controls) {
    // In its own pairs' lines sandhi may have hidden its first letter: adambhitvamahiṃsā.
    const ofPairs = sets.main.filter((item) => item.record.stem === record.stem)
      .map(({ certificate }) => foldOfSource(certificate, foldOf));
    const folds = [...new Set([...foldsWith(record.stem), ...ofPairs])].sort();
    for (const text of [record.grammatical, record.ungrammatical]) put(text, folds);
  }
  // A bare form may be of two nouns, viṣama and viṣamā: then the folds of both.
  const stemsOf = Map.groupBy(
    sets.bare.flatMap(({ stem, ...own }) =>
      [own.grammatical, own.ungrammatical].map((text) => ({ text, stem }))
    ),
    ({ text }) => text,
  );
  for (const [text, own] of stemsOf) {
    put(text, [...new Set(own.flatMap(({ stem }) => foldsWith(stem)))].sort());
  }
  return (text) => {
    const folds = found.get(text);
    if (folds !== undefined) return folds;
    throw new RangeError(`Cannot score "${text}": it is of no contrast set, so what to hold out?`);
  };
}

/**
 * The character model counted from the Gītā, in both variants of pseudo-likelihood: of a text in its own
 * script, from the lines outside the folds held out for it (see `textFolds`). It scores the texts of the
 * sets and no others, of which it could not say what must be held out.
 */
export function characterModels(
  verses: readonly Verse[],
  sets: ContrastSets,
): readonly LanguageModel[] {
  const foldOf = verseFolds(verses);
  const lines = foldedLines(verses, foldOf);
  const heldOutOf = textFolds(sets, foldOf, lines);
  const inIast = lines.map(({ fold, text }): FoldedSentence => ({ fold, text: toIast(text) }));
  const [devanagari, iast] = [lines, inIast].map((own) =>
    bidirectionalCharacterModel(own, heldOutOf)
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

/** The fold of a verse, by the verse's id. Throws RangeError for a verse that is not in the text. */
type FoldOf = (verse: string) => string;

/**
 * The folds by which a counted model learns from the Gītā what it is not scored on. Verses that share a
 * line or a pāda, be it by way of others, are one fold, named after its first verse: to hold out one of
 * them alone would leave the words of the other to be learned. 44 pādas recur.
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

/** Two folds become the earlier one; ids of verses sort as the verses stand. */
function merge(folds: Map<string, string>, one = "", other = ""): void {
  const [kept, given] = one < other ? [one, other] : [other, one];
  for (const [verse, fold] of folds) if (fold === given) folds.set(verse, kept);
}

export function foldedLines(verses: readonly Verse[], foldOf: FoldOf): readonly FoldedSentence[] {
  return verses.flatMap(({ id, lines }) => lines.map(({ text }) => ({ fold: foldOf(id), text })));
}

export function foldOfSource({ source }: Pick<Certificate, "source">, foldOf: FoldOf): string {
  return foldOf(verseId(source.chapter, source.sentence));
}

/** How often a form is written as a word of its own outside a fold. */
type CountForm = (form: string, heldOut: string) => number;

/**
 * Counts every written word of the text. A final म् and the anusvāra that stands for it are one
 * form. A form that sandhi joins to its neighbour or changes is not found: neither would it be by
 * anybody who counts words and knows no grammar.
 */
export function countForms(verses: readonly Verse[], foldOf: FoldOf): CountForm {
  const counts = new HeldOutCounts();
  for (const { fold, text } of foldedLines(verses, foldOf)) {
    for (const word of text.split(" ")) counts.add(withoutNasal(word), fold);
  }
  return (form, heldOut) => counts.count(withoutNasal(form), heldOut);
}

const withoutNasal = (word: string) => word.replace(/म्$/u, "ं");
