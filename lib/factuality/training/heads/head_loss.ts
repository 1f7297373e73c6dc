import { softmax } from "../../../stats/softmax.ts";
import { type HeadShape, outputInputs } from "./head_shape.ts";
import type { TrainingTable } from "./training_table.ts";

/** Which rows of a table, by index. */
export type RowIndices = Uint32Array;

/** A head's parameters, and where the gradient of the loss is added up. */
interface Pass {
  readonly shape: HeadShape;
  readonly point: Float64Array;
  readonly gradient: Float64Array | undefined;
}

/** Every row of a table. */
export function allRows({ n }: TrainingTable): RowIndices {
  return Uint32Array.from({ length: n }, (_, i) => i);
}

/**
 * Weighted mean cross-entropy in nats of the rows, plus the penalty ½λ‖w‖² of everything but biases
 * and intercepts; the gradient is written into `gradient` where there is one. Of no hidden units it
 * is `logisticLoss`.
 */
export function headLoss(
  table: TrainingTable,
  rows: RowIndices,
  { l2, ...pass }: Pass & { readonly l2: number },
): number {
  pass.gradient?.fill(0);
  const total = rows.reduce((sum, row) => sum + table.weights[row]!, 0);
  const activity = new Float64Array(pass.shape.hidden);
  let loss = 0;
  for (const row of rows) loss += rowLoss(table, row, total, activity, pass);
  return loss + penalty(pass, l2);
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
  const values = shape.hidden === 0 ? x : activate(x, activity, point);
  const shares = softmax(logits(values, shape, point));
  const [label, weight] = [table.labels[row]!, table.weights[row]! / total];
  if (gradient !== undefined) {
    const push = shares.map((share, k) => weight * (share - (k === label ? 1 : 0)));
    pushOutput(values, push, shape, gradient);
    if (shape.hidden > 0) pushHidden(x, activity, push, { shape, point, gradient });
  }
  return -weight * Math.log(Math.max(shares[label]!, Number.MIN_VALUE));
}

/** max(0, w·x + b) of each unit, written into `activity`. */
function activate(x: Float64Array, activity: Float64Array, point: Float64Array): Float64Array {
  const width = x.length;
  for (let unit = 0; unit < activity.length; unit++) {
    const sum = rowTimes(point, unit * (width + 1), x);
    activity[unit] = sum > 0 ? sum : 0;
  }
  return activity;
}

function outputStart({ hidden, inputs }: HeadShape): number {
  return hidden * (inputs + 1);
}

function logits(
  values: Float64Array,
  shape: HeadShape,
  point: Float64Array,
): number[] {
  const width = values.length;
  return Array.from(
    { length: shape.classes },
    (_, k) => rowTimes(point, outputStart(shape) + k * (width + 1), values),
  );
}

/** w·x + b of the row that begins there. */
function rowTimes(point: Float64Array, offset: number, x: Float64Array): number {
  const width = x.length;
  let sum = point[offset + width]!;
  for (let j = 0; j < width; j++) sum += point[offset + j]! * x[j]!;
  return sum;
}

function pushOutput(
  values: Float64Array,
  push: readonly number[],
  shape: HeadShape,
  gradient: Float64Array,
): void {
  const width = values.length;
  push.forEach((step, k) => {
    const offset = outputStart(shape) + k * (width + 1);
    for (let j = 0; j < width; j++) gradient[offset + j]! += step * values[j]!;
    gradient[offset + width]! += step;
  });
}

/** Back through the units that were active; at exactly 0 the slope is taken as 0. */
function pushHidden(
  x: Float64Array,
  activity: Float64Array,
  push: readonly number[],
  { shape, point, gradient }: Pass & { readonly gradient: Float64Array },
): void {
  const { hidden } = shape;
  const width = x.length;
  const start = outputStart(shape);
  for (let unit = 0; unit < hidden; unit++) {
    if (activity[unit] === 0) continue;
    let step = 0;
    push.forEach((by, k) => step += by * point[start + k * (hidden + 1) + unit]!);
    const offset = unit * (width + 1);
    for (let j = 0; j < width; j++) gradient[offset + j]! += step * x[j]!;
    gradient[offset + width]! += step;
  }
}

/** Biases and intercepts, the last of each row, go free. */
function penalty({ shape, point, gradient }: Pass, l2: number): number {
  const start = outputStart(shape);
  const [unitRow, classRow] = [shape.inputs + 1, outputInputs(shape) + 1];
  let squares = 0;
  for (let i = 0; i < point.length; i++) {
    const isLast = i < start
      ? i % unitRow === unitRow - 1
      : (i - start) % classRow === classRow - 1;
    if (isLast) continue;
    squares += point[i]! ** 2;
    if (gradient !== undefined) gradient[i]! += l2 * point[i]!;
  }
  return l2 * squares / 2;
}
