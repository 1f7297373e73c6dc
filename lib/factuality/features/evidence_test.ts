import assert from "node:assert/strict";
import { assertedWords } from "./features.ts";

/** What is asserted, word by word. */
function asserted(claim: string): string {
  const words = [...claim.matchAll(/[\p{L}\d]+/gu)].map(({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }));
  const flags = assertedWords(claim, words);
  return words.filter((_, index) => flags[index]).map(({ text }) => text).join(" ");
}

const CASES: readonly (readonly [string, string])[] = [
  ["Blake wrote it.", "Blake wrote it"],
  ["Who wrote it? Blake.", "Blake"],
  ["Who wrote it? blake", "blake"],
  ["Q: Who wrote it? A: Blake wrote it.", "Blake wrote it"],
  ["Who wrote it: Blake.", "Blake"],
  ["Was it written by Blake: no, by Yeats.", "no by Yeats"],
  ["It was written in what year: 1794.", "1794"],
  ["It is old. Who wrote it? Blake did.", "It is old Blake did"],
  ["Who wrote it?", "Who wrote it"],
  ["It has three parts: a head, a tail and a song.", "It has three parts a head a tail and a song"],
  ["It begins at 10:30, when it is dark.", "It begins at 10 30 when it is dark"],
];

for (const [claim, expected] of CASES) {
  Deno.test(`assertedWords(): of "${claim}" it is "${expected}"`, () => {
    assert.equal(asserted(claim), expected);
  });
}
