import assert from "node:assert/strict";
import fc from "fast-check";
import { logProbabilities, logSumExp } from "./log_softmax.ts";

function reference(logits: Float32Array): number {
  const top = logits.reduce((a, b) => Math.max(a, b));
  return top + Math.log(logits.reduce((sum, x) => sum + Math.exp(x - top), 0));
}

Deno.test("logSumExp() agrees with Math.exp within 1e-6 for any finite logits, whatever came before (property)", () => {
  const bounds = { minLength: 1, maxLength: 300, min: -120, max: 120, noNaN: true };
  fc.assert(
    fc.property(
      fc.float32Array(bounds),
      (values) => Math.abs(logSumExp(values) - reference(values)) < 1e-6,
    ),
    { numRuns: 500 },
  );
  const large = Float32Array.from({ length: 262144 }, (_, i) => 25 * Math.sin(i * 0.37) - 3);
  assert.ok(Math.abs(logSumExp(large) - reference(large)) < 1e-6);
  assert.ok(Math.abs(logSumExp(Float32Array.of(1, 2, 3)) - 3.4076059644443806) < 1e-6);
  for (const none of [[], [1, Infinity], [-Infinity]]) {
    assert.throws(() => logSumExp(Float32Array.from(none)), RangeError);
  }
});

Deno.test("logProbabilities() of a whole row sum to one", () => {
  const logits = Float32Array.of(9, 9, 9, 9, 1, 2, 3, 4);
  const row = logProbabilities(logits, 4, 1, [0, 1, 2, 3]);
  assert.ok(Math.abs(row.reduce((sum, x) => sum + Math.exp(x), 0) - 1) < 1e-6);
  assert.throws(() => logProbabilities(logits, 4, 1, [4]), RangeError);
});
