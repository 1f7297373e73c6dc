import assert from "node:assert/strict";
import fc from "fast-check";
import { bertWords, pieceIds, readVocabulary, wordPieces } from "./word_pieces.ts";

Deno.test("bertWords() takes off accents and case, sets punctuation and Chinese characters alone, and keeps spans", () => {
  const read = (text: string) =>
    bertWords(text).map((word) => {
      const span = text.slice(word[0]!.start, word.at(-1)!.end);
      const letters = word.map((letter) => letter.text).join("");
      return letters === span ? span : `${letters} of ${span}`;
    });
  const cases = [
    ["Café naïve", ["cafe of Café", "naive of naïve"]],
    ["cafe\u0301 x", ["cafe of cafe\u0301", "x"]],
    ["3.4% (est.)", ["3", ".", "4", "%", "(", "est", ".", ")"]],
    ["a+b “c”", ["a", "+", "b", "“", "c", "”"]],
    ["東京タワー", ["東", "京", "タワー"]],
    ["🙂 it\u0000s", ["🙂", "its of it\u0000s"]],
  ] as const;
  for (const [text, words] of cases) assert.deepEqual(read(text), words);
});

Deno.test("bertWords() keeps spans inside the text, in order and not empty, whatever the text (property)", () => {
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
const PIECES = ["[CLS]", "[SEP]", "[UNK]", "un", "##aff", "##able", "##a", "!", "a", "##𝄞"];
const VOCABULARY = readVocabulary(`${PIECES.join("\n")}\n`);

Deno.test("wordPieces() takes the longest piece from the left, and one unknown for a word that cannot be spelt", () => {
  const read = (text: string) =>
    wordPieces(text, VOCABULARY).map(({ id, start, end }) => [id, text.slice(start, end)]);
  // The example of Devlin et al.
  assert.deepEqual(read("Unaffable!"), [[3, "Un"], [4, "aff"], [5, "able"], [7, "!"]]);
  assert.deepEqual(read("a unaffx a"), [[8, "a"], [2, "unaffx"], [8, "a"]]);
  assert.deepEqual(read("a𝄞a"), [[8, "a"], [9, "𝄞"], [6, "a"]]);
  assert.equal(read("a".repeat(100)).length, 100);
  assert.deepEqual(read("a".repeat(101)), [[2, "a".repeat(101)]]);
  assert.throws(() => readVocabulary("[CLS]\n[SEP]\n"), /\[UNK\] is missing/);
});

Deno.test("pieceIds() gives the numbers of wordPieces(), whatever stands between spaces (property)", () => {
  const read = pieceIds(VOCABULARY);
  const character = fc.constantFrom(..."aunfbleA!,. \t\n\r\u00a0\u0301é東𝄞\u0000\u200b");
  fc.assert(
    fc.property(fc.string({ unit: character, maxLength: 30 }), (text) => {
      assert.deepEqual(read(text), wordPieces(text, VOCABULARY).map(({ id }) => id));
    }),
    { numRuns: 300 },
  );
});
