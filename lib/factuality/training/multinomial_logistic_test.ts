import assert from "node:assert/strict";
import fc from "fast-check";
import { minimise } from "./lbfgs.ts";
import {
  classProbabilities,
  fitLogistic,
  logisticLoss,
  type TrainingRow,
} from "./multinomial_logistic.ts";
import { standardisationOf, standardise } from "./standardisation.ts";
import { fitTemperature, temperatureLoss } from "./temperature.ts";

const ROWS: readonly TrainingRow[] = [
  { features: [0.5, 1.0], label: 0, weight: 1 },
  { features: [1.5, -0.5], label: 1, weight: 1 },
  { features: [-1.0, 0.3], label: 2, weight: 2 },
  { features: [0.2, -1.2], label: 1, weight: 1 },
  { features: [-0.7, -0.4], label: 2, weight: 1 },
  { features: [1.1, 0.9], label: 0, weight: 1 },
  { features: [-1.4, 1.6], label: 2, weight: 1 },
  { features: [0.3, 0.1], label: 0, weight: 3 },
  { features: [-0.2, -2.0], label: 1, weight: 1 },
];

function near(actual: readonly number[], expected: readonly number[], tolerance: number): void {
  actual.forEach((value, i) => assert.ok(Math.abs(value - expected[i]!) < tolerance, `${actual}`));
}

Deno.test("minimise() finds the bottom of a narrow valley", () => {
  const found = minimise(
    (p, g) => {
      g[0] = 200 * (p[0]! - 3);
      g[1] = 2 * (p[1]! + 1);
      return 100 * (p[0]! - 3) ** 2 + (p[1]! + 1) ** 2 + 7;
    },
    Float64Array.of(0, 0),
    { tolerance: 1e-9, maxIterations: 100 },
  );
  near([...found.point, found.value], [3, -1, 7], 1e-9);
  assert.ok(found.converged);
});

Deno.test("fitLogistic() agrees with scikit-learn 1.9.1 on a weighted table", () => {
  // LogisticRegression(C=1/(0.05·12), tol=1e-12).fit(X, y, sample_weight=w)
  const weights = fitLogistic(ROWS, { classes: 3, l2: 0.05 });
  near(weights.coefficients.flat(), [
    0.71238896,
    0.90603637,
    0.94664065,
    -1.35068422,
    -1.65902961,
    0.44464785,
  ], 1e-4);
  near(weights.intercepts, [0.5841409, -0.57602208, -0.00811882], 1e-4);
  near(classProbabilities([0.1, 0.2], weights), [0.62415446, 0.12752545, 0.24832009], 1e-5);
});

Deno.test("fitLogistic() names the row that it cannot use", () => {
  const fit = (features: number[], label: number) =>
    fitLogistic([{ features, label, weight: 1 }], { classes: 2, l2: 1 });
  assert.throws(() => fitLogistic([], { classes: 2, l2: 1 }), RangeError);
  assert.throws(() => fit([NaN], 0), /row 0 has not 1 finite/);
  assert.throws(() => fit([1], 2), /label 2 of row 0 is not in 0 … 1/);
});

Deno.test("Requirement 12.2: the loss's gradient is its slope, by finite differences", () => {
  const options = { classes: 3, l2: 0.3 };
  const loss = logisticLoss(ROWS, options);
  const weight = fc.double({ min: -3, max: 3, noNaN: true });
  fc.assert(
    fc.property(fc.array(weight, { minLength: 9, maxLength: 9 }), (point) => {
      const gradient = new Float64Array(9);
      loss(Float64Array.from(point), gradient);
      const step = 1e-5;
      gradient.forEach((slope, i) => {
        const at = (sign: number) =>
          loss(
            Float64Array.from(point, (x, j) => (j === i ? x + sign * step : x)),
            new Float64Array(9),
          );
        assert.ok(Math.abs((at(1) - at(-1)) / (2 * step) - slope) < 1e-6);
      });
    }),
    { numRuns: 100 },
  );
});

Deno.test("standardise() gives mean 0 and deviation 1, and leaves a constant column at 0", () => {
  const rows = [[1, 5], [3, 5]];
  const standardisation = standardisationOf(rows);
  assert.deepEqual(standardisation, { means: [2, 5], scales: [1, 1] });
  assert.deepEqual(rows.map((row) => standardise(row, standardisation)), [[-1, 0], [1, 0]]);
  assert.throws(() => standardisationOf([[1], [1, 2]]), /row 1 has 2 values, row 0 has 1/);
  assert.throws(() => standardisationOf([]), RangeError);
});

Deno.test("fitTemperature() cools to the true odds: 3 of 4 right at logit 4", () => {
  // Two classes, logits (4, 0): right in 3 of 4, so that the best probability is ¾ = 1/(1+e^(−4/T)).
  const rows = [0, 0, 0, 1].map((label) => ({ logits: [4, 0], label, weight: 1 }));
  assert.ok(Math.abs(fitTemperature(rows) - 4 / Math.log(3)) < 1e-4);
  assert.throws(() => fitTemperature([]), RangeError);
});

Deno.test("Requirement 12.2: no temperature loses less than the fitted one", () => {
  const row = fc.record({
    logits: fc.array(fc.double({ min: -8, max: 8, noNaN: true }), { minLength: 3, maxLength: 3 }),
    label: fc.integer({ min: 0, max: 2 }),
    weight: fc.constantFrom(1, 2),
  });
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 10 }),
      fc.double({ min: 0.06, max: 19, noNaN: true }),
      (rows, other) => {
        const best = temperatureLoss(rows, fitTemperature(rows));
        assert.ok(best <= temperatureLoss(rows, other) + 1e-6);
      },
    ),
    { numRuns: 150 },
  );
});
