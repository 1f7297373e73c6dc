import { softmax } from "../../stats/softmax.ts";
import { minimise, type Objective } from "./lbfgs.ts";

/** One row of a training table. */
export interface TrainingRow {
  readonly features: readonly number[];
  /** Index of the class, 0 … classes − 1. */
  readonly label: number;
  /** How much the row counts, > 0; 1 where all count alike. */
  readonly weight: number;
}

export interface LogisticOptions {
  readonly classes: number;
  /**
   * Strength λ ≥ 0 of the penalty ½λ‖w‖² beside the *mean* loss; intercepts are not penalised.
   * λ = 1/(C·n) in scikit-learn's terms.
   */
  readonly l2: number;
}

/** Weights of a multinomial logistic regression. */
export interface LogisticWeights {
  /** One row of coefficients a class, one coefficient a feature. */
  readonly coefficients: readonly (readonly number[])[];
  readonly intercepts: readonly number[];
}

/** The gradient's tolerance and the iterations are far past what changes a fourth decimal. */
const FIT = { tolerance: 1e-7, maxIterations: 1_000 };

/**
 * L2-regularised multinomial logistic regression (softmax over all classes; Hastie, Tibshirani &
 * Friedman 2009, §4.4), fitted by L-BFGS from zero: no chance in it. Features are taken as they
 * are; standardise them first, or the penalty falls on small scales.
 * @throws {RangeError} without rows, for a label out of range or a value that is not finite.
 */
export function fitLogistic(
  rows: readonly TrainingRow[],
  options: LogisticOptions,
): LogisticWeights {
  const width = requireRows(rows, options.classes);
  const start = new Float64Array(options.classes * (width + 1));
  const { point } = minimise(logisticLoss(rows, options), start, FIT);
  const row = (k: number) => Array.from(point.subarray(k * (width + 1), (k + 1) * (width + 1)));
  const classes = Array.from({ length: options.classes }, (_, k) => row(k));
  return {
    coefficients: classes.map((values) => values.slice(0, width)),
    intercepts: classes.map((values) => values[width]!),
  };
}

/**
 * The penalised mean loss as a function of the weights: for each class its coefficients, then its
 * intercept. In nats.
 */
export function logisticLoss(
  rows: readonly TrainingRow[],
  { classes, l2 }: LogisticOptions,
): Objective {
  const width = rows[0]!.features.length;
  const table = Float64Array.from(rows.flatMap((row) => [...row.features, 1]));
  const total = rows.reduce((sum, row) => sum + row.weight, 0);
  return (point, gradient) => {
    gradient.fill(0);
    let loss = 0;
    rows.forEach(({ label, weight }, i) => {
      const features = table.subarray(i * (width + 1), (i + 1) * (width + 1));
      const probabilities = softmax(scores(features, point, classes));
      loss -= weight * Math.log(Math.max(probabilities[label]!, Number.MIN_VALUE)) / total;
      probabilities.forEach((p, k) => {
        const push = weight * (p - (k === label ? 1 : 0)) / total;
        const offset = k * features.length;
        for (let j = 0; j < features.length; j++) gradient[offset + j]! += push * features[j]!;
      });
    });
    return loss + penalty(point, gradient, width, l2);
  };
}

/** Probability of each class, in order; together 1. */
export function classProbabilities(
  features: readonly number[],
  { coefficients, intercepts }: LogisticWeights,
  temperature = 1,
): number[] {
  const logits = coefficients.map((row, k) =>
    row.reduce((sum, weight, j) => sum + weight * features[j]!, intercepts[k]!) / temperature
  );
  return softmax(logits);
}

function scores(features: Float64Array, point: Float64Array, classes: number): number[] {
  return Array.from({ length: classes }, (_, k) => {
    let sum = 0;
    const offset = k * features.length;
    for (let j = 0; j < features.length; j++) sum += point[offset + j]! * features[j]!;
    return sum;
  });
}

/** Adds the penalty's gradient; the intercepts, last of each class, go free. */
function penalty(point: Float64Array, gradient: Float64Array, width: number, l2: number): number {
  let squares = 0;
  point.forEach((weight, i) => {
    if (i % (width + 1) === width) return;
    squares += weight ** 2;
    gradient[i]! += l2 * weight;
  });
  return l2 * squares / 2;
}

function requireRows(rows: readonly TrainingRow[], classes: number): number {
  const width = rows[0]?.features.length;
  if (width === undefined) throw new RangeError("Cannot fit a logistic regression: no rows.");
  rows.forEach(({ features, label, weight }, i) => {
    const sound = features.length === width && features.every(Number.isFinite) && weight > 0;
    if (!sound) {
      throw new RangeError(
        `Cannot fit a logistic regression: row ${i} has not ${width} finite features and a weight over 0.`,
      );
    }
    if (!Number.isInteger(label) || label < 0 || label >= classes) {
      throw new RangeError(
        `Cannot fit a logistic regression: label ${label} of row ${i} is not in 0 … ${
          classes - 1
        }.`,
      );
    }
  });
  return width;
}
