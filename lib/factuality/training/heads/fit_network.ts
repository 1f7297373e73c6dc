import type { RandomSource } from "../../../stats/random.ts";
import type { NetworkHead } from "../../verifiers/network_head.ts";
import { minimise } from "../lbfgs.ts";
import { standardisationOf } from "../standardisation.ts";
import { fitTemperature } from "../temperature.ts";
import { headLogits } from "../../verifiers/network_head.ts";
import { adam } from "./adam.ts";
import { type BestPoint, type EarlyStopping, earlyStopping } from "./early_stopping.ts";
import { allRows, headLoss } from "./head_loss.ts";
import { headOf, type HeadShape, initialParameters } from "./head_shape.ts";
import { type HeadRow, type TrainingTable, trainingTable } from "./training_table.ts";

/** How a head is trained. */
export interface FitOptions {
  readonly classes: number;
  /** Hidden units; 0 for a logistic head. */
  readonly hidden: number;
  /** Strength λ ≥ 0 of the penalty ½λ‖w‖² beside the mean loss. */
  readonly l2: number;
  /** Iterations without a better loss on the development part before it ends, ≥ 1. */
  readonly patience: number;
  readonly maxIterations: number;
  /** Of the first weights and the order of the rows; a logistic head needs none. */
  readonly random: RandomSource;
  /** Told of each iteration: of L-BFGS, or a pass of Adam over all rows. */
  readonly onIteration?: (progress: FitProgress) => void;
}

/** Losses in nats a claim, that of the training part with its penalty. */
export interface FitProgress {
  readonly iteration: number;
  readonly loss: number;
  readonly developmentLoss: number;
}

/** A head, and when its training was at its best. */
export interface FittedNetwork {
  readonly head: NetworkHead;
  readonly bestIteration: number;
  readonly iterations: number;
  /** Nats a claim of the development part, before the temperature. */
  readonly developmentLoss: number;
}

/** Rows a step of Adam; its usual rate. */
const BATCH = 32;
const LEARNING_RATE = 0.001;

interface Training {
  readonly table: TrainingTable;
  readonly shape: HeadShape;
  readonly options: FitOptions;
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
  train: readonly HeadRow[],
  development: readonly HeadRow[],
  options: FitOptions,
): FittedNetwork {
  requireParts(train, development);
  const standardisation = standardisationOf(train.map(({ input }) => input));
  const table = trainingTable(train, standardisation);
  const shape = { inputs: table.width, hidden: options.hidden, classes: options.classes };
  const heldBack = trainingTable(development, standardisation);
  const stopping = earlyStopping(options.patience);
  let iterations = 0;
  const observe = (point: Float64Array, loss: number, iteration: number) => {
    const developmentLoss = lossAt(heldBack, shape, point);
    iterations = iteration;
    options.onIteration?.({ iteration, loss, developmentLoss });
    return stopping.observe(point, developmentLoss, iteration);
  };
  const training = { table, shape, options, stopping, observe };
  const best = options.hidden === 0 ? byLbfgs(training) : byAdam(training);
  const untempered = { ...standardisation, ...headOf(best.point, shape) };
  const scored = development.map(({ input, label, weight }) => ({
    ...{ logits: headLogits(input, untempered), label, weight },
  }));
  const head = { ...untempered, temperature: fitTemperature(scored) };
  return { head, bestIteration: best.iteration, iterations, developmentLoss: best.loss };
}

function byLbfgs({ table, shape, options, stopping, observe }: Training): BestPoint {
  const { l2, maxIterations, random } = options;
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

function byAdam({ table, shape, options, stopping, observe }: Training): BestPoint {
  const { l2, maxIterations, random } = options;
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

function requireParts(train: readonly HeadRow[], development: readonly HeadRow[]): void {
  const empty = [train, development].findIndex((rows) => rows.length === 0);
  if (empty < 0) return;
  throw new RangeError(
    `Cannot train a head: the ${
      ["training", "development"][empty]
    } part has no claim with a vector.`,
  );
}
