import assert from "node:assert/strict";
import fc from "fast-check";
import { bertWords, readVocabulary, wordPieces } from "./word_pieces.ts";

/** What the words read, and what stands in the text where they say they stand. */
function read(text: string): readonly (readonly [string, string])[] {
  return bertWords(text).map((word) => [
    word.map((letter) => letter.text).join(""),
    text.slice(word[0]!.start, word.at(-1)!.end),
  ]);
}

Deno.test("bertWords() takes off accents and case, and keeps them in the span", () => {
  assert.deepEqual(read("Café naïve"), [["cafe", "Café"], ["naive", "naïve"]]);
  assert.deepEqual(read("cafe\u0301 x"), [["cafe", "cafe\u0301"], ["x", "x"]]);
});

Deno.test("bertWords() sets punctuation and ASCII symbols alone", () => {
  assert.deepEqual(read("3.4% (est.)").map(([word]) => word), [
    ...["3", ".", "4", "%", "(", "est", ".", ")"],
  ]);
  assert.deepEqual(read("a+b “c”").map(([word]) => word), ["a", "+", "b", "“", "c", "”"]);
});

Deno.test("bertWords() sets Chinese characters alone, but not kana", () => {
  assert.deepEqual(read("東京タワー").map(([word]) => word), ["東", "京", "タワー"]);
});

Deno.test("bertWords() counts in UTF-16 units after a character of two", () => {
  assert.deepEqual(read("🙂 it"), [["🙂", "🙂"], ["it", "it"]]);
});

Deno.test("bertWords() keeps spans inside the text, in order and not empty, whatever the text", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0xffff)), (units) => {
      const text = String.fromCharCode(...units);
      let last = 0;
      for (const { start, end } of bertWords(text).flat()) {
        assert.ok(start >= last && end > start && end <= text.length);
        last = start;
      }
    }),
    { numRuns: 300 },
  );
});

/** Numbers: 0 [CLS], 1 [SEP], 2 [UNK], 3 un, 4 ##aff, 5 ##able, 6 ##a, 7 !, 8 a, 9 ##𝄞. */
const VOCABULARY = readVocabulary(
  ["[CLS]", "[SEP]", "[UNK]", "un", "##aff", "##able", "##a", "!", "a", "##𝄞"].join("\n") + "\n",
);

function readInWordPieces(text: string): readonly (readonly [number, string])[] {
  return wordPieces(text, VOCABULARY).map(({ id, start, end }) => [id, text.slice(start, end)]);
}

Deno.test("wordPieces() takes the longest piece from the left (the example of Devlin et al.)", () => {
  assert.deepEqual(readInWordPieces("Unaffable!"), [[3, "Un"], [4, "aff"], [5, "able"], [7, "!"]]);
});

Deno.test("wordPieces() gives one unknown for a word that cannot be spelt to its end", () => {
  assert.deepEqual(readInWordPieces("a unaffx a"), [[8, "a"], [2, "unaffx"], [8, "a"]]);
});

Deno.test("wordPieces() gives one unknown for a word of more than a hundred characters", () => {
  assert.equal(wordPieces("a".repeat(100), VOCABULARY).length, 100);
  assert.deepEqual(readInWordPieces("a".repeat(101)), [[2, "a".repeat(101)]]);
});

Deno.test("wordPieces() does not cut a character of two UTF-16 units", () => {
  assert.deepEqual(readInWordPieces("a𝄞a"), [[8, "a"], [9, "𝄞"], [6, "a"]]);
});

Deno.test("readVocabulary() names a special token that is missing", () => {
  assert.throws(() => readVocabulary("[CLS]\n[SEP]\n"), /\[UNK\] is missing/);
});

Deno.test("wordPieces() lose no letter of a word that can be spelt", () => {
  const word = fc.array(fc.constantFrom("a", "aff", "able"), { minLength: 1, maxLength: 10 })
    .map((parts) => `un${parts.join("")}`);
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const text = words.join(" ");
      const pieces = wordPieces(text, VOCABULARY);
      assert.equal(pieces.map(({ start, end }) => text.slice(start, end)).join(""), words.join(""));
    }),
    { numRuns: 200 },
  );
});
