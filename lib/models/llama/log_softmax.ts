import { instantiateSumExp } from "./sum_exp_wasm.ts";

const module = instantiateSumExp();
let cells = new Float32Array(module.memory.buffer);

const PAGE_BYTES = 65536;
const LANES = 4;

/** Copies values to the start of the module's memory, padded to whole lanes; returns their end in bytes. */
function lay(values: Float32Array): number {
  const length = Math.ceil(values.length / LANES) * LANES;
  if (length > cells.length) {
    module.memory.grow(Math.ceil((length - cells.length) * 4 / PAGE_BYTES));
    cells = new Float32Array(module.memory.buffer);
  }
  cells.set(values);
  cells.fill(-Infinity, values.length, length);
  return length * 4;
}

/**
 * log Σ exp(xᵢ) in nats over float32 logits: the logarithm of a softmax's denominator. Agrees with
 * float64 arithmetic within 1e-6.
 *
 * @throws {RangeError} where there are no logits, or the largest is not finite.
 */
export function logSumExp(logits: Float32Array): number {
  if (logits.length === 0) throw new RangeError("Cannot sum logits: there are none");
  const end = lay(logits);
  const top = module.largest(end);
  if (!Number.isFinite(top)) {
    throw new RangeError(`Cannot sum ${logits.length} logits: the largest is ${top}`);
  }
  return top + Math.log(module.sumExp(end, top));
}

/**
 * Log-probability in nats of each token, given one row of logits.
 *
 * @param logits Rows of `width` logits, one after the other.
 * @throws {RangeError} for a row or token outside them.
 */
export function logProbabilities(
  logits: Float32Array,
  width: number,
  row: number,
  tokens: readonly number[],
): readonly number[] {
  const values = logits.subarray(row * width, (row + 1) * width);
  const total = logSumExp(values);
  return tokens.map((token) => {
    const logit = values[token];
    if (logit === undefined) {
      throw new RangeError(`Cannot read token ${token}: the vocabulary has ${width} entries`);
    }
    return logit - total;
  });
}
