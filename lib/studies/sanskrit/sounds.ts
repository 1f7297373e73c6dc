import Sanscript from "@indic-transliteration/sanscript";

const letters = (list: string): ReadonlySet<string> => new Set(list.split(" "));

const SHORT_VOWELS = letters("a i u ṛ ḷ");

/** All vowels; e, ai, o and au are long (Whitney § 30). */
export const VOWELS = SHORT_VOWELS.union(letters("ā ī ū ṝ ḹ e ai o au"));

/** Voiced consonants: stops, nasals, semivowels and h. */
const VOICED = letters("g gh ṅ j jh ñ ḍ ḍh ṇ d dh n b bh m y r l v h");

/** All consonants, without signs (anusvāra, visarga, avagraha). */
export const CONSONANTS = VOICED.union(letters("k kh c ch ṭ ṭh t th p ph ś ṣ s"));

/** All phonemes of IAST and signs: anusvāra, candrabindu, visarga, avagraha. */
const PHONEMES: readonly string[] = [...VOWELS, ...CONSONANTS, "ṃ", "m̐", "ḥ", "'"];

/** Phoneme pattern, longest first, so that kh and ai are one phoneme. IAST has no hiatus a-i. */
const NEXT_PHONEME = new RegExp(PHONEMES.toSorted((a, b) => b.length - a.length).join("|"), "uy");

/**
 * Splits IAST into phonemes: `dharmeṇa` → dh a r m e ṇ a.
 * @throws SyntaxError for anything else.
 */
export function phonemes(iast: string): readonly string[] {
  const text = iast.normalize("NFC");
  const sounds: string[] = [];
  for (let at = 0; at < text.length; at += sounds.at(-1)!.length) {
    NEXT_PHONEME.lastIndex = at;
    const phoneme = NEXT_PHONEME.exec(text)?.[0];
    if (phoneme === undefined) {
      const letter = String.fromCodePoint(text.codePointAt(at)!);
      throw new SyntaxError(`Cannot read "${iast}" as IAST: "${letter}" is no letter of it.`);
    }
    sounds.push(phoneme);
  }
  return sounds;
}

/** Character classes for use between square brackets. */
export const LETTERS = {
  consonant: "क-हळ",
  /** Independent vowels अ to औ, with ॠ and ॡ. */
  vowel: "अ-औॠॡ",
  /** Vowel signs ा to ौ, with ॢ and ॣ. */
  sign: "\u093e-\u094cॢॣ",
  virama: "्",
  /** Candrabindu, anusvāra and visarga, which follow a vowel. */
  modifier: "\u0901-\u0903",
} as const;

// The package exports `t` at run time, but its types declare it in a namespace without export.
const { t: transliterate } = Sanscript as unknown as {
  readonly t: (text: string, from: string, to: string) => string;
};

/** Placeholder for anusvāra, since the library would read every `oṃ` as ॐ. */
const ANUSVARA_KEPT = "\ue000";

/** Candrabindu in the library's notation, and in IAST (m with U+0310). */
const [CANDRABINDU, CANDRABINDU_IAST] = ["~", "m\u0310"] as const;

/**
 * Transliterates Devanagari to IAST letter by letter.
 * सोऽपि → so'pi, ॐ → oṃ, श्रद्धावाँल्लभते → śraddhāvām̐llabhate, । → |. Hiatus is lost (प्रउग →
 * prauga, like प्रौग); the Gītā has none.
 */
export function toIast(text: string): string {
  return transliterate(text, "devanagari", "iast").replaceAll(CANDRABINDU, CANDRABINDU_IAST);
}

/**
 * Transliterates IAST to Devanagari, the inverse of {@link toIast} for legal text.
 * A word that begins with oṃ begins with ॐ; within a word the same letters are ो and ं (tejoṃ'śa →
 * तेजोंऽश).
 */
export function fromIast(text: string): string {
  const readable = text.normalize("NFC")
    .replaceAll(CANDRABINDU_IAST, CANDRABINDU)
    .replace(/(?<=\S)oṃ/gu, `o${ANUSVARA_KEPT}`);
  return transliterate(readable, "iast", "devanagari").replaceAll(ANUSVARA_KEPT, "ं");
}

const AKSHARA = (() => {
  const { consonant, vowel, sign, virama, modifier } = LETTERS;
  const cluster = `(?:[${consonant}]${virama})*[${consonant}](?:${virama}|[${sign}])?`;
  return new RegExp(`(?:${cluster}|[${vowel}])[${modifier}]*|.`, "gsu");
})();

/**
 * Splits text into written syllables (akṣaras): कर्मण्ये → क, र्म, ण्ये.
 * An akṣara is a consonant cluster with its vowel sign, or a vowel, and modifiers; final consonants
 * without vowel are separate (तत् → त, त्). A pattern serves instead of `Intl.Segmenter`, which
 * divides conjuncts differently between versions of Unicode.
 */
export function graphemes(text: string): readonly string[] {
  return text.match(AKSHARA) ?? [];
}

const { consonant, vowel, sign, virama, modifier } = LETTERS;
const LETTER = `${consonant}${vowel}${sign}${virama}${modifier}ऽॐ`;

/** Sequences that no Sanskrit word contains; each pattern matches the sequence alone. */
const ILLEGAL = Object.entries({
  "an independent vowel inside a word": `[${LETTER}][${vowel}]`,
  "two vowel signs": `[${sign}][${sign}]`,
  "a virāma without a consonant": `(?:^|[^${consonant}])${virama}`,
  "a vowel sign without a consonant": `(?:^|[^${consonant}${sign}])[${sign}]`,
  "a candrabindu, anusvāra or visarga without a vowel":
    `(?:^|[^${consonant}${vowel}${sign}])[${modifier}]`,
  "an avagraha after a virāma": `${virama}ऽ`,
  "a character that is no letter of Sanskrit": `[^${LETTER}\\s]`,
}).map(([what, pattern]) => ({ what, pattern: new RegExp(pattern, "u") }));

