import { type FeatureGroup, FEATURES } from "../features/features.ts";
import { VERDICT_LABELS, type VerdictLabel } from "../verdicts/verdict.ts";
import { fitLogistic, type LogisticWeights } from "./multinomial_logistic.ts";
import { type Standardisation, standardisationOf, standardise } from "./standardisation.ts";
import { fitTemperature } from "./temperature.ts";

/** A case's vector, its label, and how much it counts. */
export interface LabelledVector {
  readonly values: readonly number[];
  readonly label: VerdictLabel;
  readonly weight: number;
}

export interface HeadOptions {
  /** Penalty of the weights, ≥ 0; see `fitLogistic`. */
  readonly l2: number;
  /** Groups of features that may be used; the others' coefficients are 0. */
  readonly groups: readonly FeatureGroup[];
}

/** Everything between a vector of features and three probabilities. */
export interface TrainedHead extends Standardisation, LogisticWeights {
  readonly temperature: number;
}

/**
 * Standardises by the training split, fits the head on it, and the temperature on the development
 * split.
 * @throws {RangeError} where a split is empty.
 */
export function trainHead(
  train: readonly LabelledVector[],
  development: readonly LabelledVector[],
  { l2, groups }: HeadOptions,
): TrainedHead {
  const used = FEATURES.map(({ group }) => groups.includes(group));
  const standardisation = standardisationOf(train.map(({ values }) => values));
  const inUse = (values: readonly number[]) =>
    standardise(values, standardisation).filter((_, i) => used[i]);
  const weights = fitLogistic(
    train.map(({ values, label, weight }) => ({
      features: inUse(values),
      label: VERDICT_LABELS.indexOf(label),
      weight,
    })),
    { classes: VERDICT_LABELS.length, l2 },
  );
  const temperature = fitTemperature(development.map(({ values, label, weight }) => ({
    logits: logits(inUse(values), weights),
    label: VERDICT_LABELS.indexOf(label),
    weight,
  })));
  return { ...standardisation, ...widened(weights, used), temperature };
}

function logits(features: readonly number[], { coefficients, intercepts }: LogisticWeights) {
  return coefficients.map((row, k) =>
    row.reduce((sum, weight, i) => sum + weight * features[i]!, intercepts[k]!)
  );
}

/** With a 0 for each feature that was left out. */
function widened(weights: LogisticWeights, used: readonly boolean[]): LogisticWeights {
  return {
    intercepts: weights.intercepts,
    coefficients: weights.coefficients.map((row) => {
      let next = 0;
      return used.map((isUsed) => (isUsed ? row[next++]! : 0));
    }),
  };
}
