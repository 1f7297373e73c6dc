import assert from "node:assert/strict";
import fc from "fast-check";
import { bertTokeniser, readVocabulary } from "./word_pieces.ts";

Deno.test("readVocabulary() cuts words without accents and case, punctuation and Chinese characters alone", () => {
  const cases = [
    ["Café naïve", ["cafe", "naive"]],
    ["cafe\u0301 x", ["cafe", "x"]],
    ["3.4% (est.)", ["3", ".", "4", "%", "(", "est", ".", ")"]],
    ["a+b “c”", ["a", "+", "b", "“", "c", "”"]],
    ["東京タワー", ["東", "京", "タワー"]],
    ["🙂 it\u0000s", ["🙂", "its"]],
  ] as const;
  const all = new Set(["[CLS]", "[SEP]", "[UNK]", ...cases.flatMap(([, words]) => words)]);
  const { pieces, tokenise } = readVocabulary([...all].join("\n"));
  for (const [text, words] of cases) {
    assert.deepEqual(tokenise(text).map((id) => pieces[id]), words);
  }
});

/** Numbers: 0 [CLS], 1 [SEP], 2 [UNK], 3 un, 4 ##aff, 5 ##able, 6 ##a, 7 !, 8 a, 9 ##𝄞. */
const PIECES = ["[CLS]", "[SEP]", "[UNK]", "un", "##aff", "##able", "##a", "!", "a", "##𝄞"];
const { tokenise } = readVocabulary(`${PIECES.join("\n")}\n`);

Deno.test("tokenise() takes the longest piece from the left, and one unknown for a word that cannot be spelt", () => {
  // The example of Devlin et al.
  assert.deepEqual(tokenise("Unaffable!"), [3, 4, 5, 7]);
  assert.deepEqual(tokenise("a unaffx a"), [8, 2, 8]);
  assert.deepEqual(tokenise("a𝄞a"), [8, 9, 6]);
  assert.equal(tokenise("a".repeat(100)).length, 100);
  assert.deepEqual(tokenise("a".repeat(101)), [2]);
  assert.throws(() => readVocabulary("[CLS]\n[SEP]\n"), /\[UNK\] is missing/);
});

Deno.test("tokenise() gives the numbers of the uncut text, whatever stands between spaces (property)", () => {
  const whole = bertTokeniser(PIECES);
  const character = fc.constantFrom(..."aunfbleA!,. \t\n\r\u00a0\u0301é東𝄞\u0000\u200b");
  fc.assert(
    fc.property(fc.string({ unit: character, maxLength: 30 }), (text) => {
      assert.deepEqual(tokenise(text), whole.encode(text, { add_special_tokens: false }).ids);
    }),
    { numRuns: 300 },
  );
});