/**
 * Returns the first illegal sequence with its fault; undefined for legal text.
 * Example: `"जअ": an independent vowel inside a word`. Words are separated by white space.
 */
export function illegalSequence(text: string): string | undefined {
  const illegal = ILLEGAL.flatMap(({ what, pattern }) => {
    const match = pattern.exec(text);
    return match === null ? [] : [{ what, sequence: match[0], index: match.index }];
  });
  const [first] = illegal.sort((one, other) => one.index - other.index);
  return first && `"${first.sequence}": ${first.what}`;
}

/** Pronouns that lose their visarga before every consonant (Whitney § 176a). */
const WITHOUT_VISARGA = letters("sa eṣa");

/** Sounds before which a final visarga is unchanged (Whitney §§ 170–173). */
const KEEPS_VISARGA = letters("k kh p ph ś ṣ s");

/** Possible pausal finals other than visarga (Whitney § 122). */
const PAUSAL_FINALS = VOWELS.union(letters("k ṭ t p ṅ n m"));

/** Returns a written word's first sound. Doubled ch, as after a vowel, counts as ch. */
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

/**
 * Tests whether a vowel is unchanged before an initial.
 * Before ch the consonant is doubled, after some long vowels optionally (§ 227).
 */
const keepsVowel = (initial: string) => CONSONANTS.has(initial) && initial !== "ch";

/**
 * Returns a pausal word's spelling before the next one (IAST).
 * Before a consonant -m is written -ṃ; before a voiced one -aḥ is written -o. At the end of a line,
 * without `next`, the pausal form stands. The result is undefined if sandhi changes the next word,
 * makes the ending ambiguous or joins the two words in writing, and if this is uncertain. Two cases
 * are treated as uncertain although sandhi permits them: duals in -ī, -ū, -e before a vowel, where
 * other words of that shape change, and a final stop or n, which the Gītā's text joins to most
 * consonants. Source: Whitney, Sanskrit Grammar, ch. III.
 * @throws SyntaxError for text that is empty or no IAST.
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

/**
 * Tests whether a written word may have another pausal form.
 * A final -ṃ shows -m. devā gacchanti is devāḥ, and deva āha is devaḥ or deve. The result is true
 * for every word before a vowel and for every final that this edition does not write in that
 * position. `next` and errors are as for {@link writtenInPlace}.
 */
export function couldBeChanged(written: string, next: string | undefined): boolean {
  const final = finalOf(written);
  if (next === undefined) {
    return !(final === "ḥ" || PAUSAL_FINALS.has(final));
  }
  const initial = initialOf(next);
  if (!CONSONANTS.has(initial) || WITHOUT_VISARGA.has(written)) return true;
  // A vowel may have lost a visarga (Whitney §§ 174–179); before r it is long then, whatever it was.
  if (final === "ā" || final === "o") return VOICED.has(initial);
  if (VOWELS.has(final)) return initial === "r" && !SHORT_VOWELS.has(final);
  return final !== "ṃ" && !(final === "ḥ" && KEEPS_VISARGA.has(initial));
}

/** Returns the pausal form of a word for which {@link isNeutral} holds: -m for -ṃ. */
export function pausalForm(written: string): string {
  return written.replace(/ṃ$/u, "m");
}

/**
 * Tests whether a written word is certainly its pausal form.
 * -ṃ counts as -m. Its neighbour must be unchanged too.
 */
export function isNeutral(written: string, next: string | undefined): boolean {
  if (couldBeChanged(written, next)) return false;
  return writtenInPlace(pausalForm(written), next) === written;
}

/** Sounds that turn a later n into ṇ. Source: Whitney, Sanskrit Grammar, § 189; Pāṇini 8.4.1. */
const TRIGGERS = letters("ṛ ṝ r ṣ");

/**
 * Sounds transparent to retroflexion, which do not move the tip of the tongue.
 * All others block it: palatals except y, retroflexes, dentals, l, ś, s. Source: Pāṇini 8.4.2 and
 * Patañjali on it, who counts the visarga with the vowels (uraḥkeṇa); Whitney § 189.
 */
const TRANSPARENT = VOWELS.union(letters("k kh g gh ṅ p ph b bh m y v h ṃ m̐ ḥ"));

/** Sounds that must follow n: it never changes finally (Pāṇini 8.4.37) or before a stop. */
const LICENSING = VOWELS.union(letters("m y v"));

/**
 * Applies retroflexion n → ṇ to a word in IAST: puruṣena → puruṣeṇa, rathena unchanged.
 * Hyphens between members of a compound stay and block the rule (Pāṇini 8.4.3 permits it in names
 * only).
 * @throws SyntaxError for text that is no IAST.
 */
export function applyRetroflexion(form: string): string {
  return form.normalize("NFC").split("-").map((member) => {
    const sounds = [...phonemes(member)];
    let triggered = false;
    for (const [at, sound] of sounds.entries()) {
      if (sound === "n" && triggered) {
        // nn changes as one (viṣaṇṇa, Pāṇini 8.4.41).
        const end = sounds.findIndex((other, index) => index > at && other !== "n");
        if (LICENSING.has(sounds[end] ?? "")) sounds.fill("ṇ", at, end);
      }
      triggered = TRIGGERS.has(sound) || (triggered && TRANSPARENT.has(sound));
    }
    return sounds.join("");
  }).join("-");
}
