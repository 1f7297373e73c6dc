import { contentWords, sameWord, type Word, wordsOf } from "./english.ts";

/** How two lists of statements of one text agree. */
interface AtomicFactCoverage {
  /** Our claims and the reference's facts. */
  readonly claims: number;
  readonly facts: number;
  /** Facts all of whose content words stand in one of our claims. */
  readonly factsCovered: number;
  /** Our claims all of whose content words stand in one of the facts. */
  readonly claimsCovered: number;
}

/**
 * Counts for two lists of statements about the same text, ours and somebody else's. A statement is
 * covered by one of the other list that has all its content words (by dictionary form), whatever
 * the order: coarse, and the same in both directions. A pronoun covers nothing and needs nothing, so
 * that "He sang" is covered by "Ada sang". A long claim covers much: read `claims` beside it.
 *
 * @param topic What both are about; its words count for nothing, so that a name in place of a pronoun
 *   makes no difference. The empty string where there is none.
 */
export function atomicFactCoverage(
  claims: readonly string[],
  facts: readonly string[],
  topic: string,
): AtomicFactCoverage {
  const ignored = wordsOf(topic, 0);
  const ours = claims.map((claim) => contentOf(claim, ignored));
  const theirs = facts.map((fact) => contentOf(fact, ignored));
  return {
    claims: claims.length,
    facts: facts.length,
    factsCovered: theirs.filter((fact) => ours.some((claim) => covers(claim, fact))).length,
    claimsCovered: ours.filter((claim) => theirs.some((fact) => covers(fact, claim))).length,
  };
}

function contentOf(statement: string, ignored: readonly Word[]): readonly Word[] {
  return contentWords(wordsOf(statement, 0))
    .filter((word) => !ignored.some((other) => sameWord(word, other)));
}

function covers(whole: readonly Word[], part: readonly Word[]): boolean {
  return part.every((word) => whole.some((other) => sameWord(word, other)));
}
