import type { FoldedSentence } from "../../models/baselines/baseline.ts";
import type { ContrastRecord } from "../contrasts/contrast_record.ts";
import { toIast } from "../devanagari.ts";
import type { ContrastSets } from "../probes/probe_pairs.ts";
import { type FoldOf, foldOfSource } from "./folds.ts";

/** What `textFolds` holds out, as it stands in the settings of a run. */
export const HELD_OUT =
  "pair: the fold of its verse; control sentence and bare form: every fold with the noun's stem";

/**
 * The folds by which each text must not be scored. Of a member of a pair that is the fold of the
 * pair's verse, in Devanagari and in IAST. A control sentence or bare form is of no verse, but its
 * noun is: with all folds that have the noun in any form, its own forms are not learned either.
 *
 * @param lines of the text, by fold (see `foldedLines`).
 * @throws {RangeError} where a text would have two sets of folds; the function given, for any other
 * text.
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
  for (const { pair, certificate } of [...sets.main, ...sets.iStems]) {
    const folds = [foldOfSource(certificate, foldOf)];
    const texts = [pair.grammatical, pair.ungrammatical];
    for (const text of [...texts, ...texts.map(toIast)]) put(text, folds);
  }
  for (const record of [...sets.controls, ...sets.bareForms]) {
    const folds = foldsWithNoun(record, lines);
    for (const text of [record.grammatical, record.ungrammatical]) put(text, folds);
  }
  return (text) => {
    const folds = found.get(text);
    if (folds !== undefined) return folds;
    throw new RangeError(`Cannot score "${text}": it is of no contrast set, so what to hold out?`);
  };
}

/**
 * The folds with a line in which the stem stands without its last vowel, which the endings replace
 * (an inherent a is not written). Rather too many than too few: words that have the same letters
 * count, and so do compounds.
 */
function foldsWithNoun(
  { stem }: Pick<ContrastRecord, "stem">,
  lines: readonly FoldedSentence[],
): readonly string[] {
  const kept = stem.replace(/[\u093e-\u094c]$/u, "");
  const folds = lines.filter(({ text }) => text.includes(kept)).map(({ fold }) => fold);
  return [...new Set(folds)].sort();
}
