import Sanscript from "@indic-transliteration/sanscript";

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
 * The written syllables (akṣaras): a cluster of consonants with its vowel sign, or a vowel, and
 * what modifies it; कर्मण्ये → क, र्म, ण्ये. Consonants that no vowel follows are one of their own
 * (तत् → त, त्), so is every other character. By pattern and not by `Intl.Segmenter`, which cuts
 * conjuncts in one version of Unicode and keeps them in the next.
 */
export function graphemes(text: string): readonly string[] {
  return text.match(AKSHARA) ?? [];
}

/** Independent vowels and their signs in the same order; अ has none: it is inherent. */
const SIGN_OF: ReadonlyMap<string, string> = new Map([
  ["अ", ""],
  ...[..."आइईउऊऋॠऌॡएऐओऔ"].map((vowel, index) => [vowel, [..."ािीुूृॄॢॣेैोौ"][index] ?? ""] as const),
]);

const STEM_END = new RegExp(
  `^(.*?)(?:([${LETTERS.consonant}])[${LETTERS.sign}${LETTERS.virama}]?|[${LETTERS.vowel}])$`,
  "su",
);

/** A vowel sign or virāma at the ending's beginning, or a modifier without a vowel before it. */
const UNFIT_JOINT = new RegExp(
  `\\+[${LETTERS.sign}${LETTERS.virama}]|${LETTERS.virama}\\+[${LETTERS.modifier}]`,
  "u",
);

/**
 * A stem and its ending as one written word. An ending that begins with a vowel takes the place of
 * the stem's last vowel, inherent, signed or none: राज + अस्य → राजस्य, फल + आनि → फलानि, विद्या + अया →
 * विद्यया, राजन् + अः → राजनः. Any other ending follows the stem: राज + ः → राजः, फल + म् → फलम्.
 * Only letters are joined: sandhi and ṇ for n are the paradigms' business.
 * @throws {RangeError} when the stem ends in no consonant and no vowel, or the ending begins with a
 * sign that cannot follow it.
 */
export function joinEnding(stem: string, ending: string): string {
  const [first = ""] = ending;
  const sign = SIGN_OF.get(first);
  const parts = STEM_END.exec(stem);
  if (parts === null || UNFIT_JOINT.test(`${stem}+${ending}`)) {
    throw new RangeError(`Cannot join "${stem}" and "${ending}": their letters do not meet`);
  }
  if (sign === undefined) return stem + ending;
  const [, before = "", consonant] = parts;
  const joined = consonant === undefined ? first : consonant + sign;
  return before + joined + ending.slice(first.length);
}
