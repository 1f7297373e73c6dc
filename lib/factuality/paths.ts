import { fileURLToPath } from "node:url";

const inProject = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** The study's files, wherever the notebook or task was started from. */
export const FACTUALITY_PATHS = {
  cache: inProject(".cache"),
  /** Indexes of knowledge bases, by content hash. */
  retrievalCache: inProject(".cache/retrieval"),
  configuration: inProject("data/factuality/evaluation.yaml"),
  prompts: inProject("data/factuality/prompts.yaml"),
  biasLexicon: inProject("data/factuality/bias_lexicon.csv"),
  verifierWeights: inProject("data/factuality/verifier_weights.json"),
  /** Thresholds of the baselines. */
  verifierBaselines: inProject("data/factuality/verifier_baselines.json"),
  verifierTraining: inProject("data/factuality/verifier_training.csv"),
  judgeCalibration: inProject("data/factuality/judge_calibration.json"),
  /** What notebook 41 writes: claims about countries that nothing was trained on. */
  knowledgeCases: inProject("data/factuality/knowledge_cases.csv"),
  /** Kept by `deno task coverage`. */
  claimCoverage: inProject("data/factuality/claim_coverage.csv"),
  /** Kept by `deno task bench thresholds`. */
  retrievalThresholds: inProject("data/factuality/retrieval_thresholds.csv"),
  componentAnswers: inProject("data/factuality/component_answers.csv"),
  disagreements: inProject("data/factuality/disagreements.csv"),
  humanLabelled: inProject("data/factuality/human_labelled.csv"),
  /** With `.json`, `.csv`, `.md` and `.html` after it. */
  exampleReport: inProject("data/factuality/example_report"),
  figures: inProject("figures/factuality"),
  results: inProject("RESULTS.md"),
} as const;
