import { diffArrays } from "diff";

/** Maximum length of an XLSX cell's text, in UTF-16 code units. */
export const MAX_CELL_LENGTH = 32_767;

/**
 * Returns a text in the form in which a workbook preserves it.
 * Line ends become LF; control characters (except tab and LF), U+FFFE and U+FFFF are removed; a
 * lone surrogate becomes U+FFFD. There is no Unicode normalisation. The function is idempotent.
 * Texts pass through it before they are hashed or written.
 */
export function canonicalText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    // deno-lint-ignore no-control-regex
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g, "")
    .toWellFormed();
}

/** Tests whether a text's canonical form is empty or only white space. */
export function isEmpty(text: string): boolean {
  return canonicalText(text).trim() === "";
}

const segmenters = new Map<string, Intl.Segmenter>();

function segments(text: string, language: string): Intl.SegmentData[] {
  const segmenter = segmenters.get(language) ??
    new Intl.Segmenter(language, { granularity: "word" });
  segmenters.set(language, segmenter);
  return [...segmenter.segment(text)];
}

/**
 * Returns a text's words without punctuation, with their UTF-16 offsets.
 * Words are those of UAX #29, with ICU's dictionaries. `language` is a BCP 47 tag, English by
 * default; the machine's locale plays no part.
 */
export function wordsOf(text: string, language = "en") {
  return segments(text, language).filter(({ isWordLike }) => isWordLike)
    .map(({ segment, index }) => ({ text: segment, start: index, end: index + segment.length }));
}

/** Unicode names of the scripts that are distinguished. */
const LEFT_TO_RIGHT =
  "Latin Cyrillic Greek Armenian Georgian Ethiopic Devanagari Bengali Gurmukhi " +
  "Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Thai Lao Khmer Myanmar Tibetan Mongolian " +
  "Han Hangul";

const RIGHT_TO_LEFT = "Arabic Hebrew Syriac Thaana Nko Adlam";

const PATTERNS = `${LEFT_TO_RIGHT} ${RIGHT_TO_LEFT}`.split(" ").map((name) => {
  // Kana and Han are one writing system; they are counted together.
  const kana = name === "Han" ? "|\\p{sc=Hira}|\\p{sc=Kana}" : "";
  const letters = new RegExp(`\\p{Script=${name}}${kana}`, "gu");
  return { name, rightToLeft: RIGHT_TO_LEFT.split(" ").includes(name), letters };
});

/** A script's Unicode name (`Han` includes kana), or `other`. A text without letters has `none`. */
type Script = ReturnType<typeof scriptOf>;

/** Returns the script of most letters of a text. Ties go to the first listed. */
export function scriptOf(text: string) {
  const counts = PATTERNS.map(({ letters }) => text.match(letters)?.length ?? 0);
  const most = Math.max(...counts);
  if (most === 0) return { name: /\p{L}/u.test(text) ? "other" : "none", rightToLeft: false };
  const { name, rightToLeft } = PATTERNS[counts.indexOf(most)]!;
  return { name, rightToLeft };
}

/**
 * Returns the scripts of several texts, most frequent first.
 * Each has the number of texts in it.
 */
export function scriptsOf(texts: readonly string[]) {
  const groups = Map.groupBy(texts.map(scriptOf), ({ name }) => name);
  return [...groups.values()].map((group) => ({ ...group[0]!, texts: group.length }))
    .sort((a, b) => b.texts - a.texts);
}

/**
 * Returns the most frequent script of several texts, those without letters ignored.
 * The result is `none` if all are.
 */
export function commonScript(texts: readonly string[]): Script {
  const [{ name, rightToLeft } = scriptOf("")] = scriptsOf(texts)
    .filter(({ name }) => name !== "none");
  return { name, rightToLeft };
}

/** Tests whether a text is in another script. A text without letters is in none. */
export function isOtherScript(text: string, script: Script): boolean {
  const { name } = scriptOf(text);
  return name !== script.name && name !== "none";
}

/** Scripts written without spaces, or whose endings attach to foreign words. */
const UNSPACED = ["Han", "Hira", "Kana", "Thai", "Laoo", "Khmr", "Mymr", "Hang"]
  .map((script) => `\\p{scx=${script}}`).join("");

const WORD = `[[\\p{L}\\p{N}]--[${UNSPACED}]]`;

/**
 * Returns a pattern that finds a name as a whole word. Case is ignored.
 * It finds `Fir` in "fir tree" and "由Fir翻译" but not in "first".
 */
export function nameAsWord(name: string): RegExp {
  return new RegExp(`(?<!${WORD})${RegExp.escape(name)}(?!${WORD})`, "iv");
}

/** A segment of a text: word, mark or space. `share` is the share of other texts that have it. */
export interface DifferencePart {
  readonly text: string;
  /** Share from 0 to 1; always 1 for white space. */
  readonly share: number;
}

const isSpace = (part: string) => part.trim() === "";

/**
 * Compares translations of one sentence segment by segment (words, marks, spaces).
 * Each segment gets the share of the other translations whose longest common subsequence with this
 * one (Myers 1986) contains it. A single translation shares everything.
 */
export function differences(texts: readonly string[]): readonly (readonly DifferencePart[])[] {
  const cut = texts.map((text) => segments(text, "und").map(({ segment }) => segment));
  const counts = cut.map((parts) => parts.map(() => 0));
  cut.forEach((parts, i) =>
    cut.slice(0, i).forEach((others, j) => {
      for (const [ours, theirs] of commonParts(parts, others)) {
        counts[i]![ours]!++;
        counts[j]![theirs]!++;
      }
    })
  );
  const compared = texts.length - 1;
  const shareOf = (part: string, count: number) =>
    compared === 0 || isSpace(part) ? 1 : count / compared;
  return cut.map((parts, i) =>
    parts.map((text, at) => ({ text, share: shareOf(text, counts[i]![at]!) }))
  );
}

/**
 * Returns the index pairs of a longest common subsequence.
 * The two lists are segments of texts; white space is ignored.
 */
function commonParts(one: readonly string[], other: readonly string[]) {
  const wordsIn = (parts: readonly string[], known: ReadonlySet<string>) =>
    [...parts.keys()].filter((at) => !isSpace(parts[at]!) && known.has(parts[at]!));
  const [ours, theirs] = [wordsIn(one, new Set(other)), wordsIn(other, new Set(one))];
  const common: (readonly [ours: number, theirs: number])[] = [];
  let [i, j] = [0, 0];
  const changes = diffArrays(ours.map((at) => one[at]), theirs.map((at) => other[at]));
  for (const { count, added, removed } of changes) {
    if (!added && !removed) {
      for (let n = 0; n < count; n++) common.push([ours[i + n]!, theirs[j + n]!]);
    }
    if (!added) i += count;
    if (!removed) j += count;
  }
  return common;
}
