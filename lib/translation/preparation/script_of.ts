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

function leftToRight(name: string): readonly [string, boolean] {
  return [name, false];
}
