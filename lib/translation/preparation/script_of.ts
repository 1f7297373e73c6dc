/** Scripts told apart, by their Unicode name; those written from right to left are marked. */
const SCRIPTS: readonly (readonly [name: string, rightToLeft: boolean])[] = [
  ...["Latin", "Cyrillic", "Greek", "Armenian", "Georgian", "Ethiopic"].map(leftToRight),
  ...["Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil"].map(leftToRight),
  ...["Telugu", "Kannada", "Malayalam", "Sinhala", "Thai", "Lao", "Khmer"].map(leftToRight),
  ...["Myanmar", "Tibetan", "Mongolian", "Han", "Hangul"].map(leftToRight),
  ...["Arabic", "Hebrew", "Syriac", "Thaana", "Nko", "Adlam"].map((name) => [name, true] as const),
];

const PATTERNS = SCRIPTS.map(([name, rightToLeft]) => ({
  name,
  rightToLeft,
  // Kana and Han are one writing system; they are counted together.
  letters: new RegExp(
    `\\p{Script=${name}}${name === "Han" ? "|\\p{sc=Hira}|\\p{sc=Kana}" : ""}`,
    "gu",
  ),
}));

/** A text's writing. */
export interface Script {
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
export interface ScriptCount extends Script {
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

function leftToRight(name: string): readonly [string, boolean] {
  return [name, false];
}
