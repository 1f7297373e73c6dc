import { randomSource } from "../../stats/random.ts";
import { FEATURE_NAMES, type FeatureGroup, FEATURES } from "../features/features.ts";
import { verdictProbabilities } from "../verifiers/trained_verifier.ts";
import {
  VERDICT_LABELS,
  type VerdictLabel,
  type VerdictProbabilities,
} from "../verdicts/verdict.ts";
import type { BaselineSettings } from "../verifiers/baseline_settings.ts";
import { scoreProbabilities } from "../verifiers/score_verifier.ts";
import type { Vector } from "./case_vectors.ts";
import type { KnowledgeCase } from "./knowledge_case.ts";
import { type MeasuredVerdicts, measureVerdicts, type Reading } from "./measured_verdicts.ts";
import { fitScoreCalibration } from "./score_calibration.ts";
import { type TrainedHead, trainHead } from "./train_head.ts";

/** A case with its vector: the features; outside training also word overlap and sentence cosine. */
export interface VectorCase {
  readonly case: KnowledgeCase;
  readonly vector: Vector;
}

/** All groups of features, in the order of the table. */
export const FEATURE_GROUPS: readonly FeatureGroup[] = [
  ...new Set(FEATURES.map(({ group }) => group)),
];

/** Penalties tried; the selection is by what the head has not seen. */
const PENALTIES: readonly number[] = [0.0001, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3];

/** Balanced accuracy of a penalty on what was left out of training. */
export interface PenaltyTrial {
  readonly l2: number;
  readonly balancedAccuracy: number;
}

/**
 * For each penalty: trained without one form of source or one kind of statement, measured on it in
 * the development split (binary reading), averaged. The penalty that carries over best to what was
 * never seen is the one for texts of other people.
 */
export function tryPenalties(cases: readonly VectorCase[]): readonly PenaltyTrial[] {
  const leftOut = [...sharing(cases, "form"), ...sharing(cases, "kind")];
  return PENALTIES.map((l2) => {
    const values = leftOut.map((isLeftOut) => {
      const head = fitHead(cases.filter((one) => !isLeftOut(one)), l2, FEATURE_GROUPS);
      const unseen = cases.filter((one) => isLeftOut(one) && one.case.split === "development");
      return measuredHead(unseen, head, "binary").balancedAccuracy;
    }).filter((value) => typeof value === "number");
    return { l2, balancedAccuracy: values.reduce((a, b) => a + b, 0) / values.length };
  });
}

/** A test for each form of source, or each kind of statement, where the cases have several. */
function sharing(
  cases: readonly VectorCase[],
  what: "form" | "kind",
): readonly ((one: VectorCase) => boolean)[] {
  const values = [...new Set(cases.map((one) => one.case[what]))].sort();
  // Of one value nothing would be left to learn from.
  return values.length < 2 ? [] : values.map((value) => (one) => one.case[what] === value);
}

/** The trial with the best balanced accuracy; the strongest penalty of equals. */
export function bestPenalty(trials: readonly PenaltyTrial[]): number {
  return trials.reduce((best, trial) =>
    trial.balancedAccuracy >= best.balancedAccuracy ? trial : best
  ).l2;
}

/** Fits the head on the train and development splits of the cases. */
export function fitHead(
  cases: readonly VectorCase[],
  l2: number,
  groups: readonly FeatureGroup[],
): TrainedHead {
  const rows = (split: string) => {
    const own = cases.filter((one) => one.case.split === split && one.vector !== undefined);
    const counts = new Map(VERDICT_LABELS.map((label) => [label, countOf(own, label)]));
    return own.map((one) => ({
      values: featuresOf(one.vector!),
      label: one.case.label,
      weight: PRIOR[one.case.label] * own.length / counts.get(one.case.label)!,
    }));
  };
  return trainHead(rows("train"), rows("development"), { l2, groups });
}

/**
 * Of the labels in training, whatever the shares of the cases made: so P(supported) ≥ 0.5 is where
 * as much speaks for as against, and neither kind of the rest is favoured.
 */
const PRIOR: VerdictProbabilities = { supported: 0.5, refuted: 0.25, "not enough info": 0.25 };

function countOf(cases: readonly VectorCase[], label: VerdictLabel): number {
  return cases.filter((one) => one.case.label === label).length;
}

/** What a head says of cases, measured. The seed of the interval is fixed: it is no result. */
export function measuredHead(
  cases: readonly VectorCase[],
  head: TrainedHead,
  reading: Reading,
): MeasuredVerdicts {
  const judged = cases.map((one) => ({
    label: one.case.label,
    cluster: one.case.cluster,
    probabilities: one.vector && verdictProbabilities(featuresOf(one.vector), head),
  }));
  return measureVerdicts(judged, reading, randomSource("measured head"));
}

/** Thresholds of the baselines from the development split. */
export function fitBaselines(cases: readonly VectorCase[]): BaselineSettings {
  const development = cases.filter((one) =>
    one.case.split === "development" && one.vector !== undefined
  );
  const scored = (place: number) =>
    fitScoreCalibration(development.map((one) => ({
      score: one.vector![FEATURE_NAMES.length + place]!,
      label: one.case.label,
    })));
  const share = (label: VerdictLabel) =>
    development.filter((one) => one.case.label === label).length / development.length;
  const [supported, refuted, missing] = VERDICT_LABELS.map(share) as [number, number, number];
  return {
    majority: { supported, refuted, "not enough info": missing },
    overlap: scored(0),
    cosine: scored(1),
  };
}

/** What each baseline says of a vector. */
export function baselineProbabilities(
  vector: readonly number[],
  settings: BaselineSettings,
): Readonly<Record<"majority" | "word overlap" | "sentence cosine", VerdictProbabilities>> {
  const [overlap, cosine] = vector.slice(FEATURE_NAMES.length) as [number, number];
  return {
    majority: settings.majority,
    "word overlap": scoreProbabilities(overlap, settings.overlap),
    "sentence cosine": scoreProbabilities(cosine, settings.cosine),
  };
}

/** The part of a vector that the head reads. */
export function featuresOf(vector: readonly number[]): readonly number[] {
  return vector.slice(0, FEATURE_NAMES.length);
}
