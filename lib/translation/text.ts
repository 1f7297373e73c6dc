import { diffArrays } from "diff";

/** The longest text that a cell of an XLSX workbook holds, in UTF-16 code units. */
export const MAX_CELL_LENGTH = 32_767;

/**
 * A text as it comes back from a workbook: line ends are LF, control characters (but tab and LF) and
 * U+FFFE and U+FFFF are left out, a lone surrogate becomes U+FFFD; no Unicode normalisation.
 * Idempotent. What is hashed and what is written must both have gone through here.
 */
export function canonicalText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    // deno-lint-ignore no-control-regex
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g, "")
    .toWellFormed();
}

/** Whether a text is nothing but spaces once it is canonical. */
export function isEmpty(text: string): boolean {
  return canonicalText(text).trim() === "";
}

const segmenters = new Map<string, Intl.Segmenter>();

function segments(text: string, language: string): Intl.SegmentData[] {
  const own = segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: "word" });
  segmenters.set(language, own);
  return [...own.segment(text)];
}

/**
 * The words of a text by Unicode's rules (UAX #29, with ICU's dictionaries), punctuation left out, and
 * where they stand in UTF-16 code units. `language` is a BCP 47 tag, English where it is not known:
 * never the machine's own.
 */
export function wordsOf(text: string, language = "en") {
  return segments(text, language).filter(({ isWordLike }) => isWordLike)
    .map(({ segment, index }) => ({ text: segment, start: index, end: index + segment.length }));
}

/** Scripts told apart, by their Unicode name. */
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

/** Unicode's name of a script, `Han` with kana included; `other`, or `none` without letters. */
type Script = ReturnType<typeof scriptOf>;

/** The script that most letters of a text are in; at a tie the first of the list. */
export function scriptOf(text: string) {
  const counts = PATTERNS.map(({ letters }) => text.match(letters)?.length ?? 0);
  const most = Math.max(...counts);
  if (most === 0) return { name: /\p{L}/u.test(text) ? "other" : "none", rightToLeft: false };
  const { name, rightToLeft } = PATTERNS[counts.indexOf(most)]!;
  return { name, rightToLeft };
}

/** Which scripts texts are in, and how many, most texts first. */
export function scriptsOf(texts: readonly string[]) {
  const groups = Map.groupBy(texts.map(scriptOf), ({ name }) => name);
  return [...groups.values()].map((group) => ({ ...group[0]!, texts: group.length }))
    .sort((a, b) => b.texts - a.texts);
}

/** The script of most texts that have one; `none` where none has. At a tie the first. */
export function commonScript(texts: readonly string[]): Script {
  const [{ name, rightToLeft } = scriptOf("")] = scriptsOf(texts)
    .filter(({ name }) => name !== "none");
  return { name, rightToLeft };
}

/** Whether a text is in another script; one without letters, such as a number, is in none. */
export function isOtherScript(text: string, script: Script): boolean {
  const { name } = scriptOf(text);
  return name !== script.name && name !== "none";
}

/** Scripts that set words against one another without a space, or hang endings on foreign ones. */
const UNSPACED = ["Han", "Hira", "Kana", "Thai", "Laoo", "Khmr", "Mymr", "Hang"]
  .map((script) => `\\p{scx=${script}}`).join("");

const WORD = `[[\\p{L}\\p{N}]--[${UNSPACED}]]`;

/** Finds a name in any case, not in a longer word: `Fir` in "fir tree", "由Fir翻译", not "first". */
export function nameAsWord(name: string): RegExp {
  return new RegExp(`(?<!${WORD})${RegExp.escape(name)}(?!${WORD})`, "iv");
}

/** A word, mark or white space, and the share of the other texts that have it at this place. */
export interface DifferencePart {
  readonly text: string;
  /** 1 for white space, which sets no text apart. */
  readonly share: number;
}

const isSpace = (part: string) => part.trim() === "";

/**
 * How several translations of one sentence differ: each cut into words and what stands between them,
 * with the share of the others whose longest common subsequence with this one (Myers 1986) holds the
 * part. A text that stands alone shares everything.
 */
export function differences(texts: readonly string[]): readonly (readonly DifferencePart[])[] {
  const cut = texts.map((text) => segments(text, "und").map(({ segment }) => segment));
  const counts = cut.map((parts) => parts.map(() => 0));
  cut.forEach((parts, i) =>
    cut.slice(0, i).forEach((others, j) => {
      for (const [here, there] of commonParts(parts, others)) {
        counts[i]![here]!++;
        counts[j]![there]!++;
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

/** The places in both of the parts, white space apart, that a longest common subsequence holds. */
function commonParts(one: readonly string[], other: readonly string[]) {
  const wordsIn = (parts: readonly string[], known: ReadonlySet<string>) =>
    [...parts.keys()].filter((at) => !isSpace(parts[at]!) && known.has(parts[at]!));
  const [ours, theirs] = [wordsIn(one, new Set(other)), wordsIn(other, new Set(one))];
  const common: (readonly [here: number, there: number])[] = [];
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
