import { fileURLToPath } from "node:url";
import { forcedChoiceTemplate } from "../pairs/forced_choice.ts";
import type { PairStudy } from "../pairs/study.ts";
import { PAIR_SEED } from "./dataset_tables.ts";

export { PAIR_SEED };

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
  asked: inProject("data/norse/evaluation_asked.csv"),
  settings: inProject("data/norse/evaluation_settings.json"),
  invalidAnswers: inProject("data/norse/invalid_answers.csv"),
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
  proposals: inProject("data/norse/proposals.jsonl"),
  generation: inProject("data/norse/generation.json"),
  proposalsLock: inProject(".cache/proposals.lock"),
  answersLock: inProject(".cache/answers.lock"),
  figures: inProject("figures/norse"),
  results: inProject("RESULTS.md"),
  cache: inProject(".cache"),
  packages: inProject(".cache/packages"),
} as const;

/** Seed of the bootstrap, so that intervals are the same on every machine. */
export const BOOTSTRAP_SEED = 20261122;

/** Resamples of a bootstrap: percentile ends move by less than 0.2 points between seeds. */
export const RESAMPLES = 5000;

/** What the evaluation needs to know of this study; the question is the specification's, word for word. */
export const NORSE_STUDY: PairStudy = {
  name: "norse",
  question: forcedChoiceTemplate("Old Norse"),
  orderSeed: 20261123,
  files: NORSE_PATHS,
  connection: { env: NORSE_PATHS.env, usage: NORSE_PATHS.usage },
  lock: NORSE_PATHS.answersLock,
  commands: { evaluate: "deno task evaluate", compute: "deno task notebooks 13 14 15" },
  cache: NORSE_PATHS.cache,
  panels: { local: NORSE_PATHS.panel, hosted: NORSE_PATHS.hostedPanel },
  project: NORSE_PATHS.project,
};
