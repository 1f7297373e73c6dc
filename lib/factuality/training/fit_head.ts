/** One loss for logistic heads and those with a hidden layer, and how either is fitted. */
import type { RandomSource } from "../../stats/random.ts";
import { softmax } from "../../stats/uncertainty.ts";
import { headLogits, standardisationOf, standardise } from "../verifiers/head.ts";
import type { NetworkHead } from "../verifiers/head.ts";
import { adam, fitTemperature, minimise } from "./optimise.ts";

/** One claim as a head is taught it. */
export interface TrainingRow {
  readonly features: readonly number[];
  /** Index of the class, 0 … classes − 1. */
  readonly label: number;
  /** How much the row counts, > 0; 1 where all count alike. */
  readonly weight: number;
}

interface LogisticOptions {
  readonly classes: number;
  /**
   * Strength λ ≥ 0 of the penalty ½λ‖w‖² beside the *mean* loss; intercepts are not penalised.
   * λ = 1/(C·n) in scikit-learn's terms.
   */
  readonly l2: number;
}

/**
 * L2-regularised multinomial logistic regression (softmax over all classes; Hastie, Tibshirani &
 * Friedman 2009, §4.4), fitted by L-BFGS from zero: no chance in it. Features are taken as they
 * are; standardise them first, or the penalty falls on small scales.
 * @throws {RangeError} without rows, for a label out of range or a value that is not finite.
 */
export function fitLogistic(rows: readonly TrainingRow[], { classes, l2 }: LogisticOptions) {
  const shape = shapeOf(rows, 0, classes);
  const { point } = minimise(
    (point, gradient) => headLoss(rows, shape, point, l2, gradient),
    new Float64Array(parameterCount(shape)),
    // Far past what changes a fourth decimal.
    { tolerance: 1e-7, maxIterations: 1_000 },
  );
  return headOf(point, shape).output;
}

/** How a head is trained. */
export interface FitOptions extends LogisticOptions {
  /** Hidden units; 0 for a logistic head. */
  readonly hidden: number;
  /** Iterations without a better loss on the development part before it ends, ≥ 1. */
  readonly patience: number;
  readonly maxIterations: number;
  /** Of the first weights and the order of the rows; a logistic head needs none. */
  readonly random: RandomSource;
  /** Told of each iteration: of L-BFGS, or a pass of Adam over all rows. */
  readonly onIteration?: ((progress: FitProgress) => void) | undefined;
}

/** Losses in nats a claim, that of the training part with its penalty. */
export interface FitProgress {
  readonly iteration: number;
  readonly loss: number;
  readonly developmentLoss: number;
}

/** Rows a step of Adam; its usual rate. */
const BATCH = 32;
const LEARNING_RATE = 0.001;

/**
 * Standardises by the training part; fits a logistic head by L-BFGS, or one with a hidden layer by
 * Adam in batches; keeps the point with the least loss on the development part (ending once it has
 * not fallen for `patience` iterations; Goodfellow, Bengio & Courville 2016, algorithm 7.1), and fits
 * the temperature there. Same rows, same seed: same head.
 * @throws {RangeError} where a part is empty or a row does not fit.
 */
export function fitNetwork(
  train: readonly TrainingRow[],
  development: readonly TrainingRow[],
  { classes, hidden, l2, patience, maxIterations, random, onIteration }: FitOptions,
): { readonly head: NetworkHead; readonly bestIteration: number; readonly iterations: number } {
  for (const [part, rows] of Object.entries({ training: train, development })) {
    if (rows.length > 0) continue;
    throw new RangeError(`Cannot train a head: the ${part} part has no claim with a vector.`);
  }
  const scaling = standardisationOf(train.map(({ features }) => features));
  const inUnits = (rows: readonly TrainingRow[]) =>
    rows.map((row) => ({ ...row, features: standardise(row.features, scaling) }));
  const [rows, heldBack] = [inUnits(train), inUnits(development)];
  const shape = shapeOf([...rows, ...heldBack], hidden, classes);
  let best = { point: new Float64Array(), loss: Infinity, iteration: 0 };
  let [iterations, without] = [0, 0];
  const observe = (point: Float64Array, loss: number, iteration: number) => {
    const developmentLoss = headLoss(heldBack, shape, point, 0);
    iterations = iteration;
    onIteration?.({ iteration, loss, developmentLoss });
    const isBetter = developmentLoss < best.loss;
    if (isBetter) best = { point: Float64Array.from(point), loss: developmentLoss, iteration };
    without = isBetter ? 0 : without + 1;
    return without >= patience;
  };
  const start = initialParameters(shape, random);
  if (hidden === 0) {
    observe(start, headLoss(rows, shape, start, 0), 0);
    minimise(
      (point, gradient) => headLoss(rows, shape, point, l2, gradient),
      start,
      { tolerance: 1e-6, maxIterations, observe },
    );
  } else {
    const gradient = new Float64Array(start.length);
    const step = adam(start.length, LEARNING_RATE);
    let order = rows;
    for (let iteration = 1; iteration <= maxIterations; iteration++) {
      order = random.shuffle(order);
      let loss = 0;
      for (let at = 0; at < order.length; at += BATCH) {
        const batch = order.slice(at, at + BATCH);
        loss += headLoss(batch, shape, start, l2, gradient) * batch.length;
        step(start, gradient);
      }
      if (observe(start, loss / rows.length, iteration)) break;
    }
  }
  const untempered = { ...scaling, ...headOf(best.point, shape) };
  const temperature = fitTemperature(development.map(({ features, ...row }) => {
    return { ...row, logits: headLogits(features, untempered) };
  }));
  return { head: { ...untempered, temperature }, bestIteration: best.iteration, iterations };
}

