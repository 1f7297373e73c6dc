import type { RandomSource } from "../../stats/random.ts";
import { softmax } from "../../stats/uncertainty.ts";
import {
  headLogits,
  type LogisticWeights,
  type NetworkHead,
  type Standardisation,
  standardisationOf,
  standardise,
} from "../verifiers/head.ts";
import {
  adam,
  type BestPoint,
  type EarlyStopping,
  earlyStopping,
  fitTemperature,
  minimise,
} from "./optimise.ts";

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
export function fitLogistic(
  rows: readonly TrainingRow[],
  { classes, l2 }: LogisticOptions,
): LogisticWeights {
  const table = trainingTable(rows, classes);
  const shape = { inputs: table.width, hidden: 0, classes };
  const { point } = minimise(
    (point, gradient) => headLoss(table, allRows(table), { shape, point, gradient, l2 }),
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

/** A head, and when its training was at its best. */
interface FittedNetwork {
  readonly head: NetworkHead;
  readonly bestIteration: number;
  readonly iterations: number;
  /** Nats a claim of the development part, before the temperature. */
  readonly developmentLoss: number;
}

/** Rows a step of Adam; its usual rate. */
const BATCH = 32;
const LEARNING_RATE = 0.001;

interface Training extends FitOptions {
  readonly table: TrainingTable;
  readonly shape: HeadShape;
  readonly stopping: EarlyStopping;
  /** Tells and judges a point. @returns whether to end. */
  readonly observe: (point: Float64Array, loss: number, iteration: number) => boolean;
}

/**
 * Standardises by the training part; fits a logistic head by L-BFGS, or one with a hidden layer by
 * Adam in batches; keeps the point with the least loss on the development part, and fits the
 * temperature there. Same rows, same seed: same head.
 * @throws {RangeError} where a part is empty or a row does not fit.
 */
export function fitNetwork(
  train: readonly TrainingRow[],
  development: readonly TrainingRow[],
  options: FitOptions,
): FittedNetwork {
  for (const [part, rows] of Object.entries({ training: train, development })) {
    if (rows.length > 0) continue;
    throw new RangeError(`Cannot train a head: the ${part} part has no claim with a vector.`);
  }
  const scaling = standardisationOf(train.map(({ features }) => features));
  const table = trainingTable(train, options.classes, scaling);
  const shape = { inputs: table.width, hidden: options.hidden, classes: options.classes };
  const heldBack = trainingTable(development, options.classes, scaling);
  const stopping = earlyStopping(options.patience);
  let iterations = 0;
  const observe = (point: Float64Array, loss: number, iteration: number) => {
    const developmentLoss = lossAt(heldBack, shape, point);
    iterations = iteration;
    options.onIteration?.({ iteration, loss, developmentLoss });
    return stopping.observe(point, developmentLoss, iteration);
  };
  const training = { ...options, table, shape, stopping, observe };
  const best = options.hidden === 0 ? byLbfgs(training) : byAdam(training);
  const untempered = { ...scaling, ...headOf(best.point, shape) };
  const temperature = fitTemperature(development.map(({ features, label, weight }) => {
    return { logits: headLogits(features, untempered), label, weight };
  }));
  return {
    head: { ...untempered, temperature },
    bestIteration: best.iteration,
    iterations,
    developmentLoss: best.loss,
  };
}

function byLbfgs(
  { table, shape, l2, maxIterations, random, stopping, observe }: Training,
): BestPoint {
  const rows = allRows(table);
  const start = initialParameters(shape, random);
  observe(start, lossAt(table, shape, start), 0);
  minimise(
    (point, gradient) => headLoss(table, rows, { shape, point, gradient, l2 }),
    start,
    { tolerance: 1e-6, maxIterations, observe },
  );
  return stopping.best();
}

function byAdam(
  { table, shape, l2, maxIterations, random, stopping, observe }: Training,
): BestPoint {
  const point = initialParameters(shape, random);
  const gradient = new Float64Array(point.length);
  const step = adam(point.length, LEARNING_RATE);
  let order = Array.from(allRows(table));
  for (let iteration = 1; iteration <= maxIterations; iteration++) {
    order = random.shuffle(order);
    let loss = 0;
    for (let at = 0; at < order.length; at += BATCH) {
      const rows = Uint32Array.from(order.slice(at, at + BATCH));
      loss += headLoss(table, rows, { shape, point, gradient, l2 }) * rows.length;
      step(point, gradient);
    }
    if (observe(point, loss / table.n, iteration)) break;
  }
  return stopping.best();
}

function lossAt(table: TrainingTable, shape: HeadShape, point: Float64Array): number {
  return headLoss(table, allRows(table), { shape, point, gradient: undefined, l2: 0 });
}

/** The rows in typed arrays. */
interface TrainingTable {
  /** Row after row. */
  readonly inputs: Float64Array;
  readonly width: number;
  readonly labels: Uint8Array;
  readonly weights: Float64Array;
  readonly n: number;
}

/**
 * Brings the rows into standard units, where there are any.
 * @throws {RangeError} without rows; for one of another width, with a value that is not finite, or
 * with a label out of range.
 */
export function trainingTable(
  rows: readonly TrainingRow[],
  classes: number,
  scaling?: Standardisation,
): TrainingTable {
  const width = scaling?.means.length ?? rows[0]?.features.length;
  if (width === undefined) throw new RangeError("Cannot train a head: there are no rows.");
  const inputs = new Float64Array(rows.length * width);
  rows.forEach(({ features, label, weight }, i) => {
    if (features.length !== width || !features.every(Number.isFinite) || !(weight > 0)) {
      throw new RangeError(
        `Cannot train a head: row ${i} has not ${width} finite numbers and a weight over 0.`,
      );
    }
    if (!Number.isInteger(label) || label < 0 || label >= classes) {
      throw new RangeError(
        `Cannot train a head: label ${label} of row ${i} is not in 0 … ${classes - 1}.`,
      );
    }
    inputs.set(scaling === undefined ? features : standardise(features, scaling), i * width);
  });
  return {
    inputs,
    width,
    labels: Uint8Array.from(rows, ({ label }) => label),
    weights: Float64Array.from(rows, ({ weight }) => weight),
    n: rows.length,
  };
}

/** Every row of a table, by index. */
export function allRows({ n }: TrainingTable): Uint32Array {
  return Uint32Array.from({ length: n }, (_, i) => i);
}

/**
 * How many numbers come in, hidden units there are (0: a logistic head), and classes go out. A head's
 * parameters lie in one array: a row a hidden unit (its weights, then its bias), then a row a class
 * (its coefficients over units or inputs, then its intercept).
 */
export interface HeadShape {
  readonly inputs: number;
  readonly hidden: number;
  readonly classes: number;
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
export function initialParameters(shape: HeadShape, random: RandomSource): Float64Array {
  const parameters = new Float64Array(parameterCount(shape));
  if (shape.hidden === 0) return parameters;
  const { start } = outputOf(shape);
  return parameters.map((_, i) => {
    if (isBias(i, shape)) return 0;
    const variance = i < start ? 2 / shape.inputs : 1 / shape.hidden;
    return (2 * random.next() - 1) * Math.sqrt(3 * variance);
  });
}

/** The parameters as named rows. */
export function headOf(
  parameters: Float64Array,
  shape: HeadShape,
): Pick<NetworkHead, "hidden" | "output"> {
  const { start, width } = outputOf(shape);
  const rows = (from: number, count: number, length: number) => {
    const all = Array.from({ length: count }, (_, k) => {
      const at = from + k * length;
      return Array.from(parameters.subarray(at, at + length));
    });
    return { rows: all.map((row) => row.slice(0, -1)), last: all.map((row) => row.at(-1)!) };
  };
  const units = rows(0, shape.hidden, shape.inputs + 1);
  const output = rows(start, shape.classes, width);
  return {
    hidden: shape.hidden === 0 ? undefined : { weights: units.rows, biases: units.last },
    output: { coefficients: output.rows, intercepts: output.last },
  };
}

/** A head's parameters, and where the gradient of the loss is added up. */
interface Pass {
  readonly shape: HeadShape;
  readonly point: Float64Array;
  readonly gradient: Float64Array | undefined;
}

/**
 * Weighted mean cross-entropy in nats of the rows, plus the penalty ½λ‖w‖² of everything but biases
 * and intercepts; the gradient is written into `gradient` where there is one.
 * @param rows Indices into the table.
 */
export function headLoss(
  table: TrainingTable,
  rows: Uint32Array,
  { l2, ...pass }: Pass & { readonly l2: number },
): number {
  const { shape, point, gradient } = pass;
  gradient?.fill(0);
  const total = rows.reduce((sum, row) => sum + table.weights[row]!, 0);
  const activity = new Float64Array(shape.hidden);
  let loss = 0;
  for (const row of rows) loss += rowLoss(table, row, total, activity, pass);
  if (l2 === 0) return loss;
  let squares = 0;
  point.forEach((value, i) => {
    if (isBias(i, shape)) return;
    squares += value ** 2;
    if (gradient !== undefined) gradient[i]! += l2 * value;
  });
  return loss + l2 * squares / 2;
}

function rowLoss(
  table: TrainingTable,
  row: number,
  total: number,
  activity: Float64Array,
  pass: Pass,
): number {
  const { shape, point, gradient } = pass;
  const x = table.inputs.subarray(row * table.width, (row + 1) * table.width);
  activity.forEach((_, unit) => {
    activity[unit] = Math.max(0, rowTimes(point, unit * (x.length + 1), x));
  });
  const values = shape.hidden === 0 ? x : activity;
  const { start, width } = outputOf(shape);
  const shares = softmax(
    Array.from({ length: shape.classes }, (_, k) => rowTimes(point, start + k * width, values)),
  );
  const [label, weight] = [table.labels[row]!, table.weights[row]! / total];
  if (gradient !== undefined) {
    const push = shares.map((share, k) => weight * (share - (k === label ? 1 : 0)));
    push.forEach((step, k) => addRow(gradient, start + k * width, step, values));
    // Back through the units that were active; at exactly 0 the slope is taken as 0.
    activity.forEach((value, unit) => {
      if (value === 0) return;
      const step = push.reduce((sum, by, k) => sum + by * point[start + k * width + unit]!, 0);
      addRow(gradient, unit * (x.length + 1), step, x);
    });
  }
  return -weight * Math.log(Math.max(shares[label]!, Number.MIN_VALUE));
}

/** w·x + b of the row that begins there. */
function rowTimes(point: Float64Array, offset: number, x: Float64Array): number {
  let sum = point[offset + x.length]!;
  for (let j = 0; j < x.length; j++) sum += point[offset + j]! * x[j]!;
  return sum;
}

/** What a row's own share of the gradient is, added up. */
function addRow(gradient: Float64Array, offset: number, step: number, x: Float64Array): void {
  for (let j = 0; j < x.length; j++) gradient[offset + j]! += step * x[j]!;
  gradient[offset + x.length]! += step;
}
