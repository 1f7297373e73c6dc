import assert from "node:assert/strict";
import { continuesWord, tokenAtEnd, wordEndLogProbability } from "./word_ends.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("continuesWord() holds for what has a letter before its first white space", () => {
  for (const piece of ["ly", "S", "ॐ", "ं", "7", "'s", ".com", "—and", "\u200d", "ly now"]) {
    assert.ok(continuesWord(bytes(piece)), piece);
  }
  for (const piece of ["", " ly", "\nly", ".", ",\n", "“ ", " ", "'", "😀", "\u00a0a"]) {
    assert.ok(!continuesWord(bytes(piece)), JSON.stringify(piece));
  }
  // A part of a character: ð, अ; of “ and of an emoji.
  for (const part of [[0xc3], [0xe0, 0xa4], [0x2e, 0xc3]]) {
    assert.ok(continuesWord(Uint8Array.from(part)), String(part));
  }
  for (const part of [[0xe2, 0x80], [0xf0, 0x9f], [0x20, 0xc3]]) {
    assert.ok(!continuesWord(Uint8Array.from(part)), String(part));
  }
});

Deno.test("wordEndLogProbability() is the share of what continues no word", () => {
  const logits = Float32Array.from([1, 2, 4, 1].map(Math.log));
  const close = (value: number, wanted: number) => assert.ok(Math.abs(value - wanted) < 1e-6);
  close(wordEndLogProbability(logits, (token) => token === 2), Math.log(4 / 8));
  close(wordEndLogProbability(logits, () => false), 0);
  assert.equal(wordEndLogProbability(logits, () => true), -Infinity);
});

Deno.test("tokenAtEnd() finds the last token of a word, and whether it holds more than the word", () => {
  const at = (text: string, beginning: string, ...pieces: readonly string[]) =>
    Object.values(tokenAtEnd(text, beginning, pieces.map(bytes)));
  assert.deepEqual(at("a grovel b", "a grovel", "a", " gro", "vel", " b"), [2, true]);
  // Spaces that a vocabulary adds, joins or takes for a token of their own.
  assert.deepEqual(at("a  b c", "a  b", " a", " b", " c"), [1, true]);
  assert.deepEqual(at("a b c", "a b", "a", " ", "b", " ", "c"), [2, true]);
  // A token that goes on holds the end of the word.
  assert.deepEqual(at("ab, c", "ab", "a", "b,", " c"), [1, false]);
  assert.deepEqual(at("ab c", "ab", "ab ", "c"), [0, false]);
  // Letters composed, and parts of letters.
  assert.deepEqual(at("a\u0301b c", "a\u0301b", "áb", " c"), [0, true]);
  const [first, second] = [...bytes("é")].map((byte) => Uint8Array.of(byte));
  const { token, isExact } = tokenAtEnd("é x", "é", [first!, second!, bytes(" x")]);
  assert.deepEqual([token, isExact], [1, true]);
  assert.throws(() => at("ab c", "ab", "a", " c"), /tokens do not spell it/);
});