/**
 * How many numbers come in, hidden units there are (0: a logistic head), and classes go out. A head's
 * parameters lie in one array: a row a hidden unit (its weights, then its bias), then a row a class
 * (its coefficients over units or inputs, then its intercept).
 */
interface HeadShape {
  readonly inputs: number;
  readonly hidden: number;
  readonly classes: number;
}

/** The shape that the rows ask for, once each is seen to fit. */
function shapeOf(rows: readonly TrainingRow[], hidden: number, classes: number): HeadShape {
  const inputs = rows[0]?.features.length;
  if (inputs === undefined) throw new RangeError("Cannot train a head: there are no rows.");
  rows.forEach(({ features, label, weight }, i) => {
    if (
      features.length !== inputs || !features.every(Number.isFinite) || !(weight > 0)
    ) {
      throw new RangeError(
        `Cannot train a head: row ${i} has not ${inputs} finite numbers and a weight over 0.`,
      );
    }
    if (!Number.isInteger(label) || label < 0 || label >= classes) {
      throw new RangeError(
        `Cannot train a head: label ${label} of row ${i} is not in 0 … ${classes - 1}.`,
      );
    }
  });
  return { inputs, hidden, classes };
}

/** Where the classes' rows begin, and how long each is. */
function outputOf({ inputs, hidden }: HeadShape) {
  return { start: hidden * (inputs + 1), width: (hidden === 0 ? inputs : hidden) + 1 };
}

/** How many parameters there are. */
export function parameterCount(shape: HeadShape): number {
  const { start, width } = outputOf(shape);
  return start + shape.classes * width;
}

/** Biases and intercepts, the last of each row. */
function isBias(i: number, shape: HeadShape): boolean {
  const { start, width } = outputOf(shape);
  return i < start ? i % (shape.inputs + 1) === shape.inputs : (i - start) % width === width - 1;
}

/**
 * Where training begins: a logistic head at zero, its loss having one minimum; units with weights
 * drawn uniformly with variance 2/inputs and classes with 1/units (He et al. 2015, arXiv 1502.01852,
 * §2.2), biases at zero.
 */
function initialParameters(shape: HeadShape, random: RandomSource): Float64Array {
  const { start } = outputOf(shape);
  return new Float64Array(parameterCount(shape)).map((_, i) => {
    if (shape.hidden === 0 || isBias(i, shape)) return 0;
    const variance = i < start ? 2 / shape.inputs : 1 / shape.hidden;
    return (2 * random.next() - 1) * Math.sqrt(3 * variance);
  });
}

/** The parameters as named rows. */
function headOf(parameters: Float64Array, shape: HeadShape) {
  const { start, width } = outputOf(shape);
  const rows = (from: number, count: number, length: number) =>
    Array.from({ length: count }, (_, k) => [
      ...parameters.subarray(from + k * length, from + (k + 1) * length),
    ]);
  const weightsOf = (all: readonly number[][]) => all.map((row) => row.slice(0, -1));
  const lastOf = (all: readonly number[][]) => all.map((row) => row.at(-1)!);
  const units = rows(0, shape.hidden, shape.inputs + 1);
  const output = rows(start, shape.classes, width);
  return {
    hidden: units.length === 0 ? undefined : { weights: weightsOf(units), biases: lastOf(units) },
    output: { coefficients: weightsOf(output), intercepts: lastOf(output) },
  };
}

/**
 * Weighted mean cross-entropy in nats of the rows, plus the penalty ½λ‖w‖² of everything but biases
 * and intercepts; the gradient is written into `gradient` where there is one.
 */
export function headLoss(
  rows: readonly TrainingRow[],
  shape: HeadShape,
  point: Float64Array,
  l2: number,
  gradient?: Float64Array,
): number {
  const { start, width } = outputOf(shape);
  gradient?.fill(0);
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  const activity = new Float64Array(shape.hidden);
  let loss = 0;
  for (const { features: x, label, weight } of rows) {
    const share = weight / total;
    activity.forEach((_, unit) => {
      activity[unit] = Math.max(0, rowTimes(point, unit * (x.length + 1), x));
    });
    const values = shape.hidden === 0 ? x : activity;
    const shares = softmax(
      Array.from({ length: shape.classes }, (_, k) => rowTimes(point, start + k * width, values)),
    );
    loss -= share * Math.log(Math.max(shares[label]!, Number.MIN_VALUE));
    if (gradient === undefined) continue;
    const push = shares.map((own, k) => share * (own - (k === label ? 1 : 0)));
    push.forEach((step, k) => addRow(gradient, start + k * width, step, values));
    // Back through the units that were active; at exactly 0 the slope is taken as 0.
    activity.forEach((value, unit) => {
      if (value === 0) return;
      const step = push.reduce((sum, by, k) => sum + by * point[start + k * width + unit]!, 0);
      addRow(gradient, unit * (x.length + 1), step, x);
    });
  }
  if (l2 === 0) return loss;
  let squares = 0;
  point.forEach((value, i) => {
    if (isBias(i, shape)) return;
    squares += value ** 2;
    if (gradient !== undefined) gradient[i]! += l2 * value;
  });
  return loss + l2 * squares / 2;
}

/** w·x + b of the row that begins there. */
function rowTimes(point: Float64Array, offset: number, x: ArrayLike<number>): number {
  let sum = point[offset + x.length]!;
  for (let j = 0; j < x.length; j++) sum += point[offset + j]! * x[j]!;
  return sum;
}

/** What a row's own share of the gradient is, added up. */
function addRow(gradient: Float64Array, offset: number, step: number, x: ArrayLike<number>): void {
  for (let j = 0; j < x.length; j++) gradient[offset + j]! += step * x[j]!;
  gradient[offset + x.length]! += step;
}
