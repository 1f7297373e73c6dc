import Sanscript from "@indic-transliteration/sanscript";

const letters = (list: string): ReadonlySet<string> => new Set(list.split(" "));

const SHORT_VOWELS = letters("a i u ṛ ḷ");

/** Every vowel; e, ai, o and au count as long (Whitney § 30). */
export const VOWELS = SHORT_VOWELS.union(letters("ā ī ū ṝ ḹ e ai o au"));

/** Voiced consonants: stops, nasals, semivowels and h. Vowels are voiced too, but not in this set. */
const VOICED = letters("g gh ṅ j jh ñ ḍ ḍh ṇ d dh n b bh m y r l v h");

/** Every consonant, without the signs (anusvāra, visarga, avagraha). */
export const CONSONANTS = VOICED.union(letters("k kh c ch ṭ ṭh t th p ph ś ṣ s"));

/** Every phoneme of IAST and sign: anusvāra, candrabindu, visarga, the avagraha of an elided a. */
const PHONEMES: readonly string[] = [...VOWELS, ...CONSONANTS, "ṃ", "m̐", "ḥ", "'"];

/** Longest first, so that kh and ai are each read as one phoneme: a hiatus a-i is not written in IAST. */
const NEXT_PHONEME = new RegExp(PHONEMES.toSorted((a, b) => b.length - a.length).join("|"), "uy");

/** Phonemes of IAST: `dharmeṇa` → dh a r m e ṇ a. @throws SyntaxError for anything else. */
export function phonemes(iast: string): readonly string[] {
  const text = iast.normalize("NFC");
  const found: string[] = [];
  for (let at = 0; at < text.length; at += found.at(-1)!.length) {
    NEXT_PHONEME.lastIndex = at;
    const phoneme = NEXT_PHONEME.exec(text)?.[0];
    if (phoneme === undefined) {
      const letter = String.fromCodePoint(text.codePointAt(at)!);
      throw new SyntaxError(`Cannot read "${iast}" as IAST: "${letter}" is no letter of it.`);
    }
    found.push(phoneme);
  }
  return found;
}

/** Classes of letters for patterns, each to be put between square brackets. */
export const LETTERS = {
  consonant: "क-हळ",
  /** अ to औ, with ॠ and ॡ: a vowel that begins a word. */
  vowel: "अ-औॠॡ",
  /** ा to ौ, with ॢ and ॣ: a vowel written on a consonant. */
  sign: "\u093e-\u094cॢॣ",
  virama: "्",
  /** Candrabindu, anusvāra, visarga: they follow a vowel. */
  modifier: "\u0901-\u0903",
} as const;

// The package declares `t` inside a namespace that does not export it, though it is there.
const { t: transliterate } = Sanscript as unknown as {
  readonly t: (text: string, from: string, to: string) => string;
};

/** Stands for an anusvāra while the library works, which would read every `oṃ` as ॐ. */
const ANUSVARA_KEPT = "\ue000";

/** Candrabindu as the library writes it, and as IAST does: m with U+0310. */
const [CANDRABINDU, CANDRABINDU_IAST] = ["~", "m\u0310"] as const;

/**
 * Devanagari in IAST, letter by letter: सोऽपि → so'pi, ॐ → oṃ, श्रद्धावाँल्लभते → śraddhāvām̐llabhate,
 * । → |. Hiatus is lost (प्रउग → prauga, as प्रौग); the Gītā has none.
 */
export function toIast(text: string): string {
  return transliterate(text, "devanagari", "iast").replaceAll(CANDRABINDU, CANDRABINDU_IAST);
}

/**
 * IAST in Devanagari, the inverse of {@link toIast} for legal text. A word that begins with oṃ
 * begins with ॐ; within a word the same letters are ो and ं (tejoṃ'śa → तेजोंऽश).
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
 * The written syllables (akṣaras): a cluster of consonants with its vowel sign, or a vowel, and what
 * modifies it; कर्मण्ये → क, र्म, ण्ये. Consonants that no vowel follows are one of their own (तत् → त, त्).
 * By pattern, for `Intl.Segmenter` cuts conjuncts in one version of Unicode and not in the next.
 */
