import { diffArrays } from "diff";

/** The longest text that a cell of an XLSX workbook holds, in UTF-16 code units. */
export const MAX_CELL_LENGTH = 32_767;

/**
 * A text as it can be written to a workbook and read back unchanged: line ends are LF, control
 * characters (but tab and LF) and the non-characters U+FFFE and U+FFFF are left out, and a lone
 * surrogate becomes U+FFFD. Everything else stays, composed or not: no Unicode normalisation.
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

/** A word of a text and where it stands, in UTF-16 code units. */
interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const segmenters = new Map<string, Intl.Segmenter>();

/**
 * The words of a text by Unicode's rules (UAX #29, with ICU's dictionaries for scripts without
 * spaces), punctuation left out. `language` is a BCP 47 tag; English rules where it is not known,
 * never the rules of the machine's own language.
 */
export function wordsOf(text: string, language = "en"): Word[] {
  let segmenter = segmenters.get(language);
  if (segmenter === undefined) {
    segmenters.set(language, segmenter = new Intl.Segmenter(language, { granularity: "word" }));
  }
  return [...segmenter.segment(text)].flatMap(({ segment, index, isWordLike }) =>
    isWordLike ? [{ text: segment, start: index, end: index + segment.length }] : []
  );
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
  return {
    name,
    rightToLeft: RIGHT_TO_LEFT.split(" ").includes(name),
    letters: new RegExp(`\\p{Script=${name}}${kana}`, "gu"),
  };
});

/** A text's writing. */
interface Script {
  /** Unicode's name of the script, `Han` with kana included; `other`, or `none` without letters. */
  readonly name: string;
  readonly rightToLeft: boolean;
}

/** The script that most letters of a text are in; at a tie the first of the list. */
export function scriptOf(text: string): Script {
  const counts = PATTERNS.map(({ letters }) => text.match(letters)?.length ?? 0);
  const most = Math.max(...counts);
  if (most === 0) return { name: /\p{L}/u.test(text) ? "other" : "none", rightToLeft: false };
  const { name, rightToLeft } = PATTERNS[counts.indexOf(most)]!;
  return { name, rightToLeft };
}

/** How many texts are in a script. */
interface ScriptCount extends Script {
  readonly texts: number;
}

/** Which scripts texts are in, most texts first. */
export function scriptsOf(texts: readonly string[]): ScriptCount[] {
  const groups = Map.groupBy(texts.map(scriptOf), ({ name }) => name);
  return [...groups.values()].map((group) => ({ ...group[0]!, texts: group.length }))
    .sort((a, b) => b.texts - a.texts);
}

/** The script of most texts that have one; `none` where none has. At a tie the first. */
export function commonScript(texts: readonly string[]): Script {
  const written = scriptsOf(texts).filter(({ name }) => name !== "none");
  const { name, rightToLeft } = written[0] ?? scriptOf("");
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

/**
 * Finds a name in any case, but not within a longer word: `Fir` in "the fir tree" and in "由Fir翻译",
 * not in "first".
 */
export function nameAsWord(name: string): RegExp {
  return new RegExp(`(?<!${WORD})${RegExp.escape(name)}(?!${WORD})`, "iv");
}

/** A stretch of a text: a word, a mark of punctuation or white space. */
export interface DifferencePart {
  readonly text: string;
  /** Of the other texts, the share that has this stretch at the same place, in [0, 1]. */
  readonly share: number;
}

/**
 * How several translations of one sentence differ, word by word: each text cut into words and what
 * stands between them, so that the parts joined are the text again. `share` is the share of the
 * other texts whose longest common subsequence of words and marks with this one (Myers 1986, the
 * library's choice where there are several) holds the part. White space is held where its
 * neighbours on both sides are. A text that stands alone shares everything.
 */
export function differences(texts: readonly string[]): readonly (readonly DifferencePart[])[] {
  const cut = texts.map(partsOf);
  const counts = cut.map((parts) => parts.map(() => 0));
  cut.forEach((parts, i) =>
    cut.slice(0, i).forEach((others, j) => {
      const [here, there] = commonParts(parts, others);
      for (const at of withSpaces(here, parts)) counts[i]![at]!++;
      for (const at of withSpaces(there, others)) counts[j]![at]!++;
    })
  );
  const compared = texts.length - 1;
  return cut.map((parts, i) =>
    parts.map((text, at) => ({ text, share: compared > 0 ? counts[i]![at]! / compared : 1 }))
  );
}

/** Words as Unicode sees them, in scripts without spaces too, and everything between two words. */
const WORDS = new Intl.Segmenter("und", { granularity: "word" });

function partsOf(text: string): readonly string[] {
  return Array.from(WORDS.segment(text), ({ segment }) => segment);
}

/**
 * Indices of the parts, white space apart, that a longest common subsequence of both holds. What the
 * other lacks cannot be in it and is left out beforehand: the less two texts share, the quicker.
 */
function commonParts(
  one: readonly string[],
  other: readonly string[],
): readonly [readonly number[], readonly number[]] {
  const ours = wordsIn(one, new Set(other));
  const theirs = wordsIn(other, new Set(one));
  const changes = diffArrays(ours.map((at) => one[at]), theirs.map((at) => other[at]));
  return [
    kept(ours, changes.filter(({ added }) => !added)),
    kept(theirs, changes.filter(({ removed }) => !removed)),
  ];
}

function wordsIn(parts: readonly string[], known: ReadonlySet<string>): readonly number[] {
  return [...parts.keys()].filter((at) => !isSpace(parts[at]) && known.has(parts[at]!));
}

/** Those of a side's indices that no change touched. */
function kept(
  indices: readonly number[],
  runs: readonly { readonly count: number; readonly added: boolean; readonly removed: boolean }[],
): readonly number[] {
  let from = 0;
  return runs.flatMap(({ count, added, removed }) => {
    const run = indices.slice(from, from + count);
    from += count;
    return added || removed ? [] : run;
  });
}

/** The indices of common parts and of the white space that has none but common parts beside it. */
function withSpaces(common: readonly number[], parts: readonly string[]): readonly number[] {
  const held = new Set(common);
  const spaces = [...parts.keys()].filter((at) =>
    isSpace(parts[at]) && isHeld(at, -1) && isHeld(at, 1)
  );
  return [...common, ...spaces];

  /** Whether the nearest part on one side that is no white space is common, or there is none. */
  function isHeld(at: number, step: 1 | -1): boolean {
    let beside = at + step;
    while (isSpace(parts[beside])) beside += step;
    return beside < 0 || beside >= parts.length || held.has(beside);
  }
}

function isSpace(part: string | undefined): boolean {
  return part !== undefined && part.trim() === "";
}
