/**
 * Natural logarithm of Σ exp(xᵢ), the denominator of a softmax, over float32 logits.
 *
 * A vocabulary has up to 262,144 entries, and there is one such sum a token; `Math.exp` would cost
 * more than the model. So exp is read from a table at steps of 1/256 octave and carried to the
 * exact place by a second-order Taylor polynomial: relative error below 5e-10 a term, against
 * 6e-8 in the float32 logits themselves. Terms that lie 126 octaves under the largest count as 0.
 */

const STEPS_PER_OCTAVE = 256;
const OCTAVES = 126;
const STEP = Math.LN2 / STEPS_PER_OCTAVE;
const STEPS_PER_NAT = 1 / STEP;

const TABLE = Float64Array.from(
  { length: STEPS_PER_OCTAVE * OCTAVES + 2 },
  (_, index) => Math.exp(-index * STEP),
);
const LAST = TABLE.length - 1;

function largest(logits: Float32Array, from: number, to: number): number {
  let a = -Infinity;
  let b = -Infinity;
  const even = from + ((to - from) & ~1);
  for (let i = from; i < even; i += 2) {
    const x = logits[i]!;
    const y = logits[i + 1]!;
    a = x > a ? x : a;
    b = y > b ? y : b;
  }
  for (let i = even; i < to; i++) a = Math.max(a, logits[i]!);
  return a > b ? a : b;
}

/**
 * log Σ exp(logits[i]) for from ≤ i < to, in nats.
 *
 * @throws {RangeError} where the range is empty or holds a value that is not finite.
 */
export function logSumExp(logits: Float32Array, from = 0, to = logits.length): number {
  const top = largest(logits, from, to);
  if (!Number.isFinite(top)) {
    throw new RangeError(`Cannot sum ${to - from} logits: the largest is ${top}`);
  }
  let sum = 0;
  for (let i = from; i < to; i++) {
    const steps = (top - logits[i]!) * STEPS_PER_NAT;
    if (steps < LAST) {
      const index = (steps + 0.5) | 0;
      const rest = (index - steps) * STEP;
      sum += TABLE[index]! * (1 + rest * (1 + rest * 0.5));
    }
  }
  return top + Math.log(sum);
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
  const from = row * width;
  const total = logSumExp(logits, from, from + width);
  return tokens.map((token) => {
    if (token < 0 || token >= width) {
      throw new RangeError(`Cannot read token ${token}: the vocabulary has ${width} entries`);
    }
    return logits[from + token]! - total;
  });
}
