/** Logistic regression on standardised features, and temperature scaling of logits. */
import { logistic, softmax } from "../../../stats/uncertainty.ts";

/** Means and scales that bring each column to mean 0 and standard deviation 1. */
interface Standardisation {
  readonly means: readonly number[];
  /** Standard deviations (divisor n); 1 for a constant column. */
  readonly scales: readonly number[];
}

/** Computes means and scales of the columns. All rows have the same length. */
export function standardisationOf(rows: readonly (readonly number[])[]): Standardisation {
  const mean = (valueOf: (row: readonly number[]) => number) =>
    rows.reduce((sum, row) => sum + valueOf(row), 0) / rows.length;
  const means = (rows[0] ?? []).map((_, i) => mean((row) => row[i]!));
  const scales = means.map((middle, i) => {
    const deviation = Math.sqrt(mean((row) => (row[i]! - middle) ** 2));
    // Rounding leaves a tiny variation in a constant column.
    return deviation > 1e-9 ? deviation : 1;
  });
  return { means, scales };
}

/** Standardises a row. */
export const standardise = (row: readonly number[], { means, scales }: Standardisation) =>
  row.map((value, i) => (value - means[i]!) / scales[i]!);

/** A training example of a head. */
export interface TrainingRow {
  readonly features: readonly number[];
  /** Class index: 1 for yes, 0 for no. */
  readonly label: number;
  /** Weight of the row, > 0; 1 for all by default. */
  readonly weight: number;
}

/**
 * Fits L2-regularised logistic regression (Hastie, Tibshirani & Friedman 2009, §4.4).
 *
 * It uses L-BFGS from zero, without randomness. The linear predictor is the log-odds of class 1, in
 * nats. Features are taken unchanged; standardise them first, or the penalty falls on small scales.
 * @param l2 Strength λ ≥ 0 of ½λ‖w‖² added to the *mean* loss; 1/(C·n) in scikit-learn's terms.
 * @throws {RangeError} without rows, or for a value that is not finite.
 */
export function fitLogisticRegression(rows: readonly TrainingRow[], l2: number) {
  const point = minimise(
    (point, gradient) => logisticLoss(rows, l2, point, gradient),
    new Float64Array(requireRows(rows) + 1),
  );
  return { coefficients: [...point.subarray(0, -1)], intercept: point.at(-1)! };
}

/** Returns the number of features. A value that is not finite would spoil all weights unseen. */
function requireRows(rows: readonly TrainingRow[]): number {
  const inputs = rows[0]?.features.length;
  if (inputs === undefined) throw new RangeError("Cannot train a head: there are no rows.");
  const at = rows.findIndex(({ features }) =>
    features.length !== inputs || !features.every(Number.isFinite)
  );
  if (at === -1) return inputs;
  throw new RangeError(`Cannot train a head: row ${at} has not ${inputs} finite numbers.`);
}

/**
 * Computes the weighted mean cross-entropy in nats, plus the penalty ½λ‖w‖².
 *
 * The intercept, which is last, is not penalised; the gradient is written into `gradient`.
 */
export function logisticLoss(
  rows: readonly TrainingRow[],
  l2: number,
  point: Float64Array,
  gradient: Float64Array,
): number {
  const width = point.length - 1;
  gradient.fill(0);
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  let loss = 0;
  for (const { features: x, label, weight } of rows) {
    let odds = point[width]!;
    for (let j = 0; j < width; j++) odds += point[j]! * x[j]!;
    const share = weight / total;
    const right = label === 1 ? odds : -odds;
    loss += share * (Math.log1p(Math.exp(-Math.abs(right))) + Math.max(0, -right));
    const step = share * (logistic(odds) - label);
    for (let j = 0; j < width; j++) gradient[j]! += step * x[j]!;
    gradient[width]! += step;
  }
  const squares = dot(point.subarray(0, -1), point);
  for (let j = 0; j < width; j++) gradient[j]! += l2 * point[j]!;
  return loss + l2 * squares / 2;
}

/** A smooth function of many variables, which writes its gradient into `gradient`. */
type Objective = (point: Float64Array, gradient: Float64Array) => number;

/**
 * A step, the gradient's change along it, and their inner product (> 0), an estimate of curvature.
 */
type Correction = Readonly<{ step: Float64Array; change: Float64Array; product: number }>;

/** Number of stored corrections; 5–20 is usual. */
const MEMORY = 10;
const ARMIJO = 1e-4;
const SMALLEST_STEP = 1e-12;
/** Tolerance of the gradient: far beyond any change of a fourth decimal. */
const TOLERANCE = 1e-7;
const MOST_ITERATIONS = 1_000;

