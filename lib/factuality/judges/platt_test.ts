import assert from "node:assert/strict";
import fc from "fast-check";
import { calibrated, fitPlatt, logOdds } from "./platt.ts";

function assertClose(found: number, expected: number): void {
  assert.ok(Math.abs(found - expected) < 1e-6, `${found} is not ${expected}`);
}

Deno.test("fitPlatt() by hand: two scores, two labels", () => {
  // Targets are 2/3 and 1/3, which logistic(slope × ±1) meets exactly at slope = ln 2.
  const { slope, intercept } = fitPlatt([1, -1], [true, false]);
  assertClose(slope, Math.log(2));
  assertClose(intercept, 0);
});

Deno.test("fitPlatt() by hand: a score that tells nothing gives the base rate", () => {
  // Three of four true: targets 4/5 (three times) and 1/3, their mean 41/60.
  const { slope, intercept } = fitPlatt([1, -1, 1, 1].map(() => 0), [true, true, true, false]);
  assertClose(slope, 0);
  assertClose(1 / (1 + Math.exp(-intercept)), 41 / 60);
});

Deno.test("fitPlatt() refuses what cannot be fitted", () => {
  assert.throws(() => fitPlatt([1, 2], [true, true]), RangeError);
  assert.throws(() => fitPlatt([1], [true, false]), RangeError);
  assert.throws(() => fitPlatt([NaN, 1], [true, false]), /a score is NaN/);
});

Deno.test("calibrated() is the model's own probability without scaling", () => {
  assert.equal(calibrated(0.3, undefined), 0.3);
  assertClose(calibrated(0.3, { slope: 1, intercept: 0 }), 0.3);
  assertClose(logOdds(0), Math.log(0.001 / 0.999));
});

Deno.test("fitPlatt() is where the loss is flat: calibrated probabilities average to the targets", () => {
  const item = fc.tuple(fc.integer({ min: -60, max: 60 }), fc.boolean());
  const both = fc.array(item, { minLength: 4, maxLength: 30 })
    .filter((list) => list.some(([, label]) => label) && list.some(([, label]) => !label));
  fc.assert(
    fc.property(both, (list) => {
      const labels = list.map(([, label]) => label);
      const xs = list.map(([x]) => x / 10);
      const { slope, intercept } = fitPlatt(xs, labels);
      const positive = labels.filter(Boolean).length;
      const negative = labels.length - positive;
      const wanted = positive * (positive + 1) / (positive + 2) + negative / (negative + 2);
      const sum = xs.reduce((all, x) => all + 1 / (1 + Math.exp(-slope * x - intercept)), 0);
      assert.ok(Math.abs(sum - wanted) < 1e-4 * list.length, `${sum} ${wanted}`);
    }),
    { numRuns: 200 },
  );
});
