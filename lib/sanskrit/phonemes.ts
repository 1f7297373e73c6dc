/** Letters of IAST by place of articulation: four stops (unvoiced, unvoiced, voiced, voiced) and the nasal. */
const STOPS_AND_NASAL = {
  guttural: ["k", "kh", "g", "gh", "ṅ"],
  palatal: ["c", "ch", "j", "jh", "ñ"],
  retroflex: ["ṭ", "ṭh", "ḍ", "ḍh", "ṇ"],
  dental: ["t", "th", "d", "dh", "n"],
  labial: ["p", "ph", "b", "bh", "m"],
} as const;

const UNVOICED_SIBILANTS = ["ś", "ṣ", "s"] as const;

/** Anusvāra, candrabindu, visarga, and the avagraha that stands for an elided a. */
const SIGNS = ["ṃ", "m̐", "ḥ", "'"] as const;

export const SHORT_VOWELS: ReadonlySet<string> = new Set(["a", "i", "u", "ṛ", "ḷ"]);

/** Every vowel; e, ai, o and au count as long (Whitney § 30). */
export const VOWELS: ReadonlySet<string> = new Set([
  ...SHORT_VOWELS,
  ...["ā", "ī", "ū", "ṝ", "ḹ", "e", "ai", "o", "au"],
]);

export const GUTTURALS: ReadonlySet<string> = new Set(STOPS_AND_NASAL.guttural);
export const LABIALS: ReadonlySet<string> = new Set(STOPS_AND_NASAL.labial);

const VOICED_CONSONANTS: readonly string[] = [
  ...Object.values(STOPS_AND_NASAL).flatMap((series) => series.slice(2)),
  ...["y", "r", "l", "v", "h"],
];

/** Voiced consonants: stops, nasals, semivowels and h. Vowels are voiced too, but not in this set. */
export const VOICED: ReadonlySet<string> = new Set(VOICED_CONSONANTS);

const UNVOICED_CONSONANTS: readonly string[] = [
  ...Object.values(STOPS_AND_NASAL).flatMap((series) => series.slice(0, 2)),
  ...UNVOICED_SIBILANTS,
];

/** Every consonant, without the signs (anusvāra, visarga, avagraha). */
export const CONSONANTS: ReadonlySet<string> = new Set([
  ...VOICED_CONSONANTS,
  ...UNVOICED_CONSONANTS,
]);

/** Every phoneme and sign of IAST, each as it is written. */
export const PHONEMES: readonly string[] = [...VOWELS, ...CONSONANTS, ...SIGNS];

/** Longest first, so that kh and ai are each read as one phoneme: a hiatus a-i is not written in IAST. */
const NEXT_PHONEME = new RegExp(
  PHONEMES.toSorted((a, b) => b.length - a.length).join("|"),
  "uy",
);

/**
 * The phonemes of a word in IAST: `dharmeṇa` → dh a r m e ṇ a.
 * @throws SyntaxError for anything that is no IAST: capitals, hyphens, spaces, other letters.
 */
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
