import {
  type Evidence,
  type Finding,
  type Provenance,
  type ScoredVerdict,
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

/** The verdict of a verifier that writes nothing: there is no text to parse, and no reasoning. */
export function scoredVerdict({ probabilities, evidence, findings = [], provenance }: {
  readonly probabilities: VerdictProbabilities;
  readonly evidence: readonly Evidence[];
  readonly findings?: readonly Finding[];
  readonly provenance: Provenance;
}): ScoredVerdict {
  return {
    kind: "scored",
    label: mostProbable(probabilities),
    probabilities,
    evidence,
    findings,
    parse: "not parsed",
    reasoning: "",
    provenance,
  };
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
