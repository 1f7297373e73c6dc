import { agreement, type Comparison, type SentenceComparison } from "./comparison.ts";
import { type FamilyResult, WORTH_TELLING } from "./features.ts";
import type { Word } from "./word.ts";
import { isSameWord } from "./word_match.ts";

/** The same words in another order: who did what to whom. */
export function roleFeatures(comparison: Comparison): FamilyResult<"role"> {
  const best = comparison.sentences[0];
  if (best === undefined) {
    return { values: { "role.swapped": 0 }, findings: [] };
  }
  const strength = exchanged(comparison, best) ? agreement(comparison, best, () => false) : 0;
  return {
    values: { "role.swapped": strength },
    findings: strength < WORTH_TELLING ? [] : [{
      feature: "role.swapped",
      words: `claim and source name the same in another order: “${best.sentence.text}”`,
      speaksFor: "refuted",
      strength,
    }],
  };
}

/** A statement's doer, what happens, and to whom. */
interface Roles {
  readonly subject: Word;
  readonly verb: Word;
  readonly object: Word;
}

/**
 * Whether the claim's subject and object stand around the source's verb the other way round: in
 * another order with both active, or in the same order with one of the two passive.
 */
function exchanged({ claim, claimText }: Comparison, { sentence }: SentenceComparison): boolean {
  const roles = rolesOf(claim);
  if (roles === undefined) return false;
  const place = sentence.words.findIndex((word) =>
    word.wordClass === "verb" && isSameWord(roles.verb, word)
  );
  if (place < 0) return false;
  const before = sentence.words.slice(0, place);
  const after = sentence.words.slice(place + 1);
  const find = (side: readonly Word[], word: Word) => side.find((other) => isSameWord(word, other));
  const stands = (first: Word, second: Word) =>
    find(before, first) && find(after, second) && !find(before, second) && !find(after, first);
  const verb = sentence.words[place]!;
  const isPassive = (last: Word) => saysBy(sentence.read, verb, find(after, last));
  const claimIsPassive = saysBy(claimText, roles.verb, roles.object);
  if (stands(roles.subject, roles.object)) return isPassive(roles.object) !== claimIsPassive;
  if (stands(roles.object, roles.subject)) return isPassive(roles.subject) === claimIsPassive;
  return false;
}

const saysBy = (text: string, verb: Word, last: Word | undefined) =>
  last !== undefined && /\bby\b/.test(text.slice(verb.end, last.start));

/** Around the first verb that has a name or noun on both sides. */
function rolesOf(claim: readonly Word[]): Roles | undefined {
  const isThing = ({ wordClass }: Word) => wordClass === "name" || wordClass === "noun";
  for (let index = 1; index + 1 < claim.length; index++) {
    if (claim[index]!.wordClass !== "verb") continue;
    const subject = claim.slice(0, index).findLast(isThing);
    const object = claim.slice(index + 1).find(isThing);
    if (subject && object) return { subject, verb: claim[index]!, object };
  }
  return undefined;
}
