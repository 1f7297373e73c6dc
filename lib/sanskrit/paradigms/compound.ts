import { phonemes, VOWELS } from "../phonemes.ts";

type Merger = Readonly<Record<string, string>>;

const AFTER_A: Merger = {
  ...{ a: "ā", ā: "ā", i: "e", ī: "e", u: "o", ū: "o", ṛ: "ar" },
  ...{ e: "ai", ai: "ai", o: "au", au: "au" },
};

/** A vowel before another vowel within a word, and what stands for both. Source: Whitney §§ 126–129. */
const MERGED: Readonly<Record<string, Merger>> = {
  a: AFTER_A,
  ā: AFTER_A,
  i: { i: "ī", ī: "ī" },
  ī: { i: "ī", ī: "ī" },
  u: { u: "ū", ū: "ū" },
  ū: { u: "ū", ū: "ū" },
};

/** What a vowel becomes before an unlike one. */
const GLIDES: Readonly<Record<string, string>> = { i: "y", ī: "y", u: "v", ū: "v", ṛ: "r" };

function meetingOf(last: string, first: string): string | undefined {
  const merged = MERGED[last]?.[first];
  if (merged !== undefined) return merged;
  const glide = GLIDES[last];
  return glide === undefined || last === first ? undefined : glide + first;
}

/** Two members with the vowels that meet made one; what they become is put with the second. */
function joinPair(before: string, after: string): readonly [string, string] {
  const [first] = phonemes(after);
  const last = phonemes(before).at(-1);
  if (first === undefined || last === undefined) {
    throw new RangeError(`Cannot join "${before}-${after}": a member is empty.`);
  }
  if (!VOWELS.has(last) || !VOWELS.has(first)) return [before, after];
  const meeting = meetingOf(last, first);
  if (meeting === undefined) {
    throw new RangeError(`Cannot join "${before}-${after}": write it as it is said, unhyphened.`);
  }
  return [before.slice(0, -last.length), meeting + after.slice(first.length)];
}

/**
 * The members of a compound stem in IAST as they are said: `jñāna-agni` → jñān, āgni; `kula-dharma`
 * as written. Only vowels are joined: where consonants meet, they are to be given as said (`sad-bhāva`).
 * @throws RangeError for an empty member or vowels that it has no rule for, SyntaxError for no IAST.
 */
export function compoundMembers(stem: string): readonly string[] {
  const [head = "", ...rest] = stem.normalize("NFC").split("-");
  const joined = [head];
  for (const member of rest) joined.push(...joinPair(joined.pop()!, member));
  return joined;
}
