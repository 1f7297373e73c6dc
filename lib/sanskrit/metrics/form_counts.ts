import { HeldOutCounts } from "../../models/baselines/held_out_counts.ts";
import { foldedLines, type FoldOf } from "../evaluation/folds.ts";
import type { Verse } from "../verses.ts";

/** How often a form is written as a word of its own outside a fold. */
export type CountForm = (form: string, heldOut: string) => number;

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
