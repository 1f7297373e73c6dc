import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../../stats/random.ts";
import { headProbabilities } from "../../verifiers/network_head.ts";
import { logisticLoss } from "../multinomial_logistic.ts";
import { adam } from "./adam.ts";
import { earlyStopping } from "./early_stopping.ts";
import { fitNetwork, type FitOptions, type FitProgress } from "./fit_network.ts";
import { allRows, headLoss } from "./head_loss.ts";
import { headOf, type HeadShape, initialParameters, parameterCount } from "./head_shape.ts";
import { type HeadRow, trainingTable } from "./training_table.ts";

const PLAIN = { means: [0, 0, 0], scales: [1, 1, 1] };

/** Rows of three numbers, of two or three classes. */
function someRows(count: number, classes: number, seed: string): readonly HeadRow[] {
  const random = randomSource(seed);
  return Array.from({ length: count }, (_, i) => ({
    input: [random.next() - 0.5, random.next() - 0.5, random.next() - 0.5].map(Math.fround),
    label: i % classes,
    weight: 0.5 + random.next(),
  }));
}

function lossAt(rows: readonly HeadRow[], shape: HeadShape, point: Float64Array, l2: number) {
  const table = trainingTable(rows, PLAIN);
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

Deno.test("headLoss() without hidden units is the loss of a logistic regression", () => {
  const rows = someRows(9, 3, "rows");
  const shape = { inputs: 3, hidden: 0, classes: 3 };
  const random = randomSource("point");
  const point = Float64Array.from({ length: 12 }, () => random.next());
  const own = lossAt(rows, shape, point, 0.2);
  const expected = new Float64Array(12);
  const logistic = logisticLoss(
    rows.map(({ input, label, weight }) => ({ features: input, label, weight })),
    { classes: 3, l2: 0.2 },
  );
  assert.ok(Math.abs(own.value - logistic(point, expected)) < 1e-12);
  own.gradient.forEach((value, i) => assert.ok(Math.abs(value - expected[i]!) < 1e-12));
});

const OPTIONS: Omit<FitOptions, "random"> = {
  ...{ classes: 2, hidden: 8, l2: 0, patience: 50, maxIterations: 300 },
};

Deno.test("fitNetwork() learns exclusive or, which no logistic head can", () => {
  const corners = [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]].flatMap(([a, b, label]) =>
    Array.from({ length: 8 }, () => ({ input: [a!, b!], label: label!, weight: 1 }))
  );
  const right = (hidden: number) => {
    const { head } = fitNetwork(corners, corners, {
      ...OPTIONS,
      hidden,
      random: randomSource("xor"),
    });
    return corners.filter(({ input, label }) => headProbabilities(input, head)[label]! > 0.9)
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
      ...{ patience: 5, random: randomSource(1), onIteration: (progress) => seen.push(progress) },
    },
  );
  const least = Math.min(...seen.map((progress) => progress.developmentLoss));
  assert.equal(developmentLoss, least);
  assert.equal(seen.find(({ iteration }) => iteration === bestIteration)?.developmentLoss, least);
  assert.equal(iterations, bestIteration + 5);
});

Deno.test("fitNetwork() gives the same head for the same seed, and says which part is empty", () => {
  const fit = (train: readonly HeadRow[]) =>
    fitNetwork(train, someRows(9, 2, "d"), {
      ...OPTIONS,
      ...{ maxIterations: 3, random: randomSource(7) },
    });
  const rows = someRows(20, 2, "t");
  assert.deepEqual(fit(rows), fit(rows));
  assert.throws(() => fit([]), /Cannot train a head: the training part has no claim/);
});

Deno.test("headOf() names what the parameters are", () => {
  const shape = { inputs: 2, hidden: 1, classes: 2 };
  assert.deepEqual(headOf(Float64Array.of(1, 2, 3, 4, 5, 6, 7), shape), {
    hidden: { weights: [[1, 2]], biases: [3] },
    output: { coefficients: [[4], [6]], intercepts: [5, 7] },
  });
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

Deno.test("adam() takes first steps of the learning rate, whatever the gradient's size", () => {
  const point = Float64Array.of(0, 0);
  adam(2, 0.01)(point, Float64Array.of(5, -0.001));
  assert.ok(Math.abs(point[0]! + 0.01) < 1e-6);
  assert.ok(Math.abs(point[1]! - 0.01) < 1e-6);
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
  const { inputs } = trainingTable([{ input: [3, 10], label: 0, weight: 1 }], scaling);
  assert.deepEqual([...inputs], [1, 2]);
  const refuse = (row: HeadRow) => () => trainingTable([row], scaling);
  assert.throws(refuse({ input: [1], label: 0, weight: 1 }), /row 0 has not 2 finite numbers/);
  assert.throws(refuse({ input: [1, NaN], label: 0, weight: 1 }), RangeError);
  assert.throws(refuse({ input: [1, 1], label: 0, weight: 0 }), RangeError);
});
