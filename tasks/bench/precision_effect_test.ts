import assert from "node:assert/strict";
import { differenceOfScores, formatPrecisionEffect } from "./precision_effect.ts";

const scored = (...values: number[]) =>
  values.map((logProbability) => ({ logProbability, tokens: 1, bytes: 1 }));

Deno.test("differenceOfScores() tells mean and largest size of the differences, and their shift", () => {
  const effect = differenceOfScores(scored(-10, -20, -30), scored(-11, -18, -30));
  assert.deepEqual(effect, {
    texts: 3,
    meanDifference: 1,
    largestDifference: 2,
    shift: 1 / 3,
    meanLogProbability: -20,
  });
  assert.equal(
    formatPrecisionEffect(effect),
    "mean 1.00, largest 2.00 nats in 3 texts of -20.0 nats on average (shift 0.33)",
  );
});

Deno.test("differenceOfScores() refuses scores that do not belong together", () => {
  assert.throws(() => differenceOfScores(scored(-1), scored()), RangeError);
  assert.throws(() => differenceOfScores([], []), RangeError);
});
