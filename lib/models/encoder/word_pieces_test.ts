import assert from "node:assert/strict";
import fc from "fast-check";
import { readVocabulary, wordPieces } from "./word_pieces.ts";

/** Numbers: 0 [CLS], 1 [SEP], 2 [UNK], 3 un, 4 ##aff, 5 ##able, 6 ##a, 7 !, 8 a, 9 ##𝄞. */
const VOCABULARY = readVocabulary(
  ["[CLS]", "[SEP]", "[UNK]", "un", "##aff", "##able", "##a", "!", "a", "##𝄞"].join("\n") + "\n",
);

function read(text: string): readonly (readonly [number, string])[] {
  return wordPieces(text, VOCABULARY).map(({ id, start, end }) => [id, text.slice(start, end)]);
}

Deno.test("wordPieces() takes the longest piece from the left (the example of Devlin et al.)", () => {
  assert.deepEqual(read("Unaffable!"), [[3, "Un"], [4, "aff"], [5, "able"], [7, "!"]]);
});

Deno.test("wordPieces() gives one unknown for a word that cannot be spelt to its end", () => {
  assert.deepEqual(read("a unaffx a"), [[8, "a"], [2, "unaffx"], [8, "a"]]);
});

Deno.test("wordPieces() gives one unknown for a word of more than a hundred characters", () => {
  assert.equal(wordPieces("a".repeat(100), VOCABULARY).length, 100);
  assert.deepEqual(read("a".repeat(101)), [[2, "a".repeat(101)]]);
});

Deno.test("wordPieces() does not cut a character of two UTF-16 units", () => {
  assert.deepEqual(read("a𝄞a"), [[8, "a"], [9, "𝄞"], [6, "a"]]);
});

Deno.test("wordPieces() reads a special token in the text as plain text", () => {
  assert.deepEqual(read("[SEP]").map(([id]) => id), [2, 2, 2]);
});

Deno.test("readVocabulary() counts lines from 0, whichever way they end", () => {
  const { ids, first, last, unknown } = readVocabulary("[UNK]\r\n[CLS]\r\n[SEP]\r\n");
  assert.deepEqual([first, last, unknown, ids.size], [1, 2, 0, 3]);
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
