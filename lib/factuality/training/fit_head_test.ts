import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../stats/random.ts";
import { headProbabilities } from "../verifiers/head.ts";
import {
  allRows,
  fitLogistic,
  fitNetwork,
  type FitOptions,
  type FitProgress,
  headLoss,
  headOf,
  type HeadShape,
  initialParameters,
  parameterCount,
  type TrainingRow,
  trainingTable,
} from "./fit_head.ts";
import { earlyStopping, fitTemperature, minimise, temperatureLoss } from "./optimise.ts";

/** Rows of three numbers, of two or three classes. */
function someRows(count: number, classes: number, seed: string): readonly TrainingRow[] {
  const random = randomSource(seed);
  return Array.from({ length: count }, (_, i) => ({
    features: [random.next() - 0.5, random.next() - 0.5, random.next() - 0.5].map(Math.fround),
    label: i % classes,
    weight: 0.5 + random.next(),
  }));
}

function lossAt(rows: readonly TrainingRow[], shape: HeadShape, point: Float64Array, l2: number) {
  const table = trainingTable(rows, shape.classes);
  const gradient = new Float64Array(point.length);
  const value = headLoss(table, allRows(table), { shape, point, gradient, l2 });
  return { value, gradient };
}

Deno.test("Requirement 12.2: headLoss()'s gradient is the slope of its value, with units and without", () => {
  const shapes = fc.record({
    hidden: fc.integer({ min: 0, max: 4 }),
    classes: fc.constantFrom(2, 3),
    seed: fc.integer({ min: 0, max: 1e6 }),
  });
  fc.assert(
    fc.property(shapes, ({ hidden, classes, seed }) => {
      const shape = { inputs: 3, hidden, classes };
      const rows = someRows(7, classes, `rows ${seed}`);
      const random = randomSource(`point ${seed}`);
      const point = Float64Array.from(
        { length: parameterCount(shape) },
        () => 2 * random.next() - 1,
      );
      const { gradient } = lossAt(rows, shape, point, 0.1);
      const place = seed % point.length;
      const at = (shift: number) =>
        lossAt(rows, shape, point.with(place, point[place]! + shift), 0.1).value;
      const slopes = [at(1e-6) - at(0), at(0) - at(-1e-6)].map((rise) => rise / 1e-6);
      // Where a unit is switched on or off between the two, there is no one slope.
      fc.pre(Math.abs(slopes[0]! - slopes[1]!) < 1e-4);
      assert.ok(Math.abs(gradient[place]! - (slopes[0]! + slopes[1]!) / 2) < 1e-5);
    }),
    { numRuns: 200 },
  );
});

const OPTIONS: Omit<FitOptions, "random"> = {
  classes: 2,
  hidden: 8,
  l2: 0,
  patience: 50,
  maxIterations: 300,
};

Deno.test("fitNetwork() learns exclusive or, which no logistic head can", () => {
  const corners = [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]].flatMap(([a, b, label]) =>
    Array.from({ length: 8 }, () => ({ features: [a!, b!], label: label!, weight: 1 }))
  );
  const right = (hidden: number) => {
    const { head } = fitNetwork(corners, corners, {
      ...OPTIONS,
      hidden,
      random: randomSource("xor"),
    });
    return corners.filter(({ features, label }) => headProbabilities(features, head)[label]! > 0.9)
      .length;
  };
  assert.equal(right(8), corners.length);
  assert.equal(right(0), 0);
});

Deno.test("fitNetwork() keeps the point with the least loss on the development part, and ends", () => {
  const seen: FitProgress[] = [];
  const { bestIteration, iterations, developmentLoss } = fitNetwork(
    someRows(40, 2, "train"),
    someRows(20, 2, "other chance"),
    {
      ...OPTIONS,
      patience: 5,
      random: randomSource(1),
      onIteration: (progress) => seen.push(progress),
    },
  );
  const least = Math.min(...seen.map((progress) => progress.developmentLoss));
  assert.equal(developmentLoss, least);
  assert.equal(seen.find(({ iteration }) => iteration === bestIteration)?.developmentLoss, least);
  assert.equal(iterations, bestIteration + 5);
});

Deno.test("fitNetwork() gives the same head for the same seed, and says which part is empty", () => {
  const fit = (train: readonly TrainingRow[]) =>
    fitNetwork(train, someRows(9, 2, "d"), {
      ...OPTIONS,
      maxIterations: 3,
      random: randomSource(7),
    });
  const rows = someRows(20, 2, "t");
  assert.deepEqual(fit(rows), fit(rows));
  assert.throws(() => fit([]), /Cannot train a head: the training part has no claim/);
});

Deno.test("initialParameters() begin at zero for a logistic head; biases at zero for every head", () => {
  const logistic = { inputs: 3, hidden: 0, classes: 2 };
  assert.deepEqual([...initialParameters(logistic, randomSource(1))], Array(8).fill(0));
  const { hidden, output } = headOf(
    initialParameters({ inputs: 3, hidden: 2, classes: 2 }, randomSource(1)),
    { inputs: 3, hidden: 2, classes: 2 },
  );
  assert.deepEqual(hidden!.biases, [0, 0]);
  assert.deepEqual(output.intercepts, [0, 0]);
  const bound = Math.sqrt(3 * 2 / 3);
  assert.ok(hidden!.weights.flat().every((value) => value !== 0 && Math.abs(value) <= bound));
});

Deno.test("earlyStopping() counts only what comes after the best, and has none before the first", () => {
  const stopping = earlyStopping(2);
  assert.throws(() => stopping.best(), RangeError);
  const ended = [3, 4, 2, 5, 2].map((loss, i) => stopping.observe(Float64Array.of(i), loss, i));
  assert.deepEqual(ended, [false, false, false, false, true]);
  assert.deepEqual(stopping.best(), { point: Float64Array.of(2), loss: 2, iteration: 2 });
});

Deno.test("trainingTable() standardises, and refuses rows that do not fit", () => {
  const scaling = { means: [1, 2], scales: [2, 4] };
  const { inputs } = trainingTable([{ features: [3, 10], label: 0, weight: 1 }], 2, scaling);
  assert.deepEqual([...inputs], [1, 2]);
  const refuse = (row: TrainingRow) => () => trainingTable([row], 2, scaling);
  assert.throws(refuse({ features: [1], label: 0, weight: 1 }), /row 0 has not 2 finite numbers/);
  assert.throws(refuse({ features: [1, NaN], label: 0, weight: 1 }), RangeError);
  assert.throws(refuse({ features: [1, 1], label: 0, weight: 0 }), RangeError);
});

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
  const plain = { means: [0, 0], scales: [1, 1], hidden: undefined, temperature: 1 };
  near(headProbabilities([0.1, 0.2], { ...plain, output: weights }), [
    0.62415446,
    0.12752545,
    0.24832009,
  ], 1e-5);
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
