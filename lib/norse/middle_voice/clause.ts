import {
  AGENTIVE_AUXILIARIES,
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
  /** Whether what a relative clause leaves out could be the object. */
  readonly relative: RelativeGap;
  /** The members that `ok` joins on without a comma, each without its `ok`. */
  readonly coordinates: readonly (readonly string[])[];
  /** Behind the clause a comma and `at` 'that' follow. */
  readonly beforeThat: boolean;
}

/**
 * `gap`: yes. `far_fetched`: only if a subject is left out too that a reader would miss, or where
 * the relative clause before goes on in this one.
 */
export type RelativeGap = "none" | "far_fetched" | "gap";

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

const opensRelative = (tokens: readonly Token[], start: number) =>
  ["er", "sem"].includes(tokens[start]?.lower ?? "") && start > 0 &&
  !TIME_AND_PLACE.has(tokens[start - 1]?.lower ?? "");

/**
 * A relative clause lacks one member: with a subject of its own it can lack the object; without one
 * and in the singular it can be read "which one …" (er finna mun), though hardly where the verb
 * wants somebody. A plural verb is the antecedent's own, unless that is neuter.
 */
function relativeOf(
  tokens: readonly Token[],
  start: number,
  words: readonly string[],
): RelativeGap {
  if (!opensRelative(tokens, start)) return "none";
  const has = (list: ReadonlySet<string>) => words.some((word) => list.has(word));
  if (has(SUBJECT_PRONOUNS)) return "gap";
  if (has(PLURAL_AUXILIARIES)) {
    return tokens[start - 1]?.lower === "þau" ? "far_fetched" : "none";
  }
  return has(AGENTIVE_AUXILIARIES) ? "far_fetched" : "gap";
}

/** "er var spát ok vér hǫfum dulizk": the relative clause goes on behind `ok`. */
function continuesRelative(sentence: string, tokens: readonly Token[], start: number): boolean {
  const previous = tokens[start - 1];
  if (tokens[start]?.lower !== "ok" || previous === undefined) return false;
  if (parted(sentence, previous, tokens[start] as Token)) return false;
  return opensRelative(tokens, clauseStart(sentence, tokens, start - 1));
}

/** What `ok` joins on, up to the next punctuation mark or other conjunction. */
function coordinatesFrom(sentence: string, tokens: readonly Token[], end: number) {
  const members: string[][] = [];
  for (let index = end; index < tokens.length; index++) {
    const token = tokens[index] as Token;
    if (parted(sentence, tokens[index - 1] as Token, token)) break;
    if (token.lower === "ok") members.push([]);
    else if (opensClause(sentence, tokens, index)) break;
    else members.at(-1)?.push(token.lower);
  }
  return members;
}

/** The clause of the verb at an index. */
export function clauseAround(sentence: string, tokens: readonly Token[], verb: number): Clause {
  const start = clauseStart(sentence, tokens, verb);
  const words = (from: number, to: number) => tokens.slice(from, to).map((token) => token.lower);
  const end = clauseEnd(sentence, tokens, verb);
  const [before, after] = [words(start, verb), words(verb + 1, end)];
  const relative = relativeOf(tokens, start, [...before, ...after]);
  const goesOn = relative === "none" && continuesRelative(sentence, tokens, start);
  return {
    before,
    after,
    relative: goesOn ? "far_fetched" : relative,
    coordinates: coordinatesFrom(sentence, tokens, end),
    beforeThat: tokens[end]?.lower === "at",
  };
}
