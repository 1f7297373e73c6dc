import { softmax } from "../../stats/softmax.ts";
import type { LogisticWeights } from "../training/multinomial_logistic.ts";
import { type Standardisation, standardise } from "../training/standardisation.ts";

/** A layer of units between the numbers that come in and the classes; each is max(0, w·x + b). */
export interface HiddenLayer {
  /** One row a unit, one weight a number that comes in. */
  readonly weights: readonly (readonly number[])[];
  readonly biases: readonly number[];
}

/** Everything between a vector and the probabilities of classes: logistic, or with a hidden layer. */
export interface NetworkHead extends Standardisation {
  readonly hidden: HiddenLayer | undefined;
  /** Over the hidden units, or over the vector itself where there are none. */
  readonly output: LogisticWeights;
  /** What logits are divided by, > 0. */
  readonly temperature: number;
}

/** The classes' logits, before the temperature, in order. */
export function headLogits(
  input: readonly number[],
  { hidden, output, ...scaling }: Omit<NetworkHead, "temperature">,
): readonly number[] {
  const scaled = standardise(input, scaling);
  const values = hidden === undefined
    ? scaled
    : hidden.weights.map((row, unit) => Math.max(0, dot(row, scaled) + hidden.biases[unit]!));
  return output.coefficients.map((row, k) => dot(row, values) + output.intercepts[k]!);
}

/** The probability of each class, in order; together 1. */
export function headProbabilities(input: readonly number[], head: NetworkHead): number[] {
  return softmax(headLogits(input, head).map((logit) => logit / head.temperature));
}

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
