import assert from "node:assert/strict";
import { batches, framedTokens, maskedRows, rowsInBatch } from "./masked_rows.ts";

Deno.test("framedTokens() finds the text among special tokens on either side, or none", () => {
  assert.equal(framedTokens([5, 8, 6], [2, 5, 8, 6, 3]).offset, 1);
  assert.equal(framedTokens([5, 6], [5, 6, 3]).offset, 0);
  assert.equal(framedTokens([5, 6], [5, 6]).offset, 0);
  assert.equal(framedTokens([5, 5, 6], [5, 5, 5, 6]).offset, 1);
  assert.throws(() => framedTokens([5, 6], [5, 3, 6]), RangeError);
});

Deno.test("maskedRows() replaces what is masked and nothing else", () => {
  const queries = [{ position: 0, masked: [0, 1] }, { position: 2, masked: [2] }];
  assert.deepEqual(maskedRows({ ids: [2, 5, 8, 6, 3], offset: 1 }, queries, 4), [
    [2, 4, 4, 6, 3],
    [2, 5, 8, 4, 3],
  ]);
});

Deno.test("rowsInBatch() is bounded by the logits, and never none", () => {
  assert.equal(rowsInBatch(16, 1 << 14), 64);
  assert.equal(rowsInBatch(512, 250_002), 1);
});

Deno.test("batches() are full but the last, and hold everything once", () => {
  assert.deepEqual(batches([1, 2, 3, 4, 5], 2), [[1, 2], [3, 4], [5]]);
  assert.deepEqual(batches([], 2), []);
});
