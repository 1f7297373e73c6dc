import assert from "node:assert/strict";
import { encodedText } from "./encoded_text.ts";

Deno.test("encodedText() takes the mean with the special tokens, at unit length", () => {
  // Rows [CLS] (1, 0), one piece (5, 8), [SEP] (0, 1): mean (2, 3), length √13.
  const rows = Float32Array.of(1, 0, 5, 8, 0, 1);
  const { sentence, tokens, readTo } = encodedText(rows, [{ id: 7, start: 2, end: 4 }], 9);
  assert.deepEqual([...sentence], [...Float32Array.of(2 / Math.sqrt(13), 3 / Math.sqrt(13))]);
  assert.deepEqual([...tokens[0]!.vector], [
    ...Float32Array.of(5 / Math.sqrt(89), 8 / Math.sqrt(89)),
  ]);
  assert.deepEqual([tokens[0]!.start, tokens[0]!.end, readTo], [2, 4, 9]);
});

Deno.test("encodedText() of a blank text is the mean of the special tokens, without tokens", () => {
  const { sentence, tokens } = encodedText(Float32Array.of(3, 0, 0, 4), [], 1);
  assert.deepEqual([...sentence], [...Float32Array.of(0.6, 0.8)]);
  assert.deepEqual(tokens, []);
});

Deno.test("encodedText() keeps nothing of the rows, which the network writes over", () => {
  const rows = Float32Array.of(3, 4, 3, 4);
  const { sentence } = encodedText(rows, [], 0);
  rows.fill(9);
  assert.deepEqual([...sentence], [...Float32Array.of(0.6, 0.8)]);
});
