import { toIast } from "../devanagari.ts";
import { type ContrastSets, probePairs } from "../probes/probe_pairs.ts";
import { type FoldOf, foldOfSource } from "./folds.ts";

/** The fold of texts that are not from the Gītā. It has no sentences: nothing is held out for them. */
const MADE = "made";

/**
 * The fold of each text that is scored: of a member of a pair the fold of the pair's verse, in
 * Devanagari and in IAST; control sentences and bare forms have one without sentences.
 * @throws {RangeError} where a text would have two folds; the function given, for any other text.
 */
export function textFolds(sets: ContrastSets, foldOf: FoldOf): (text: string) => string {
  const folds = new Map<string, string>();
  const put = (text: string, fold: string) => {
    const before = folds.get(text) ?? fold;
    if (before !== fold) {
      throw new RangeError(`Cannot hold out "${text}": it stands in ${before} and in ${fold}`);
    }
    folds.set(text, fold);
  };
  for (const { pair, certificate } of [...sets.main, ...sets.iStems]) {
    const fold = foldOfSource(certificate, foldOf);
    for (const text of [pair.grammatical, pair.ungrammatical]) {
      put(text, fold);
      put(toIast(text), fold);
    }
  }
  for (const { grammatical, ungrammatical } of probePairs({ ...sets, main: [], iStems: [] })) {
    put(grammatical, MADE);
    put(ungrammatical, MADE);
  }
  return (text) => {
    const fold = folds.get(text);
    if (fold !== undefined) return fold;
    throw new RangeError(`Cannot score "${text}": it is of no contrast set, so what to hold out?`);
  };
}
