/** Tokens of a sentence, and a rule's verdict on each. */
import type { Certificate, Rejection } from "../../pairs/pair.ts";
import type { Sentence } from "./dataset.ts";
import { type Phenomenon, wordLists } from "./rules.ts";

/** A word with its UTF-16 offsets in the sentence, end exclusive. */
export interface Token {
  readonly form: string;
  readonly lower: string;
  readonly start: number;
  readonly end: number;
}

/** Splits a sentence into words, in order. Punctuation and spaces are not tokens. */
export function tokenise(sentence: string): readonly Token[] {
  return [...sentence.matchAll(/[\p{L}\p{M}]+/gu)].map(({ 0: form, index: start }) => {
    return { form, lower: form.toLowerCase(), start, end: start + form.length };
  });
}

/** Returns the words of a sentence in order, without punctuation. */
export function wordsOf(sentence: string): readonly string[] {
  return tokenise(sentence).map(({ form }) => form);
}

/** Returns the text between two neighbouring tokens, e.g. " " or ", ". */
export function between(sentence: string, left: Token, right: Token): string {
  return sentence.slice(left.end, right.start);
}

/** Capitalises a replacement like its original. */
export function matchCapital(original: string, replacement: string): string {
  const first = original.charAt(0);
  return first === first.toLowerCase()
    ? replacement
    : replacement.charAt(0).toUpperCase() + replacement.slice(1);
}

const isIn = wordLists("names");

/** Returns a word as certificates cite it: lower case, names capitalised. */
export const citedForm = (word: string): string =>
  isIn("of_the_saga", word) ? matchCapital("A", word) : word;

/** Replaces one token, keeping its capital and everything else unchanged. */
export function replaceToken(sentence: string, token: Token, replacement: string): string {
  return sentence.slice(0, token.start) + matchCapital(token.form, replacement) +
    sentence.slice(token.end);
}

/** A candidate's contribution to its certificate, before the shared checks. */
type Ground = Pick<
  Certificate,
  "rule" | "lemma" | "construction" | "cellFrom" | "cellTo" | "checks" | "marks" | "explanation"
>;

/** A change proposed by a phenomenon's rule for one token. */
export interface Candidate extends Ground {
  readonly sentence: Sentence;
  readonly phenomenon: Phenomenon;
  readonly token: Token;
  /** Replacement in lower case; the token's capital is restored later. */
  readonly replacement: string;
  /** Type of change to the target. */
  readonly errorType:
    | "dative_to_nominative"
    | "accusative_to_nominative"
    | "strong_to_weak"
    | "weak_to_strong"
    | "umlaut_to_base_vowel"
    | "middle_to_active"
    // The reverse set.
    | "nominative_to_dative"
    | "nominative_to_accusative"
    | "base_vowel_to_umlaut"
    | "active_to_middle";
  /** Priority in selection: 1 clear case, 2 defensible, 3 weak but valid. */
  readonly tier: 1 | 2 | 3;
}

/** A rule's reason for refusing a word, with details. `reason` is a code of `rejections.csv`. */
export interface Objection {
  readonly reason: string;
  readonly detail: string;
}

/** A rule's verdicts on one sentence. Tokens outside its scope are in neither list. */
export interface RuleVerdicts {
  readonly candidates: readonly Candidate[];
  readonly rejections: readonly Rejection[];
}

/** A phenomenon's rule; `forms` are the saga's word forms in lower case. */
export type PhenomenonRule = (sentence: Sentence, forms: ReadonlySet<string>) => RuleVerdicts;

/** A verdict on one word: a candidate, or an objection with the word. */
export type Opinion = Candidate | Objection & { readonly candidate: string };

/** Collects a rule's verdicts on a sentence, in order. */
export function findingOf(
  sentence: Sentence,
  phenomenon: Phenomenon,
  opinions: readonly Opinion[],
): RuleVerdicts {
  return {
    candidates: opinions.flatMap((opinion) => "reason" in opinion ? [] : [opinion]),
    rejections: opinions.flatMap((opinion) =>
      "reason" in opinion ? [reject(sentence, phenomenon, opinion.candidate, opinion)] : []
    ),
  };
}

/** Returns a sentence's location for certificates. */
export function locate({ chapter, position }: Sentence): Certificate["source"] {
  return { text: "Völsunga saga", chapter, sentence: position };
}

/** Returns a rejection of a token. */
export function reject(
  sentence: Sentence,
  phenomenon: Phenomenon,
  candidate: string,
  { reason, detail }: Objection,
): Rejection {
  return { source: locate(sentence), phenomenon, candidate, reason, detail };
}
