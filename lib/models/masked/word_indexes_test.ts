import assert from "node:assert/strict";
import { wordIndexes } from "./word_indexes.ts";

/** Numbers of pieces, so that equal pieces are equal tokens. */
function encoding(split: (text: string) => readonly string[]) {
  const numbers = new Map<string, number>();
  return (text: string) =>
    split(text).map((piece) => {
      numbers.set(piece, numbers.get(piece) ?? numbers.size);
      return numbers.get(piece)!;
    });
}

const words = (text: string) => text.trim().split(/\s+/).filter((word) => word !== "");

Deno.test("wordIndexes() of WordPiece: pieces after the first are marked with ##", () => {
  const encode = encoding((text) =>
    words(text).flatMap((word) => [...word].map((letter, at) => at === 0 ? letter : `##${letter}`))
  );
  assert.deepEqual(wordIndexes("ab b  abc", encode), [0, 0, 1, 2, 2, 2]);
});

Deno.test("wordIndexes() of SentencePiece: a space begins the piece that follows", () => {
  const encode = encoding((text) => words(text).flatMap((word) => ["▁", ...word]));
  assert.deepEqual(wordIndexes("ab b", encode), [0, 0, 0, 1, 1]);
});

Deno.test("wordIndexes() of tokens for spaces: white space at the end is a word of its own", () => {
  const encode = encoding((text) => text.match(/\s*\S|\s+/g) ?? []);
  assert.deepEqual(wordIndexes("ab b ", encode), [0, 0, 1, 2]);
  assert.deepEqual(wordIndexes(" ", encode), [0]);
  assert.deepEqual(wordIndexes("", encode), []);
});

Deno.test("wordIndexes() refuses a tokeniser whose tokens reach over words", () => {
  const encode = encoding((text) => text.match(/b c|./g) ?? []);
  assert.throws(
    () => wordIndexes("ab cd", encode),
    /^RangeError: Cannot tell the words of "ab cd": a token reaches over the end of ab$/,
  );
});
