import type { DeclensionClass } from "../declension.ts";

/** A noun as the study's lexicon has it. */
export interface LexiconEntry {
  /** IAST, a hyphen before the last member of a compound. */
  readonly stem: string;
  readonly declension: DeclensionClass;
  /** Persons, gods and peoples, who can be spoken to: their vocative is a reading of its own. */
  readonly isAddressable: boolean;
}

/** Why a form that looks like a noun's is none here. */
export type StopKind =
  | "verb"
  | "pronoun"
  | "indeclinable"
  | "adjective"
  | "participle"
  | "other stem class"
  | "compound's last member";
