import type { Cell, Gender } from "../cell.ts";
import type { DeclensionClass } from "../declension.ts";
import type { LineLabel } from "../verses.ts";

/** What ties a noun's case and number to another word of the sentence. */
export const RELATIONS = [
  "agreement",
  "subject",
  "predicate",
  "object",
  "governed",
  "adnominal",
  "coordinated",
  "apposition",
  "absolute",
  "adjunct",
] as const;
export type Relation = (typeof RELATIONS)[number];

/** Where a line stands: `BG_02_30` and `b`. */
export interface LineReference {
  readonly verse: string;
  readonly label: LineLabel;
}

/** A word that fixes the cell of a noun, and what its own form says. */
export interface FixingWord {
  readonly relation: Relation;
  readonly line: LineReference;
  /** 1-based position among the tokens of its line; it may be written together with others there. */
  readonly token: number;
  /** The word alone, in IAST and pausal form. */
  readonly word: string;
  /**
   * What its form can be: cells with gender for a nominal (`nom.pl.n`), person and number for a
   * finite verb (`3.pl`), the case for a governing word (`ins`); empty for an indeclinable.
   */
  readonly readings: readonly string[];
}

/** A noun form of the text as a reader parsed it: the study's small treebank. */
export interface AnnotatedNoun {
  readonly line: LineReference;
  /** 1-based position among the tokens of the line. */
  readonly token: number;
  /** As written, in Devanagari. */
  readonly form: string;
  /** IAST, a hyphen before the last member of a compound. */
  readonly stem: string;
  readonly declension: DeclensionClass;
  readonly gender: Gender;
  /** What it is here, by the syntax. */
  readonly cell: Cell;
  /** Strongest first; empty where nothing in the sentence fixes the cell. */
  readonly fixedBy: readonly FixingWord[];
  /** The reader was less than sure of stem, cell or relation: such a noun is in no pair. */
  readonly isDoubtful: boolean;
}
