import { contentWords, sameWord, type Word, wordsOf } from "./english.ts";

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
) {
  const ignored = wordsOf(topic, 0);
  const stands = (word: Word, words: readonly Word[]) => words.some((one) => sameWord(word, one));
  const contentOf = (statement: string) =>
    contentWords(wordsOf(statement, 0)).filter((word) => !stands(word, ignored));
  const [ours, theirs] = [claims.map(contentOf), facts.map(contentOf)];
  const covered = (those: typeof ours, by: typeof ours) =>
    those.filter((words) => by.some((whole) => words.every((word) => stands(word, whole)))).length;
  const [factsCovered, claimsCovered] = [covered(theirs, ours), covered(ours, theirs)];
  return { claims: claims.length, facts: facts.length, factsCovered, claimsCovered };
}
