import type { ObliqueCase } from "./pronouns.ts";

/** Why a token that stands in a quirky-case frame, or looks as if it did, makes no pair. */
export type QuirkyCaseRejection =
  | "reflexive_has_no_nominative"
  | "syncretic_with_nominative"
  | "nominative_is_another_word"
  | "after_preposition"
  | "possessive_dative"
  | "nominative_subject_present"
  | "object_of_active_verb"
  | "object_of_adjective"
  | "object_of_infinitive"
  | "free_dative"
  | "dative_of_comparison"
  | "accusative_with_infinitive"
  | "personal_reading_possible"
  | "nominative_subject_attested"
  | "nominative_also_attested"
  | "neuter_agrees_with_participle"
  | "coordinated_subject"
  | "multi_token_subject"
  | "excluded_sentence";

export type QuirkyConstruction =
  | "impersonal_verb"
  | "middle_verb"
  | "passive"
  | "copular_phrase"
  | "verbal_idiom";

/** What every frame, good or bad, says of where its noun phrase stands. */
export interface FramePlace {
  readonly case: ObliqueCase;
  /** Forms of the word that carries the frame. */
  readonly heads: readonly string[];
  /** One word of each group must stand between the same punctuation marks as the head. */
  readonly companions?: readonly (readonly string[])[];
  /** Most words between the noun phrase and the head. */
  readonly gap: number;
  /** The noun phrase may be a thing (the object that a passive keeps). */
  readonly thing?: boolean;
}

/** A verb, passive or phrase whose subject is not in the nominative. */
export interface QuirkyFrame extends FramePlace {
  /** e.g. `QC_VERB_LIKA`. */
  readonly rule: string;
  readonly lemma: string;
  readonly gloss: string;
  readonly construction: QuirkyConstruction;
  /** Any of these keeps the personal reading out; without one the clause is refused. */
  readonly theme?: readonly string[];
  /** The verb also has a personal use with the thing that seems: ek þykki 'I seem'. */
  readonly personalUse?: boolean;
  /** The predicate is a noun, so that a copula could equate it with a nominative: þat var ek. */
  readonly nounPredicate?: boolean;
  /** What makes the nominative ungrammatical here, for the certificate. */
  readonly ground: string;
  readonly tier: 1 | 2 | 3;
  /** The nominative where the general table's is not the one, e.g. þeim → sá before a relative. */
  readonly nominatives?: ReadonlyMap<string, string>;
  readonly source: string;
}

/** A neighbour that looks quirky and is not. */
export interface LureFrame extends FramePlace {
  readonly reason: QuirkyCaseRejection;
  readonly detail: string;
}
