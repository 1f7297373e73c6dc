import { fileURLToPath } from "node:url";

const inProject = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/**
 * Where the study's files lie, wherever the notebook or task was started from. A table that a
 * `tables.ts` describes knows its own path; here is what no table describes, and what notebooks name.
 */
export const FACTUALITY_PATHS = {
  cache: inProject(".cache"),
  /** Indexes of knowledge bases, by content hash. */
  retrievalCache: inProject(".cache/retrieval"),
  configuration: inProject("data/factuality/evaluation.yaml"),
  prompts: inProject("data/factuality/prompts.yaml"),
  verifierWeights: inProject("data/factuality/verifier_weights.json"),
  /** Thresholds of the baselines. */
  verifierBaselines: inProject("data/factuality/verifier_baselines.json"),
  verifierTraining: inProject("data/factuality/verifier_training.csv"),
  judgeScores: inProject("data/factuality/judge_scores.csv"),
  judgeCalibration: inProject("data/factuality/judge_calibration.json"),
  knowledgeCases: inProject("data/factuality/knowledge_cases.csv"),
  claimCoverage: inProject("data/factuality/claim_coverage.csv"),
  componentAnswers: inProject("data/factuality/component_answers.csv"),
  humanLabelled: inProject("data/factuality/human_labelled.csv"),
  /** Loss by step, and what was measured before and after. */
  fineTuningLoss: inProject("data/factuality/fine_tuning_loss.csv"),
  fineTuningResults: inProject("data/factuality/fine_tuning_results.csv"),
  figures: inProject("figures/factuality"),
  results: inProject("RESULTS.md"),
} as const;
