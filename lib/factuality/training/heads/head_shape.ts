import type { RandomSource } from "../../../stats/random.ts";
import type { NetworkHead } from "../../verifiers/network_head.ts";

/** How many numbers come in, hidden units there are (0: a logistic head), and classes go out. */
export interface HeadShape {
  readonly inputs: number;
  readonly hidden: number;
  readonly classes: number;
}

/**
 * Where a head's parameters lie in one array: a row a hidden unit (its weights, then its bias), then a
 * row a class (its coefficients over units or inputs, then its intercept).
 */
export function parameterCount({ inputs, hidden, classes }: HeadShape): number {
  return hidden * (inputs + 1) + classes * (outputInputs({ inputs, hidden }) + 1);
}

/** What the classes are computed from: hidden units, or the numbers that come in. */
export function outputInputs({ inputs, hidden }: Pick<HeadShape, "inputs" | "hidden">): number {
  return hidden === 0 ? inputs : hidden;
}

/**
 * Where training begins: a logistic head at zero, its loss having one minimum; units with weights
 * drawn uniformly with variance 2/inputs and classes with 1/units (He et al. 2015, arXiv 1502.01852,
 * §2.2), biases at zero.
 */
export function initialParameters(shape: HeadShape, random: RandomSource): Float64Array {
  const parameters = new Float64Array(parameterCount(shape));
  const { inputs, hidden } = shape;
  if (hidden === 0) return parameters;
  const start = hidden * (inputs + 1);
  const draw = (variance: number) => (2 * random.next() - 1) * Math.sqrt(3 * variance);
  for (let i = 0; i < parameters.length; i++) {
    const isBias = i < start ? i % (inputs + 1) === inputs : (i - start) % (hidden + 1) === hidden;
    if (!isBias) parameters[i] = draw(i < start ? 2 / inputs : 1 / hidden);
  }
  return parameters;
}

/** The parameters as named rows. */
export function headOf(
  parameters: Float64Array,
  { inputs, hidden, classes }: HeadShape,
): Pick<NetworkHead, "hidden" | "output"> {
  const start = hidden * (inputs + 1);
  const units = rowsOf(parameters.subarray(0, start), hidden);
  const output = rowsOf(parameters.subarray(start), classes);
  return {
    hidden: hidden === 0 ? undefined : { weights: units.rows, biases: units.last },
    output: { coefficients: output.rows, intercepts: output.last },
  };
}

function rowsOf(values: Float64Array, count: number) {
  const width = count === 0 ? 0 : values.length / count;
  const all = Array.from(
    { length: count },
    (_, k) => Array.from(values.subarray(k * width, (k + 1) * width)),
  );
  return { rows: all.map((row) => row.slice(0, -1)), last: all.map((row) => row.at(-1)!) };
}
