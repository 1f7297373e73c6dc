/** Exchange of a noun inside a written word, where sandhi has changed its end or joined it to the next. */
import { CONSONANTS, phonemes, VOWELS, writtenInPlace } from "./sounds.ts";

/** Voiced consonants before which a final -r stands, joined in writing (Whitney § 174). */
const VOICED = new Set("g gh j jh ḍ ḍh d dh n b bh m y l v h".split(" "));

/** First sounds of a word before which this edition may join another. */
const INITIALS = [...VOWELS, "c", "ch", "t", "th", ...VOICED];

/** a and ā with the vowel after them (Whitney §§ 126–127). */
const MERGED: Readonly<Record<string, string>> = {
  ...{ a: "ā", ā: "ā", i: "e", ī: "e", u: "o", ū: "o" },
  ...{ e: "ai", ai: "ai", o: "au", au: "au" },
};
const GLIDES: Readonly<Record<string, string>> = { i: "y", ī: "y", u: "v", ū: "v" };
const LONG: Readonly<Record<string, string>> = { i: "ī", ī: "ī", u: "ū", ū: "ū" };

/**
 * The sounds of a word in pausa and of the first sound after it, where the edition writes both as one
 * word; nothing where it writes them apart, or where that is not certain. Source: Whitney, ch. III.
 */
function joined(pausal: readonly string[], initial: string): readonly string[] | undefined {
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

/** Where one list of sounds stands in another: every place. */
function placesOf(sounds: readonly string[], within: readonly string[]): readonly number[] {
  return within.flatMap((_, at) => sounds.every((own, i) => within[at + i] === own) ? [at] : []);
}

/** What a word may be written as before the next, apart from it: also with its visarga lost. */
function apart(pausal: string, next: string | undefined): readonly string[] {
  const certain = writtenInPlace(pausal, next);
  if (next === undefined || !pausal.endsWith("ḥ")) return certain === undefined ? [] : [certain];
  const initial = phonemes(next)[0]!;
  const isLost = pausal.endsWith("āḥ")
    ? !CONSONANTS.has(initial) || VOICED.has(initial) || initial === "r"
    : pausal.endsWith("aḥ") && VOWELS.has(initial);
  return [...(certain === undefined ? [] : [certain]), ...(isLost ? [pausal.slice(0, -1)] : [])];
}

/**
 * A written word (IAST) with one form of a noun in another's place, spelt as the edition spells that
 * form there: गन्धो before a voiced sound becomes गन्धं, बुद्धिरेकेह becomes बुद्धिमेकेह. Nothing where
 * the first form is not found in it exactly once, or where the second would change another word, be
 * written apart from what it is joined to, or leave open what it is.
 * @param from in pausa; its first vowel may have run together with the word before (nābhāvo)
 * @param to another form of the same noun, in pausa
 * @param next the next word of the line
 * @param isDual whether `to` is a dual: in -ī, -ū or -e it is joined to no vowel (Whitney § 138)
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
    const [own, other] = [from.slice(cut), to.slice(cut)];
    const right = apart(own, next).find((written) => token.endsWith(written));
    if (right !== undefined) {
      const wrong = writtenInPlace(other, next);
      return wrong && token.slice(0, -right.length) + wrong;
    }
    const found = exchangeJoined(phonemes(token), phonemes(own), phonemes(other));
    if (found.length > 0) return found.length === 1 && !isApart ? found[0] : undefined;
  }
  return undefined;
}

/** Every word that an exchange inside a word may give: two where a merged vowel leaves it open. */
function exchangeJoined(
  token: readonly string[],
  from: readonly string[],
  to: readonly string[],
): readonly (string | undefined)[] {
  const found = INITIALS.flatMap((initial) => {
    const right = joined(from, initial);
    if (right === undefined) return [];
    const places = placesOf(right, token).filter((at) => at + right.length < token.length);
    const wrong = joined(to, initial);
    return places.map((at) =>
      wrong && [...token.slice(0, at), ...wrong, ...token.slice(at + right.length)].join("")
    );
  });
  return [...new Set(found)];
}
