import assert from "node:assert/strict";
import fc from "fast-check";
import { normalisedEntropy, shannonEntropy } from "./entropy.ts";
import { softmax } from "./softmax.ts";

Deno.test("shannonEntropy() gives entropies worked by hand, in nats", () => {
  assert.ok(Math.abs(shannonEntropy([0.5, 0.5]) - Math.LN2) < 1e-15);
  // Two halves of a quarter each: 1.5 bits.
  assert.ok(Math.abs(shannonEntropy([0.5, 0.25, 0.25]) - 1.5 * Math.LN2) < 1e-15);
  assert.equal(shannonEntropy([1]), 0);
});

Deno.test("shannonEntropy() counts 0 · ln 0 as 0", () => {
  assert.equal(shannonEntropy([0, 1, 0]), 0);
  assert.equal(shannonEntropy([0.5, 0, 0.5]), shannonEntropy([0.5, 0.5]));
});

Deno.test("normalisedEntropy() is 1 for equal probabilities and unavailable for one option", () => {
  assert.equal(normalisedEntropy([0.25, 0.25, 0.25, 0.25]), 1);
  assert.equal(normalisedEntropy([0, 1]), 0);
  const single = normalisedEntropy([1]);
  assert.ok(typeof single !== "number" && single.kind === "unavailable");
});

Deno.test("shannonEntropy() refuses what is no distribution", () => {
  for (const wrong of [[], [0.5], [0.5, 0.6], [1.5, -0.5], [NaN, 1], [Infinity]]) {
    assert.throws(() => shannonEntropy(wrong), RangeError, `${wrong}`);
  }
  assert.ok(shannonEntropy([0.5, 0.5 + 1e-7]) > 0);
});

Deno.test("Requirement 18.1: entropy is 0 to ln K, and the order of the places does not matter", () => {
  const logits = fc.array(fc.double({ min: -30, max: 30, noNaN: true }), {
    minLength: 2,
    maxLength: 8,
  });
  fc.assert(
    fc.property(logits, (values) => {
      const p = softmax(values);
      const entropy = shannonEntropy(p);
      assert.ok(entropy >= 0 && entropy <= Math.log(p.length) + 1e-12);
      assert.ok(Math.abs(entropy - shannonEntropy(p.toReversed())) < 1e-12);
    }),
    { numRuns: 200 },
  );
});