/** Minimises a convex function by L-BFGS (Nocedal & Wright 2006, algorithms 7.4 and 3.1). */
function minimise(objective: Objective, start: Float64Array<ArrayBuffer>): Float64Array {
  let [point, gradient] = [start, new Float64Array(start.length)];
  let value = objective(point, gradient);
  const memory: Correction[] = [];
  for (let iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    if (gradient.every((x) => Math.abs(x) <= TOLERANCE)) break;
    const next = search(objective, point, value, gradient, descentDirection(gradient, memory));
    if (next === undefined) break;
    const step = next.point.map((x, i) => x - point[i]!);
    const change = next.gradient.map((x, i) => x - gradient[i]!);
    const product = dot(step, change);
    // A pair without positive curvature carries no information and would turn the direction uphill.
    if (product > 1e-12 * dot(change, change)) memory.push({ step, change, product });
    if (memory.length > MEMORY) memory.shift();
    ({ point, value, gradient } = next);
  }
  return point;
}

/** Two-loop recursion: minus the estimated inverse Hessian times the gradient. */
function descentDirection(gradient: Float64Array, memory: readonly Correction[]): Float64Array {
  const direction = gradient.map((x) => -x);
  const shares = memory.map(() => 0);
  for (let k = memory.length - 1; k >= 0; k--) {
    const { step, change, product } = memory[k]!;
    shares[k] = dot(step, direction) / product;
    addScaled(direction, change, -shares[k]!);
  }
  const last = memory.at(-1);
  const scale = last
    ? last.product / dot(last.change, last.change)
    : 1 / Math.max(1, Math.sqrt(dot(gradient, gradient)));
  for (let i = 0; i < direction.length; i++) direction[i]! *= scale;
  memory.forEach(({ step, change, product }, k) => {
    addScaled(direction, step, shares[k]! - dot(change, direction) / product);
  });
  return direction;
}

/** Halves the step until the value decreases enough. Undefined where no step does. */
function search(
  objective: Objective,
  point: Float64Array,
  value: number,
  gradient: Float64Array,
  direction: Float64Array,
) {
  const slope = dot(gradient, direction);
  for (let size = 1; size > SMALLEST_STEP; size /= 2) {
    const candidate = Float64Array.from(point);
    addScaled(candidate, direction, size);
    const candidateGradient = new Float64Array(point.length);
    const reached = objective(candidate, candidateGradient);
    if (reached <= value + ARMIJO * size * slope) {
      return { point: candidate, value: reached, gradient: candidateGradient };
    }
  }
  return undefined;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function addScaled(target: Float64Array, other: Float64Array, factor: number): void {
  for (let i = 0; i < target.length; i++) target[i]! += factor * other[i]!;
}

/** A row with the logits of its classes. */
type ScoredRow = Omit<TrainingRow, "features"> & { readonly logits: readonly number[] };

/** Bounds of the temperature. Beyond them the logits are meaningless, or all rows are right. */
const [COLDEST, HOTTEST] = [0.05, 20];
const STEPS = 80;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * Fits the temperature T that minimises the loss of softmax(logits / T).
 *
 * The rows are ones that the weights were not fitted on (Guo et al. 2017, arXiv 1706.04599, §4.2):
 * T > 1 where the model was too sure. Between 0.05 and 20, by golden-section search over log T; the
 * loss is convex in 1/T, so that there is one minimum.
 */
export function fitTemperature(rows: readonly ScoredRow[]): number {
  let [low, high] = [Math.log(COLDEST), Math.log(HOTTEST)];
  for (let step = 0; step < STEPS; step++) {
    const [left, right] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
    if (temperatureLoss(rows, Math.exp(left)) <= temperatureLoss(rows, Math.exp(right))) {
      high = right;
    } else low = left;
  }
  return Math.exp((low + high) / 2);
}

/** Weighted mean negative log-likelihood in nats at a temperature. */
export function temperatureLoss(rows: readonly ScoredRow[], temperature: number): number {
  const losses = rows.map(({ logits, label, weight }) => {
    const probability = softmax(logits.map((logit) => logit / temperature))[label]!;
    return -weight * Math.log(Math.max(probability, Number.MIN_VALUE));
  });
  return losses.reduce((a, b) => a + b, 0) / rows.reduce((sum, { weight }) => sum + weight, 0);
}
