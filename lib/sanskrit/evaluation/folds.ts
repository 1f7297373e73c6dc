import type { FoldedSentence } from "../../models/baselines/baseline.ts";
import type { Certificate } from "../../pairs/pair.ts";
import { type Verse, verseId } from "../verses.ts";

/** The fold of a verse, by the verse's id. Throws RangeError for a verse that is not in the text. */
export type FoldOf = (verse: string) => string;

/**
 * The folds by which a counted model learns from the Gītā what it is not scored on. Verses that share
 * a line or a pāda, be it by way of others, are one fold, for to hold out one of them alone would
 * leave the words of the other to be learned; 44 pādas recur. A fold bears the id of its first verse.
 * A pāda that a word joins to the next is compared with its line only.
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

/** The lines of all verses as sentences to learn from. */
export function foldedLines(verses: readonly Verse[], foldOf: FoldOf): readonly FoldedSentence[] {
  return verses.flatMap(({ id, lines }) => lines.map(({ text }) => ({ fold: foldOf(id), text })));
}

/** The fold of the verse that a pair was made from. */
export function foldOfSource({ source }: Pick<Certificate, "source">, foldOf: FoldOf): string {
  return foldOf(verseId(source.chapter, source.sentence));
}
