import { randomSource } from "../../lib/stats/random.ts";
import type { LabelledCase } from "../../lib/factuality/cases/labelled_case.ts";
import type { Vector } from "../../lib/factuality/training/case_vectors.ts";
import { KNOWLEDGE_SET } from "../../lib/factuality/training/case_group.ts";
import { measureVerdicts, type Reading } from "../../lib/factuality/training/measured_verdicts.ts";
import { ofSplit, type TrainingRun } from "../../lib/factuality/training/training_run.ts";
import {
  baselineProbabilities,
  FEATURE_GROUPS,
  featuresOf,
  fitHead,
  measuredHead,
  type VectorCase,
} from "../../lib/factuality/training/verifier_fit.ts";
import type { BaselineSettings } from "../../lib/factuality/verifiers/baseline_settings.ts";
import { verdictProbabilities } from "../../lib/factuality/verifiers/trained_verifier.ts";
import type { VerifierWeights } from "../../lib/factuality/verifiers/verifier_weights.ts";
import type { ResultRow } from "./results.ts";

/** Cases of a set with their vectors. */
export interface MeasuredSet {
  readonly name: string;
  readonly cases: readonly LabelledCase[];
  readonly vectors: readonly Vector[];
}

/** The penalties tried and the groups left out, on the development split. */
export function trainingResults(cases: readonly VectorCase[], run: TrainingRun): ResultRow[] {
  const development = ofSplit(cases, "development");
  const set = `${KNOWLEDGE_SET}, development`;
  const penalties = run.trials.map(({ l2 }) => ({
    step: "penalty",
    set,
    verifier: `trained verifier, l2 ${l2}${l2 === run.l2 ? ", chosen" : ""}`,
    measured: measuredHead(development, fitHead(cases, l2, FEATURE_GROUPS), "binary"),
  }));
  const ablations = run.ablations.map(({ group, measured }) => ({
    step: "ablation",
    set,
    verifier: `trained verifier without ${group}`,
    measured,
  }));
  return [...penalties, ...ablations];
}

/** Every verifier on the splits that it was not fitted on, both ways. */
export function heldOutResults(
  cases: readonly VectorCase[],
  weights: VerifierWeights,
  baselines: BaselineSettings,
): ResultRow[] {
  return (["development", "test"] as const).flatMap((split) => {
    const own = ofSplit(cases, split);
    const set = {
      name: `${KNOWLEDGE_SET}, ${split}`,
      cases: own.map((one) => one.case),
      vectors: own.map((one) => one.vector),
    };
    return (["three-way", "binary"] as const).flatMap((reading) =>
      setResults(set, reading, weights, baselines)
    );
  });
}

function setResults(
  { name, cases, vectors }: MeasuredSet,
  reading: Reading,
  weights: VerifierWeights,
  baselines: BaselineSettings,
): ResultRow[] {
  const said = vectors.map((vector) =>
    vector && {
      "trained verifier": verdictProbabilities(featuresOf(vector), weights),
      ...baselineProbabilities(vector, baselines),
    }
  );
  const verifiers = ["trained verifier", "word overlap", "sentence cosine", "majority"] as const;
  return verifiers.map((verifier) => ({
    step: "result",
    set: name,
    verifier,
    measured: measureVerdicts(
      cases.map(({ label, cluster }, i) => ({
        label,
        cluster,
        probabilities: said[i]?.[verifier],
      })),
      reading,
      randomSource(`${name}/${verifier}/${reading}`),
    ),
  }));
}
