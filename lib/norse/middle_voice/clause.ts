import {
  CLAUSE_OPENERS,
  PLURAL_AUXILIARIES,
  SUBJECT_PRONOUNS,
  TIME_AND_PLACE,
} from "./refusals.ts";
import { between, type Token } from "../tokens.ts";

/** The words around a verb up to the next punctuation mark or conjunction on either side. */
export interface Clause {
  /** In order, the verb left out. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** `gap`: a relative clause in which the object could be what is left out. */
  readonly relative: "none" | "gap";
}

const parted = (sentence: string, left: Token, right: Token) =>
  /[,.;:?!]/u.test(between(sentence, left, right));

/** `er` 'is' stands without a comma before it; the conjunction has one, or a word of time or place. */
function opensClause(sentence: string, tokens: readonly Token[], index: number): boolean {
  const word = tokens[index]?.lower ?? "";
  const previous = tokens[index - 1];
  if (word !== "er") return CLAUSE_OPENERS.has(word);
  return previous === undefined || parted(sentence, previous, tokens[index] as Token) ||
    TIME_AND_PLACE.has(previous.lower);
}

/** First token of the clause, its conjunction included; the `at` of an infinitive is passed over. */
function clauseStart(sentence: string, tokens: readonly Token[], verb: number): number {
  for (let index = verb; index > 0; index--) {
    const infinitiveMarker = index === verb - 1 && tokens[index]?.lower === "at";
    if (index < verb && !infinitiveMarker && opensClause(sentence, tokens, index)) return index;
    if (parted(sentence, tokens[index - 1] as Token, tokens[index] as Token)) return index;
  }
  return 0;
}

function clauseEnd(sentence: string, tokens: readonly Token[], verb: number): number {
  for (let index = verb + 1; index < tokens.length; index++) {
    if (parted(sentence, tokens[index - 1] as Token, tokens[index] as Token)) return index;
    if (opensClause(sentence, tokens, index)) return index;
  }
  return tokens.length;
}

/**
 * A relative clause lacks one member: with a subject of its own it can lack the object; without one
 * and in the singular it can be read "which one …". A plural verb is then the antecedent's own.
 */
function relativeOf(tokens: readonly Token[], start: number, words: readonly string[]) {
  const [opener, previous] = [tokens[start]?.lower, tokens[start - 1]?.lower];
  if (opener !== "er" && opener !== "sem") return "none";
  if (previous === undefined || TIME_AND_PLACE.has(previous)) return "none";
  if (words.some((word) => SUBJECT_PRONOUNS.has(word))) return "gap";
  return words.some((word) => PLURAL_AUXILIARIES.has(word)) ? "none" : "gap";
}

/** The clause of the verb at an index. */
export function clauseAround(sentence: string, tokens: readonly Token[], verb: number): Clause {
  const start = clauseStart(sentence, tokens, verb);
  const words = (from: number, to: number) => tokens.slice(from, to).map((token) => token.lower);
  const before = words(start, verb);
  const after = words(verb + 1, clauseEnd(sentence, tokens, verb));
  return { before, after, relative: relativeOf(tokens, start, [...before, ...after]) };
}