export function graphemes(text: string): readonly string[] {
  return text.match(AKSHARA) ?? [];
}

const { consonant, vowel, sign, virama, modifier } = LETTERS;
const LETTER = `${consonant}${vowel}${sign}${virama}${modifier}ऽॐ`;

/** What no Sanskrit word is written with. Each pattern matches the sequence and no more. */
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
 * The first sequence in `text` that no Sanskrit is written with and what it is, e.g. `"जअ": an
 * independent vowel inside a word`; undefined for legal text. Words are parted by white space.
 */
export function illegalSequence(text: string): string | undefined {
  const found = ILLEGAL.flatMap(({ what, pattern }) => {
    const match = pattern.exec(text);
    return match === null ? [] : [{ what, sequence: match[0], index: match.index }];
  });
  const [first] = found.sort((one, other) => one.index - other.index);
  return first && `"${first.sequence}": ${first.what}`;
}

/** Pronouns that lose their visarga before every consonant, as they are written there (Whitney § 176a). */
const WITHOUT_VISARGA = letters("sa eṣa");

/** What leaves a final visarga as it is (Whitney §§ 170–173). */
const KEEPS_VISARGA = letters("k kh p ph ś ṣ s");

/** What may end a word in pausa besides visarga (Whitney § 122). */
const PAUSAL_FINALS = VOWELS.union(letters("k ṭ t p ṅ n m"));

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
 * How a word in pausa is written before the next one, both in IAST, if it stands apart from it and changes
 * nothing there; -m before a consonant is -ṃ, -aḥ before a voiced one -o. No `next` is the end of a line,
 * where the pausal form stands. No answer: sandhi changes the next word, or leaves of the ending what
 * others leave too, or the two are joined in writing, or that is not certain. Stricter than sandhi with
 * duals in -ī, -ū, -e before a vowel, which other words of that shape do not survive, and with a final
 * stop or n, which the Gītā's text joins to most consonants. Source: Whitney, Sanskrit Grammar, ch. III.
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

/**
 * Whether a written word may be something else in pausa than it seems (-ṃ seems -m): devā gacchanti is
 * devāḥ, deva āha is devaḥ or deve. Said of every word before a vowel, and of every final that this
 * edition does not write there. `next` and errors as for {@link writtenInPlace}.
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

/** The pausal form of a word that {@link isNeutral} holds of: -m for the -ṃ before a consonant. */
export function pausalForm(written: string): string {
  return written.replace(/ṃ$/u, "m");
}

/** Whether a written word is certainly its pausal form (with -ṃ for -m) and its neighbour untouched. */
export function isNeutral(written: string, next: string | undefined): boolean {
  if (couldBeChanged(written, next)) return false;
  return writtenInPlace(pausalForm(written), next) === written;
}

/** What turns a later n into ṇ. Source: Whitney, Sanskrit Grammar, § 189; Pāṇini 8.4.1. */
const TRIGGERS = letters("ṛ ṝ r ṣ");

/**
 * What may stand between trigger and n: whatever does not move the tip of the tongue. Everything
 * else blocks: palatals but y, retroflexes, dentals, l, ś, s. Source: Pāṇini 8.4.2 and Patañjali on
 * it, who counts the visarga with the vowels (uraḥkeṇa); Whitney § 189.
 */
const TRANSPARENT = VOWELS.union(letters("k kh g gh ṅ p ph b bh m y v h ṃ m̐ ḥ"));

/** What must follow the n: so it never changes at a word's end (Pāṇini 8.4.37) nor before a stop. */
const LICENSING = VOWELS.union(letters("m y v"));

/**
 * A word in IAST with n → ṇ wherever the rule asks for it: puruṣena → puruṣeṇa, rathena as it is.
 * A hyphen between the members of a compound stays, and the rule does not look across it
 * (Pāṇini 8.4.3 lets it, in names only).
 * @throws SyntaxError for what is no IAST.
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
