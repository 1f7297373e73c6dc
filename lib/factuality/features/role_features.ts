import { agreement, type Comparison, type SentenceComparison } from "./comparison.ts";
import { type FamilyResult, WORTH_TELLING } from "./features.ts";
import { commonSubsequence } from "./sequences.ts";
import type { Word } from "./word.ts";
import { FOUND, isSameWord } from "./word_match.ts";

/** The same words in another order: who did what to whom. */
export function roleFeatures(comparison: Comparison): FamilyResult<"role"> {
  const best = comparison.sentences[0];
  if (best === undefined) {
    return { values: { "role.order": 0, "role.swapped": 0 }, findings: [] };
  }
  const strength = exchanged(comparison.claim, best) ? agreement(comparison, best, () => false) : 0;
  return {
    values: { "role.order": disorder(comparison.claim, best), "role.swapped": strength },
    findings: strength < WORTH_TELLING ? [] : [{
      feature: "role.swapped",
      words: `claim and source name the same in another order: “${best.sentence.text}”`,
      speaksFor: "refuted",
      strength,
    }],
  };
}

function disorder(claim: readonly Word[], { sentence, matches }: SentenceComparison): number {
  const common = claim.filter((word, index) =>
    matches[index]! >= FOUND && sentence.words.some((other) => isSameWord(word, other))
  );
  if (common.length < 2) return 0;
  return 1 - commonSubsequence(common, sentence.words, isSameWord) / common.length;
}

/** The things named on both sides of the claim's verb stand around the source's verb the other way round, and only one of the two is passive. */
function exchanged(claim: readonly Word[], { sentence }: SentenceComparison): boolean {
  const ends = sides(claim);
  if (ends === undefined) return false;
  const verb = sentence.words.findIndex((word) =>
    word.wordClass === "verb" && isSameWord(ends.verb, word)
  );
  if (verb < 0) return false;
  const before = sentence.words.slice(0, verb);
  const after = sentence.words.slice(verb + 1);
  const has = (side: readonly Word[], word: Word) => side.some((other) => isSameWord(word, other));
  const isReversed = has(before, ends.object) && has(after, ends.subject) &&
    !has(before, ends.subject) && !has(after, ends.object);
  return isReversed;
}

/** The last name or noun before the first verb between two of them, the verb, and the first after. */
function sides(claim: readonly Word[]) {
  const isThing = ({ wordClass }: Word) => wordClass === "name" || wordClass === "noun";
  for (let index = 1; index + 1 < claim.length; index++) {
    if (claim[index]!.wordClass !== "verb") continue;
    const subject = claim.slice(0, index).findLast(isThing);
    const object = claim.slice(index + 1).find(isThing);
    if (subject && object) return { subject, verb: claim[index]!, object };
  }
  return undefined;
}
