import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../stats/random.ts";
import { logistic, softmax } from "../../stats/uncertainty.ts";
import { fitLine, fitLogistic, fitTemperature, logisticLoss } from "./logistic.ts";
import { standardisationOf, standardise, temperatureLoss } from "./logistic.ts";
import type { TrainingRow } from "./logistic.ts";

/** Rows of three numbers, of two or three classes. */
function someRows(count: number, classes: number, seed: string): readonly TrainingRow[] {
  const random = randomSource(seed);
  return Array.from({ length: count }, (_, i) => ({
    features: [random.next() - 0.5, random.next() - 0.5, random.next() - 0.5].map(Math.fround),
    label: i % classes,
    weight: 0.5 + random.next(),
  }));
}

Deno.test("Requirement 12.2: logisticLoss()'s gradient is the slope of its value", () => {
  fc.assert(
    fc.property(fc.constantFrom(2, 3), fc.integer({ min: 0, max: 1e6 }), (classes, seed) => {
      const rows = someRows(7, classes, `rows ${seed}`);
      const random = randomSource(`point ${seed}`);
      const point = new Float64Array(4 * classes).map(() => 2 * random.next() - 1);
      const gradient = new Float64Array(point.length);
      const options = { classes, l2: 0.1 };
      const place = seed % point.length;
      const at = (shift: number) => {
        const moved = point.with(place, point[place]! + shift);
        return logisticLoss(rows, options, moved, new Float64Array(point.length));
      };
      assert.equal(logisticLoss(rows, options, point, gradient), at(0));
      const slope = (at(1e-6) - at(-1e-6)) / 2e-6;
      assert.ok(Math.abs(gradient[place]! - slope) < 1e-5);
    }),
    { numRuns: 100 },
  );
});

Deno.test("fitLogistic() refuses rows that do not fit, naming them", () => {
  const rows = someRows(20, 2, "t");
  assert.throws(() => fitLogistic([], { classes: 2, l2: 0 }), /there are no rows/);
  for (const features of [[1], [1, NaN, 1]]) {
    const wrong = [...rows, { features, label: 0, weight: 1 }];
    assert.throws(() => fitLogistic(wrong, { classes: 2, l2: 0 }), /row 20 has not 3 finite/);
  }
});

Deno.test("standardise() brings columns to mean 0 and deviation 1; one that never varies stays", () => {
  const scaling = standardisationOf([[1, 5], [3, 5]]);
  assert.deepEqual(scaling, { means: [2, 5], scales: [1, 1] });
  assert.deepEqual(standardise([4, 7], scaling), [2, 2]);
});

function near(actual: readonly number[], expected: readonly number[], tolerance: number): void {
  assert.equal(actual.length, expected.length);
  actual.forEach((value, i) => assert.ok(Math.abs(value - expected[i]!) < tolerance, `${actual}`));
}

Deno.test("fitLogistic() agrees with scikit-learn 1.9.1 on a weighted table", () => {
  // LogisticRegression(C=1/(0.05·12), tol=1e-12).fit(X, y, sample_weight=w)
  const rows = [[0.5, 1.0, 0, 1], [1.5, -0.5, 1, 1], [-1.0, 0.3, 2, 2], [0.2, -1.2, 1, 1]]
    .concat([[-0.7, -0.4, 2, 1], [1.1, 0.9, 0, 1], [-1.4, 1.6, 2, 1], [0.3, 0.1, 0, 3]])
    .concat([[-0.2, -2.0, 1, 1]])
    .map(([a, b, label, weight]) => ({ features: [a!, b!], label: label!, weight: weight! }));
  const weights = fitLogistic(rows, { classes: 3, l2: 0.05 });
  const coefficients = [[0.71238896, 0.90603637], [0.94664065, -1.35068422]]
    .concat([[-1.65902961, 0.44464785]]);
  near(weights.coefficients.flat(), coefficients.flat(), 1e-4);
  near(weights.intercepts, [0.5841409, -0.57602208, -0.00811882], 1e-4);
  const logits = weights.coefficients.map(([a, b], k) =>
    0.1 * a! + 0.2 * b! + weights.intercepts[k]!
  );
  near(softmax(logits), [0.62415446, 0.12752545, 0.24832009], 1e-5);
});

Deno.test("fitLine() is where the slope of the binary loss with half the penalty is nothing", () => {
  const rows = [[2, 1, 1], [1, 1, 2], [0.5, 0, 1], [-1, 0, 1], [0, 1, 1], [0.2, 0, 3]]
    .map(([x, label, weight]) => ({ features: [x!], label: label!, weight: weight! }));
  const { coefficients: [slope], intercept } = fitLine(rows, 0.1);
  const steps = rows.map(({ features: [x], label, weight }) => {
    const off = weight / 9 * (logistic(slope! * x! + intercept) - label);
    return [off * x!, off];
  });
  const sum = (at: number) => steps.reduce((all, step) => all + step[at]!, 0);
  near([sum(0) + 0.05 * slope!, sum(1)], [0, 0], 1e-6);
});

Deno.test("Requirement 12.2: no temperature loses less than the fitted one", () => {
  // Two classes, logits (4, 0): right in 3 of 4, so that the best probability is ¾ = 1/(1+e^(−4/T)).
  const four = [0, 0, 0, 1].map((label) => ({ logits: [4, 0], label, weight: 1 }));
  assert.ok(Math.abs(fitTemperature(four) - 4 / Math.log(3)) < 1e-4);
  const logit = fc.double({ min: -8, max: 8, noNaN: true });
  const row = fc.record({
    logits: fc.tuple(logit, logit, logit),
    label: fc.integer({ min: 0, max: 2 }),
    weight: fc.constantFrom(1, 2),
  });
  const rows = fc.array(row, { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(rows, fc.double({ min: 0.06, max: 19, noNaN: true }), (rows, other) => {
      const best = temperatureLoss(rows, fitTemperature(rows));
      assert.ok(best <= temperatureLoss(rows, other) + 1e-6);
    }),
    { numRuns: 150 },
  );
});
