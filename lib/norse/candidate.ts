import type { Certificate, Rejection } from "../pairs/pair.ts";
import type { Sentence } from "./dataset_tables.ts";
import type { Phenomenon } from "./rules.ts";
import type { Token } from "./tokens.ts";

/** What a certificate will say of a candidate; the shared checks come behind its own. */
type Ground = Pick<
  Certificate,
  "rule" | "lemma" | "construction" | "cellFrom" | "cellTo" | "checks" | "marks" | "explanation"
>;

/** What a phenomenon's rule proposes for one token of one sentence. */
export interface Candidate extends Ground {
  readonly sentence: Sentence;
  readonly phenomenon: Phenomenon;
  readonly token: Token;
  /** Lower case; the token's capital is restored when the sentence is rebuilt. */
  readonly replacement: string;
  /** What was done to the target. */
  readonly errorType:
    | "dative_to_nominative"
    | "accusative_to_nominative"
    | "strong_to_weak"
    | "weak_to_strong"
    | "umlaut_to_base_vowel"
    | "middle_to_active";
  /** Selection prefers 1 over 2 over 3: 1 clear case, 2 defensible, 3 weak but valid. */
  readonly tier: 1 | 2 | 3;
}

/** What a rule says of one sentence. Tokens it has no opinion on appear in neither list. */
export interface Finding {
  readonly candidates: readonly Candidate[];
  readonly rejections: readonly Rejection[];
}

/** What rules may know of the whole saga. */
export interface CorpusIndex {
  /** How often a normalised, lower-case word form occurs in the prose sentences. */
  readonly frequency: ReadonlyMap<string, number>;
}

export type PhenomenonRule = (sentence: Sentence, corpus: CorpusIndex) => Finding;

/** Why a rule makes no pair of a word, with one line more; a reason is a word of `rejections.csv`. */
export interface Objection<Reason extends string = string> {
  readonly reason: Reason;
  readonly detail: string;
}

/** Where a sentence stands, as certificates record it. */
export function locate({ chapter, position }: Sentence): Certificate["source"] {
  return { text: "Völsunga saga", chapter, sentence: position };
}

/** A rejection for a token of a sentence. */
export function reject(
  sentence: Sentence,
  phenomenon: Phenomenon,
  candidate: string,
  { reason, detail }: Objection,
): Rejection {
  return { source: locate(sentence), phenomenon, candidate, reason, detail };
}
