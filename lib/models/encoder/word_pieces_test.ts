import assert from "node:assert/strict";
import fc from "fast-check";
import { bertWords, pieceIds, readVocabulary, wordPieces } from "./word_pieces.ts";

Deno.test("bertWords() takes off accents and case, and sets punctuation and Chinese characters alone", () => {
  const cases = [
    ["Café naïve", ["cafe", "naive"]],
    ["cafe\u0301 x", ["cafe", "x"]],
    ["3.4% (est.)", ["3", ".", "4", "%", "(", "est", ".", ")"]],
    ["a+b “c”", ["a", "+", "b", "“", "c", "”"]],
    ["東京タワー", ["東", "京", "タワー"]],
    ["🙂 it\u0000s", ["🙂", "its"]],
  ] as const;
  for (const [text, words] of cases) {
    assert.deepEqual(bertWords(text).map((word) => word.join("")), words);
  }
});

/** Numbers: 0 [CLS], 1 [SEP], 2 [UNK], 3 un, 4 ##aff, 5 ##able, 6 ##a, 7 !, 8 a, 9 ##𝄞. */
const PIECES = ["[CLS]", "[SEP]", "[UNK]", "un", "##aff", "##able", "##a", "!", "a", "##𝄞"];
const VOCABULARY = readVocabulary(`${PIECES.join("\n")}\n`);

Deno.test("wordPieces() takes the longest piece from the left, and one unknown for a word that cannot be spelt", () => {
  const read = (text: string) => wordPieces(text, VOCABULARY);
  // The example of Devlin et al.
  assert.deepEqual(read("Unaffable!"), [3, 4, 5, 7]);
  assert.deepEqual(read("a unaffx a"), [8, 2, 8]);
  assert.deepEqual(read("a𝄞a"), [8, 9, 6]);
  assert.equal(read("a".repeat(100)).length, 100);
  assert.deepEqual(read("a".repeat(101)), [2]);
  assert.throws(() => readVocabulary("[CLS]\n[SEP]\n"), /\[UNK\] is missing/);
});

Deno.test("pieceIds() gives the numbers of wordPieces(), whatever stands between spaces (property)", () => {
  const read = pieceIds(VOCABULARY);
  const character = fc.constantFrom(..."aunfbleA!,. \t\n\r\u00a0\u0301é東𝄞\u0000\u200b");
  fc.assert(
    fc.property(fc.string({ unit: character, maxLength: 30 }), (text) => {
      assert.deepEqual(read(text), wordPieces(text, VOCABULARY));
    }),
    { numRuns: 300 },
  );
});
