import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../../stats/random.ts";
import { fitLogisticRegression, fitTemperature, logisticLoss } from "./logistic.ts";
import { standardisationOf, standardise, temperatureLoss } from "./logistic.ts";
import type { TrainingRow } from "./logistic.ts";

/** Rows of three features and two classes. */
function someRows(count: number, seed: string): readonly TrainingRow[] {
  const random = randomSource(seed);
  return Array.from({ length: count }, (_, i) => ({
    features: [random.next() - 0.5, random.next() - 0.5, random.next() - 0.5].map(Math.fround),
    label: i % 2,
    weight: 0.5 + random.next(),
  }));
}

Deno.test("Requirement 12.2: logisticLoss()'s gradient is the slope of its value", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
      const rows = someRows(7, `rows ${seed}`);
      const random = randomSource(`point ${seed}`);
      const point = new Float64Array(4).map(() => 2 * random.next() - 1);
      const gradient = new Float64Array(point.length);
      const place = seed % point.length;
      const at = (shift: number) => {
        const moved = point.with(place, point[place]! + shift);
        return logisticLoss(rows, 0.1, moved, new Float64Array(point.length));
      };
      assert.equal(logisticLoss(rows, 0.1, point, gradient), at(0));
      const slope = (at(1e-6) - at(-1e-6)) / 2e-6;
      assert.ok(Math.abs(gradient[place]! - slope) < 1e-5);
    }),
    { numRuns: 100 },
  );
});

Deno.test("fitLogisticRegression() refuses rows that do not fit, naming them", () => {
  const rows = someRows(20, "t");
  assert.throws(() => fitLogisticRegression([], 0), /there are no rows/);
  for (const features of [[1], [1, NaN, 1]]) {
    const wrong = [...rows, { features, label: 0, weight: 1 }];
    assert.throws(() => fitLogisticRegression(wrong, 0), /row 20 has not 3 finite/);
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

Deno.test("fitLogisticRegression() agrees with scikit-learn 1.9.1 on a weighted table", () => {
  // LogisticRegression(C=1/(0.05·12), tol=1e-12).fit(X, y, sample_weight=w)
  const rows = [[0.5, 1.0, 0, 1], [1.5, -0.5, 1, 1], [-1.0, 0.3, 0, 2], [0.2, -1.2, 1, 1]]
    .concat([[-0.7, -0.4, 0, 1], [1.1, 0.9, 0, 1], [-1.4, 1.6, 0, 1], [0.3, 0.1, 0, 3]])
    .concat([[-0.2, -2.0, 1, 1]])
    .map(([a, b, label, weight]) => ({ features: [a!, b!], label: label!, weight: weight! }));
  const { coefficients, intercept } = fitLogisticRegression(rows, 0.05);
  near([...coefficients, intercept], [0.88912989, -1.77710386, -1.70489909], 1e-4);
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
