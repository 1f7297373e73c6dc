import type { Uncertainty, UncertaintyParts } from "../../../stats/uncertainty_decomposition.ts";
import type { Unavailable } from "../../../stats/unavailable.ts";
import type { QuestionUncertainty } from "./question_uncertainty.ts";

/** A number that is to be higher where the answer is wrong. */
export interface UncertaintyMeasure {
  readonly name: string;
  /** Whether it is a share of its greatest value, so that a threshold has a meaning. */
  readonly normalised: boolean;
  /** Undefined where it could not be computed. */
  of(question: QuestionUncertainty): number | undefined;
}

const part = (found: Uncertainty | Unavailable, name: keyof UncertaintyParts) =>
  found.kind === "uncertainty" ? found.normalised[name] : undefined;

function parts(form: string, key: "byEntropy" | "byVariance"): readonly UncertaintyMeasure[] {
  return (["total", "aleatoric", "epistemic"] as const).map((name) => ({
    name: `${name}, by ${form}`,
    normalised: true,
    of: (question) => part(question[key], name),
  }));
}

/** Both decompositions, and what is to be had without: one answer's doubt, and the thought's entropy. */
export const UNCERTAINTY_MEASURES: readonly UncertaintyMeasure[] = [
  ...parts("entropy", "byEntropy"),
  ...parts("variance", "byVariance"),
  { name: "1 − confidence", normalised: false, of: ({ confidence }) => 1 - confidence },
  {
    name: "token entropy of the thoughts",
    normalised: false,
    of: ({ tokenEntropy }) => tokenEntropy,
  },
];
