/** Seeds, question, panels and files of the study. */
import { fileURLToPath } from "node:url";
import { forcedChoiceTemplate } from "../pairs/forced_choice.ts";
import type { PairStudy } from "../pairs/study.ts";

export { PAIR_SEED } from "./dataset.ts";

const inProject = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const inData = (name: string) => inProject(`data/norse/${name}`);

/** Files of the study, wherever the notebook or task was started from. */
export const NORSE_PATHS = {
  project: inProject("."),
  pairs: inData("minimal_pairs.csv"),
  blindReview: inData("blind_review.csv"),
  responses: inData("evaluation_results.csv"),
  likelihoods: inData("likelihoods.csv"),
  asked: inData("evaluation_asked.csv"),
  settings: inData("evaluation_settings.json"),
  invalidAnswers: inData("invalid_answers.csv"),
  statistics: inData("statistics.csv"),
  proposals: inData("proposals.jsonl"),
  generation: inData("generation.json"),
  panel: inProject("data/panels/local.yaml"),
  hostedPanel: inProject("data/panels/groq.yaml"),
  env: inProject(".env"),
  usage: inProject(".cache/hosted/usage.json"),
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
