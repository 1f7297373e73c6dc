import type { Cell } from "../cell.ts";
import type { AnnotatedNoun, FixingWord } from "../treebank/annotated_noun.ts";

/** The two perturbations of the specification. */
export const PHENOMENA = ["case", "number"] as const;
export type Phenomenon = (typeof PHENOMENA)[number];

/** Why a noun of the text, or a cell it might be changed to, makes no pair. */
export type RejectionReason =
  // of the noun
  | "reader_in_doubt"
  | "not_extracted"
  | "stem_without_evidence"
  | "extracted_otherwise"
  | "nothing_fixes_the_cell"
  | "fixed_from_another_line"
  | "not_the_paradigm_form"
  // of the cell
  | "same_form"
  | "relation_leaves_it_open"
  | "head_agrees_with_it"
  | "another_cell_fits"
  | "vocative_reading"
  | "sandhi_would_change"
  | "not_read"
  | "reader_in_doubt_of_variant"
  | "reader_finds_a_reading"
  // of the choice
  | "stem_not_chosen"
  | "other_form_chosen"
  | "not_selected";

/** A noun of the text and the form that is to take its place. */
export interface ContrastCandidate {
  readonly noun: AnnotatedNoun;
  readonly phenomenon: Phenomenon;
  /** The word that fixes the cell, of those that do the one of the best tier. */
  readonly fixedBy: FixingWord;
  readonly to: Cell;
  /** As it is written in this place, in Devanagari. */
  readonly written: string;
  readonly marks: readonly Mark[];
}

/**
 * What a pair tests besides the cell, or shows beside it: a variant in -o for -aḥ has a final that no
 * grammatical member has, for those stand free of sandhi.
 */
export type Mark = "metre_changed" | "final_in_sandhi" | "vocative_homonym" | "compound";
