import { fileURLToPath } from "node:url";

const inProject = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Every file of the study, wherever the notebook or task was started from. */
export const NORSE_PATHS = {
  project: inProject("."),
  sentences: inProject("data/norse/sentences.csv"),
  exclusions: inProject("data/norse/exclusions.csv"),
  pairs: inProject("data/norse/minimal_pairs.csv"),
  certificates: inProject("data/norse/certificates.csv"),
  rejections: inProject("data/norse/rejections.csv"),
  blindReview: inProject("data/norse/blind_review.csv"),
  responses: inProject("data/norse/evaluation_results.csv"),
  likelihoods: inProject("data/norse/likelihoods.csv"),
  responseSettings: inProject("data/norse/evaluation_settings.json"),
  invalidAnswers: inProject("data/norse/invalid_answers.csv"),
  likelihoodSettings: inProject("data/norse/likelihood_settings.json"),
  metrics: inProject("data/norse/metrics.csv"),
  statistics: inProject("data/norse/statistics.csv"),
  artefacts: inProject("data/norse/artefacts.csv"),
  balancedSubset: inProject("data/norse/balanced_subset.csv"),
  precision: inProject("data/norse/precision.csv"),
  agreement: inProject("data/norse/pytorch_agreement.csv"),
  served: inProject("data/norse/served_agreement.csv"),
  panel: inProject("data/panels/local.yaml"),
  hostedPanel: inProject("data/panels/groq.yaml"),
  env: inProject(".env"),
  usage: inProject(".cache/hosted/usage.json"),
  answersLock: inProject(".cache/answers.lock"),
  figures: inProject("figures/norse"),
  results: inProject("RESULTS.md"),
  cache: inProject(".cache"),
  packages: inProject(".cache/packages"),
} as const;
