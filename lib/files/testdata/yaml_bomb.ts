/** Aliases of aliases: 9⁵ elements in five lines. */
export const YAML_BOMB = ["", ..."abcd"].map((before, i) =>
  `${"abcde"[i]}: &${"abcde"[i]} [${
    Array(9).fill(before === "" ? "x" : `*${before}`).join(", ")
  }]\n`
).join("");
