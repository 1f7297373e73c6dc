import assert from "node:assert/strict";
import { test } from "node:test";
import type { TrainingResult } from "../evaluation/training_results.ts";
import type { DomainRow } from "../training/domain_table.ts";
import { REGIMES } from "../training/domain_training.ts";
import type { CurveRow } from "../training/learning_curve.ts";
import type { FineTuningResult } from "../../fine_tuning/results_table.ts";
import { keyFindings } from "./key_findings.ts";
import type { StudyEvidence } from "./study_evidence.ts";
import { trainingPart } from "./training_part.ts";

const NOTHING: StudyEvidence = {
  ...{
    comparisons: [],
    human: [],
    test: [],
    claimLabels: [],
    responseClaims: [],
    profiles: [],
    uncertainty: [],
  },
  ...{ abstention: [], abstentionMeasured: [], concepts: [], robustness: undefined, bbq: [] },
  ...{ curve: [], ablation: [], domain: [], fineTuning: [] },
  onResponses: {
    outcomes: [{ cluster: "q", truth: "refuted", predicted: "supported" }],
    accuracy: { kind: "unavailable", reason: "one question" },
    balancedAccuracy: { kind: "unavailable", reason: "one question" },
    binaryBalancedAccuracy: { kind: "unavailable", reason: "one question" },
  },
};

const TEST: TrainingResult = {
  ...{ step: "result", set: "factbook claims, test", verifier: "trained verifier", n: 10 },
  reading: "binary",
  ...{ clusters: 2, accuracy: 0.9, balanced_accuracy: 0.91, low: 0.8, high: 1 },
  ...{ macro_f1: 0.9, calibration_error: 0.01, brier: 0.1 },
};

function curveRow(countries: number, balanced_accuracy: number): CurveRow {
  return {
    ...{ features: "readable", head: "logistic", share: countries / 40, countries, claims: 9 },
    ...{ seed: "mean", reading: "binary", n: 10, clusters: 2, balanced_accuracy },
    ...{ low: balanced_accuracy - 0.1, high: balanced_accuracy + 0.05 },
  };
}

const DOMAIN: DomainRow = {
  ...{ features: "readable", head: "logistic", trained_on: REGIMES[3], set: "people", n: 40 },
  ...{ clusters: 20, balanced_accuracy: 0.8, low: 0.7, high: 0.9 },
  ...{ difference: 0.1, difference_low: 0.05, difference_high: 0.15 },
};

const tuned = (model: string, estimate: number): FineTuningResult => ({
  ...{ model, set: "people", labels: "binary", metric: "balanced accuracy", n: 40, clusters: 20 },
  ...{ estimate, low: 0.6, high: 0.9, note: "" },
});

test("keyFindings() leaves out what was not measured, and says why a figure is not known", () => {
  const text = keyFindings(NOTHING);
  assert.match(text, /^1\. \*\*Claims that models make:\*\* .*– \(one question\)/);
  assert.match(text, /Of 1 claims that the knowledge base refutes it took 1 for supported/);
  assert.doesNotMatch(text, /^2\./m);
});

test("keyFindings() numbers its sentences, each with the files that its numbers stand in", () => {
  const text = keyFindings({
    ...{ ...NOTHING, test: [TEST], domain: [DOMAIN] },
    curve: [curveRow(2, 0.7), curveRow(20, 0.895), curveRow(40, 0.9)],
    fineTuning: [tuned("fine-tuned cross-encoder", 0.8), tuned("trained head", 0.7)],
  });
  assert.match(
    text,
    /^1\. \*\*Claims like those it learnt from: the verifier can be trusted\.\*\*/,
  );
  assert.match(text, /On 10 claims .* of 0\.91 \[0\.80, 1\.00\]\. \(`verifier_training\.csv`\)/);
  assert.match(text, /from 20 on it is within a point of all/);
  assert.match(text, /10\.0 \[5\.0, 15\.0\] on people \(n = 40\)/);
  assert.match(text, /0\.80 \[0\.60, 0\.90\] against 0\.70 \[0\.60, 0\.90\] on people \(n = 40\)/);
  assert.match(text, /^5\. /m);
});

test("trainingPart() says what to run where a table is not there", () => {
  const text = trainingPart(NOTHING);
  assert.match(
    text,
    /`data\/factuality\/fine_tuning_results\.csv` is not there\. Run `deno task finetune`/,
  );
});
