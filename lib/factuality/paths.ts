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
  /** What models are asked about countries; the answers; their claims with verdicts. */
  questions: inProject("data/factuality/questions.csv"),
  modelResponses: inProject("data/factuality/model_responses.csv"),
  responseClaims: inProject("data/factuality/response_claims.csv"),
  /** The same claims as several raters classify them. */
  claimRatings: inProject("data/factuality/claim_ratings.csv"),
  /** Probabilities of the options of a question, a row a sampled thought. */
  choiceSamples: inProject("data/factuality/choice_samples.csv"),
  /** Questions about what does not exist, and what does; answers, labelled; what recognises them. */
  abstentionQueries: inProject("data/factuality/abstention_queries.csv"),
  abstentionAnswers: inProject("data/factuality/abstention_answers.csv"),
  abstentionClassifier: inProject("data/factuality/abstention_classifier.json"),
  hallucinationProfiles: inProject("data/factuality/hallucination_profiles.json"),
  hallucinationProfilesPage: inProject("data/factuality/hallucination_profiles.html"),
  /** True texts, perturbed and reworded; what every component says of them; the report. */
  robustnessCases: inProject("data/factuality/robustness_cases.csv"),
  robustnessAnswers: inProject("data/factuality/robustness_answers.csv"),
  /** Of some cases, what a reader found on reading them against their sources. */
  robustnessLabels: inProject("data/factuality/robustness_labels.csv"),
  /** With `.json` and `.csv` after it. */
  robustnessReport: inProject("data/factuality/robustness_report"),
  pairwiseOrders: inProject("data/factuality/pairwise_orders.csv"),
  repeatedScores: inProject("data/factuality/repeated_scores.csv"),
  swapScores: inProject("data/factuality/swap_scores.csv"),
  /** Aggregates only: BBQ is not part of the project. */
  bbqResults: inProject("data/factuality/bbq_results.csv"),
  learningCurve: inProject("data/factuality/learning_curve.csv"),
  verifierAblation: inProject("data/factuality/verifier_ablation.csv"),
  /** What training on texts of one's own kind gives. Aggregates only. */
  domainTraining: inProject("data/factuality/domain_training.csv"),
  /** Loss by step, and what was measured before and after. */
  fineTuningLoss: inProject("data/factuality/fine_tuning_loss.csv"),
  fineTuningResults: inProject("data/factuality/fine_tuning_results.csv"),
  /** Our statistics against Python's on random tables: kept by `deno task bench metrics`. */
  metricAgreement: inProject("data/factuality/metric_agreement.csv"),
  figures: inProject("figures/factuality"),
  results: inProject("RESULTS.md"),
} as const;
