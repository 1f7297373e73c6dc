import {
  type Provenance,
  type Unscored,
  VERDICT_LABELS,
  type VerdictLabel,
  type VerdictProbabilities,
} from "../verdicts/verdict.ts";

/** The label with the greatest probability; the first in the order of tables among equals. */
export function mostProbable(probabilities: VerdictProbabilities): VerdictLabel {
  return VERDICT_LABELS.reduce((best, label) =>
    probabilities[label] > probabilities[best] ? label : best
  );
}

/** Where there is no sentence to hold the claim against. */
export function withoutEvidence(provenance: Provenance): Unscored {
  return {
    kind: "unscored",
    reason: "no evidence",
    message: "There is no source to hold the claim against.",
    partialText: undefined,
    provenance,
  };
}
