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
