import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../stats/random.ts";
import { headProbabilities } from "../verifiers/head.ts";
import { fitLogistic, fitNetwork, headLoss, parameterCount } from "./fit_head.ts";
import type { FitOptions, FitProgress, TrainingRow } from "./fit_head.ts";
import { fitTemperature, temperatureLoss } from "./optimise.ts";

/** Rows of three numbers, of two or three classes. */
function someRows(count: number, classes: number, seed: string): readonly TrainingRow[] {
  const random = randomSource(seed);
  return Array.from({ length: count }, (_, i) => ({
    features: [random.next() - 0.5, random.next() - 0.5, random.next() - 0.5].map(Math.fround),
    label: i % classes,
    weight: 0.5 + random.next(),
  }));
}

Deno.test("Requirement 12.2: headLoss()'s gradient is the slope of its value, with units and without", () => {
  const [hidden, seed] = [fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 1e6 })];
  fc.assert(
    fc.property(hidden, fc.constantFrom(2, 3), seed, (hidden, classes, seed) => {
      const shape = { inputs: 3, hidden, classes };
      const rows = someRows(7, classes, `rows ${seed}`);
      const random = randomSource(`point ${seed}`);
      const point = new Float64Array(parameterCount(shape)).map(() => 2 * random.next() - 1);
      const gradient = new Float64Array(point.length);
      const place = seed % point.length;
      const at = (shift: number) =>
        headLoss(rows, shape, point.with(place, point[place]! + shift), 0.1);
      assert.equal(headLoss(rows, shape, point, 0.1, gradient), at(0));
      const slopes = [at(1e-6) - at(0), at(0) - at(-1e-6)].map((rise) => rise / 1e-6);
      // Where a unit is switched on or off between the two, there is no one slope.
      fc.pre(Math.abs(slopes[0]! - slopes[1]!) < 1e-4);
      assert.ok(Math.abs(gradient[place]! - (slopes[0]! + slopes[1]!) / 2) < 1e-5);
    }),
    { numRuns: 200 },
  );
});

const fit = (
  train: readonly TrainingRow[],
  development: readonly TrainingRow[],
  options: Partial<FitOptions> = {},
) => {
  const usual = { classes: 2, hidden: 8, l2: 0, patience: 50, maxIterations: 300 };
  return fitNetwork(train, development, { ...usual, random: randomSource("xor"), ...options });
};

Deno.test("fitNetwork() learns exclusive or, which no logistic head can", () => {
  const corners = [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]].flatMap(([a, b, label]) =>
    Array.from({ length: 8 }, () => ({ features: [a!, b!], label: label!, weight: 1 }))
  );
  for (const [hidden, right] of [[8, corners.length], [0, 0]] as const) {
    const { head } = fit(corners, corners, { hidden });
    const sure = corners.filter(({ features, label }) =>
      headProbabilities(features, head)[label]! > 0.9
    );
    assert.equal(sure.length, right);
  }
});

Deno.test("fitNetwork() keeps the point with the least loss on the development part, and ends", () => {
  for (const hidden of [0, 8]) {
    const seen: FitProgress[] = [];
    const { bestIteration, iterations } = fit(
      someRows(40, 2, "train"),
      someRows(20, 2, "other chance"),
      { hidden, patience: 5, onIteration: (progress) => seen.push(progress) },
    );
    const least = Math.min(...seen.map(({ developmentLoss }) => developmentLoss));
    const best = seen.find(({ iteration }) => iteration === bestIteration);
    assert.equal(best?.developmentLoss, least);
    assert.equal(iterations, bestIteration + 5);
  }
});

Deno.test("fitNetwork() gives the same head for the same seed, and refuses rows that do not fit", () => {
  const [rows, development] = [someRows(20, 2, "t"), someRows(9, 2, "d")];
  const head = () => fit(rows, development, { maxIterations: 3, random: randomSource(7) });
  assert.deepEqual(head(), head());
  assert.throws(() => fit([], development), /Cannot train a head: the training part has no claim/);
  const refused = [
    { features: [1], label: 0, weight: 1 },
    { features: [1, NaN, 1], label: 0, weight: 1 },
    { features: [1, 1, 1], label: 0, weight: 0 },
    { features: [1, 1, 1], label: 2, weight: 1 },
  ];
  for (const row of refused) {
    assert.throws(() => fitLogistic([...rows, row], { classes: 2, l2: 0 }), /row 20 (has|is) not/);
  }
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
  const plain = { means: [0, 0], scales: [1, 1], hidden: undefined, temperature: 1 };
  const shares = headProbabilities([0.1, 0.2], { ...plain, output: weights });
  near(shares, [0.62415446, 0.12752545, 0.24832009], 1e-5);
});

Deno.test("Requirement 12.2: no temperature loses less than the fitted one", () => {
  // Two classes, logits (4, 0): right in 3 of 4, so that the best probability is ¾ = 1/(1+e^(−4/T)).
  const four = [0, 0, 0, 1].map((label) => ({ logits: [4, 0], label, weight: 1 }));
  assert.ok(Math.abs(fitTemperature(four) - 4 / Math.log(3)) < 1e-4);
  assert.throws(() => fitTemperature([]), RangeError);
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
