/**
 * Replacement of a noun inside a written word.
 * Sandhi has changed the noun's end or joined it to the next word.
 */
import { CONSONANTS, phonemes, VOWELS, writtenInPlace } from "./sounds.ts";

/** Voiced consonants before which final -r is joined (Whitney § 174). */
const VOICED = new Set("g gh j jh ḍ ḍh d dh n b bh m y l v h".split(" "));

/** Initial sounds to which this edition may join a word. */
const INITIALS = [...VOWELS, "c", "ch", "t", "th", ...VOICED];

/** Results of a or ā with a following vowel (Whitney §§ 126–127). */
const MERGED: Readonly<Record<string, string>> = {
  ...{ a: "ā", ā: "ā", i: "e", ī: "e", u: "o", ū: "o" },
  ...{ e: "ai", ai: "ai", o: "au", au: "au" },
};
const GLIDES: Readonly<Record<string, string>> = { i: "y", ī: "y", u: "v", ū: "v" };
const LONG: Readonly<Record<string, string>> = { i: "ī", ī: "ī", u: "ū", ū: "ū" };

/**
 * Returns the sounds of a pausal word joined in writing to an initial.
 * Undefined if the edition separates the two or if that is uncertain. Source: Whitney, ch. III.
 */
function joinedSounds(pausal: readonly string[], initial: string): readonly string[] | undefined {
  const [stem, final, before] = [pausal.slice(0, -1), pausal.at(-1)!, pausal.at(-2) ?? ""];
  const isVowel = VOWELS.has(initial);
  if (final === "ḥ") {
    if (initial === "c" || initial === "ch") return [...stem, "ś", initial];
    if (initial === "t" || initial === "th") return [...stem, "s", initial];
    if (before === "a") return initial === "a" ? [...stem.slice(0, -1), "o", "'"] : undefined;
    return before !== "ā" && (isVowel || VOICED.has(initial)) ? [...stem, "r", initial] : undefined;
  }
  if (final === "n") {
    if (initial === "c" || initial === "ch") return [...stem, "ṃ", "ś", initial];
    if (initial === "t" || initial === "th") return [...stem, "ṃ", "s", initial];
    return isVowel && before !== "a" && before !== "i" && before !== "u"
      ? [...stem, "n", initial]
      : undefined;
  }
  if (!isVowel) return undefined;
  if (final === "m") return [...stem, "m", initial];
  if (final === "a" || final === "ā") {
    return [...stem, MERGED[initial] ?? (initial === "ṛ" ? "ar" : initial)].flatMap(phonemes);
  }
  if (final === "e") return initial === "a" ? [...stem, "e", "'"] : undefined;
  const [glide, long] = [GLIDES[final], LONG[final]];
  if (glide === undefined) return undefined;
  return LONG[initial] === long ? [...stem, long!] : [...stem, glide, initial];
}

/** Returns all positions of one sequence of sounds in another. */
function placesOf(sounds: readonly string[], within: readonly string[]): readonly number[] {
  return within.flatMap((_, at) =>
    sounds.every((sound, i) => within[at + i] === sound) ? [at] : []
  );
}

/**
 * Returns the possible spellings of a word written separately before the next.
 * One of them has lost the visarga, if the word ends in one.
 */
function separateSpellings(pausal: string, next: string | undefined): readonly string[] {
  const certain = writtenInPlace(pausal, next);
  if (next === undefined || !pausal.endsWith("ḥ")) return certain === undefined ? [] : [certain];
  const initial = phonemes(next)[0]!;
  const isLost = pausal.endsWith("āḥ")
    ? !CONSONANTS.has(initial) || VOICED.has(initial) || initial === "r"
    : pausal.endsWith("aḥ") && VOWELS.has(initial);
  return [...(certain === undefined ? [] : [certain]), ...(isLost ? [pausal.slice(0, -1)] : [])];
}

/**
 * Replaces one form of a noun within a written word (IAST).
 * The spelling is the edition's: गन्धो before a voiced sound becomes गन्धं, बुद्धिरेकेह becomes
 * बुद्धिमेकेह. The result is undefined if the first form does not occur exactly once, or if the
 * second would change another word, would be written separately, or would be ambiguous.
 *
 * @param from pausal form; its first vowel may have merged with the preceding word (nābhāvo)
 * @param to another pausal form of the same noun
 * @param next the next word of the line
 * @param isDual true if `to` is a dual: in -ī, -ū or -e it is joined to no vowel (Whitney § 138)
 */
export function exchangeNoun(
  token: string,
  from: string,
  to: string,
  next: string | undefined,
  isDual = false,
): string | undefined {
  const [first] = phonemes(from);
  if (first === undefined || phonemes(to)[0] !== first) return undefined;
  const isApart = isDual && /[īūe]$/u.test(to);
  const cuts = VOWELS.has(first) ? [0, first.length] : [0];
  for (const cut of cuts) {
    const [fromEnd, toEnd] = [from.slice(cut), to.slice(cut)];
    const right = separateSpellings(fromEnd, next).find((written) => token.endsWith(written));
    if (right !== undefined) {
      const wrong = writtenInPlace(toEnd, next);
      return wrong && token.slice(0, -right.length) + wrong;
    }
    const results = exchangeJoined(phonemes(token), phonemes(fromEnd), phonemes(toEnd));
    if (results.length > 0) return results.length === 1 && !isApart ? results[0] : undefined;
  }
  return undefined;
}

/**
 * Returns all possible results of a replacement inside a word.
 * There are two if a merged vowel is ambiguous.
 */
function exchangeJoined(
  token: readonly string[],
  from: readonly string[],
  to: readonly string[],
): readonly (string | undefined)[] {
  const results = INITIALS.flatMap((initial) => {
    const right = joinedSounds(from, initial);
    if (right === undefined) return [];
    const places = placesOf(right, token).filter((at) => at + right.length < token.length);
    const wrong = joinedSounds(to, initial);
    return places.map((at) =>
      wrong && [...token.slice(0, at), ...wrong, ...token.slice(at + right.length)].join("")
    );
  });
  return [...new Set(results)];
}
