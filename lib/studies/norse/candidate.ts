/** Words of a sentence, and what a phenomenon's rule says of one of them. */
import type { Certificate, Rejection } from "../../pairs/pair.ts";
import type { Sentence } from "./dataset.ts";
import { type Phenomenon, wordLists } from "./rules.ts";

/** A word of a sentence with its place in the string (UTF-16 offsets, end exclusive). */
export interface Token {
  readonly form: string;
  readonly lower: string;
  readonly start: number;
  readonly end: number;
}

/** Words in order; punctuation and spaces are between them. */
export function tokenise(sentence: string): readonly Token[] {
  return [...sentence.matchAll(/[\p{L}\p{M}]+/gu)].map(({ 0: form, index: start }) => {
    return { form, lower: form.toLowerCase(), start, end: start + form.length };
  });
}

/** Words of a sentence, in order, punctuation left out. */
export function wordsOf(sentence: string): readonly string[] {
  return tokenise(sentence).map(({ form }) => form);
}

/** What stands between two neighbouring tokens, e.g. " " or ", ". */
export function between(sentence: string, left: Token, right: Token): string {
  return sentence.slice(left.end, right.start);
}

/** The replacement with the original's capital, where it had one. */
export function matchCapital(original: string, replacement: string): string {
  const first = original.charAt(0);
  return first === first.toLowerCase()
    ? replacement
    : replacement.charAt(0).toUpperCase() + replacement.slice(1);
}

const isIn = wordLists("names");

/** A word as certificates cite it: in lower case, a name with its capital. */
export const cited = (word: string): string =>
  isIn("of_the_saga", word) ? matchCapital("A", word) : word;

/** The sentence with one token exchanged, its capital kept, everything else to the letter. */
export function replaceToken(sentence: string, token: Token, replacement: string): string {
  return sentence.slice(0, token.start) + matchCapital(token.form, replacement) +
    sentence.slice(token.end);
}

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
    | "middle_to_active"
    // The reverse set.
    | "nominative_to_dative"
    | "nominative_to_accusative"
    | "base_vowel_to_umlaut"
    | "active_to_middle";
  /** Selection prefers 1 over 2 over 3: 1 clear case, 2 defensible, 3 weak but valid. */
  readonly tier: 1 | 2 | 3;
}

/** Why a rule makes no pair of a word, with one line more; a reason is a word of `rejections.csv`. */
export interface Objection {
  readonly reason: string;
  readonly detail: string;
}

/** What a rule says of one sentence. Tokens it has no opinion on appear in neither list. */
export interface Finding {
  readonly candidates: readonly Candidate[];
  readonly rejections: readonly Rejection[];
}

/** A phenomenon's rule; `forms` are the saga's word forms, in lower case. */
export type PhenomenonRule = (sentence: Sentence, forms: ReadonlySet<string>) => Finding;

/** What a rule says of a word: a candidate, or an objection under the word's name in `rejections.csv`. */
export type Opinion = Candidate | Objection & { readonly candidate: string };

/** The opinions of a phenomenon's rule on a sentence, in order. */
export function findingOf(
  sentence: Sentence,
  phenomenon: Phenomenon,
  opinions: readonly Opinion[],
): Finding {
  return {
    candidates: opinions.flatMap((opinion) => "reason" in opinion ? [] : [opinion]),
    rejections: opinions.flatMap((opinion) =>
      "reason" in opinion ? [reject(sentence, phenomenon, opinion.candidate, opinion)] : []
    ),
  };
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
