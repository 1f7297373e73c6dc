import { CONSONANTS, phonemes, SHORT_VOWELS, VOICED, VOWELS } from "./phonemes.ts";

/**
 * Pronouns that lose their visarga before every consonant, as they are written there (Whitney § 176a).
 */
const WITHOUT_VISARGA: ReadonlySet<string> = new Set(["sa", "eṣa"]);

/** What leaves a final visarga as it is (Whitney §§ 170–173). */
const KEEPS_VISARGA: ReadonlySet<string> = new Set(["k", "kh", "p", "ph", "ś", "ṣ", "s"]);

/** The consonants that may end a word in pausa (Whitney § 122), as visarga and every vowel may. */
const PAUSAL_CONSONANTS: ReadonlySet<string> = new Set(["k", "ṭ", "t", "p", "ṅ", "n", "m"]);

/** The first sound of a written word; ch also where it stands doubled, as it does after a vowel. */
function initialOf(word: string): string {
  const [first, second] = phonemes(word);
  if (first === undefined) {
    throw new SyntaxError("Cannot judge a junction: the next word is empty.");
  }
  return first === "c" && second === "ch" ? "ch" : first;
}

function finalOf(word: string): string {
  const last = phonemes(word).at(-1);
  if (last === undefined) throw new SyntaxError("Cannot judge a junction: the word is empty.");
  return last;
}

/** Before a consonant a vowel stays, but ch is doubled after it, after some long ones at will (§ 227). */
const keepsVowel = (initial: string) => CONSONANTS.has(initial) && initial !== "ch";

/**
 * How a word in pausa is written before the next one, both in IAST, if it stands apart from it and
 * the next one is not changed; -m before a consonant is -ṃ, -aḥ before a voiced one -o. `undefined`
 * next is the end of a line, where the pausal form stands. `undefined` as the answer: sandhi changes
 * the next word, or leaves of the ending what other endings leave too, or Devanagari joins the two in
 * writing, or it is not certain that none of this happens.
 *
 * Stricter than sandhi in two places. Duals in -ī, -ū, -e do not change before a vowel, but other
 * words of that shape do. A final stop or n stays before many consonants, but the Gītā's text joins
 * it to them (तान्निबोध; n stands apart nine times in all), so that a space would betray the change.
 * Source: Whitney, Sanskrit Grammar, ch. III.
 * @throws SyntaxError for what is no IAST or is empty.
 */
export function writtenInPlace(pausal: string, next: string | undefined): string | undefined {
  if (next === undefined) return pausal;
  const [final, initial] = [finalOf(pausal), initialOf(next)];
  if (VOWELS.has(final)) return keepsVowel(initial) ? pausal : undefined;
  if (final === "m") return CONSONANTS.has(initial) ? pausal.replace(/m$/u, "ṃ") : undefined;
  if (final !== "ḥ" || WITHOUT_VISARGA.has(pausal.replace(/ḥ$/u, ""))) return undefined;
  if (KEEPS_VISARGA.has(initial)) return pausal;
  return pausal.endsWith("aḥ") && VOICED.has(initial) ? pausal.replace(/aḥ$/u, "o") : undefined;
}

/** Whether a vowel that is written before this sound may have lost a visarga (Whitney §§ 174–179). */
function mayLackVisarga(vowel: string, initial: string): boolean {
  if (vowel === "ā" || vowel === "o") return VOICED.has(initial);
  // Before r the visarga goes and the vowel is long, whatever it was.
  return initial === "r" && !SHORT_VOWELS.has(vowel);
}

/**
 * Whether a written word may be something else in pausa than it seems (-ṃ seems -m): devā gacchanti
 * is devāḥ, deva āha is devaḥ or deve, devo is devaḥ. Said of every word before a vowel, and of every
 * final that this edition does not write there. `next` as for {@link writtenInPlace}.
 * @throws SyntaxError for what is no IAST or is empty.
 */
export function couldBeChanged(written: string, next: string | undefined): boolean {
  const final = finalOf(written);
  if (next === undefined) {
    return !(VOWELS.has(final) || final === "ḥ" || PAUSAL_CONSONANTS.has(final));
  }
  const initial = initialOf(next);
  if (!CONSONANTS.has(initial) || WITHOUT_VISARGA.has(written)) return true;
  if (VOWELS.has(final)) return mayLackVisarga(final, initial);
  return final !== "ṃ" && !(final === "ḥ" && KEEPS_VISARGA.has(initial));
}

/** The pausal form of a word that {@link isNeutral} holds of: -m for the -ṃ before a consonant. */
export function pausalForm(written: string): string {
  return written.replace(/ṃ$/u, "m");
}

/** Whether a written word is certainly its pausal form (with -ṃ for -m) and its neighbour untouched. */
export function isNeutral(written: string, next: string | undefined): boolean {
  if (couldBeChanged(written, next)) return false;
  return writtenInPlace(pausalForm(written), next) === written;
}
