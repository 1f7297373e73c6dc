/** Seeds, question, panels and files of the study. */
import { fileURLToPath } from "node:url";
import type { DatasetItem } from "../pairs/dataset.ts";
import { forcedChoiceTemplate } from "../pairs/forced_choice.ts";
import { regionItems } from "../pairs/regions.ts";
import { type PairSet, type PairStudy, scoredOnly } from "../pairs/study.ts";
import { readNorseDataset, readReverseSet } from "./dataset.ts";
import { editionPairs } from "./orthography.ts";

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
  regionLikelihoods: inData("region_likelihoods.csv"),
  asked: inData("evaluation_asked.csv"),
  settings: inData("evaluation_settings.json"),
  invalidAnswers: inData("invalid_answers.csv"),
  statistics: inData("statistics.csv"),
  proposals: inData("proposals.jsonl"),
  generation: inData("generation.json"),
  panel: inProject("data/panels/local.yaml"),
  largerPanel: inProject("data/panels/large.yaml"),
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

/** Resamples of a bootstrap: percentile ends move by some 0.3 points between seeds. */
export const RESAMPLES = 2000;

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
  panels: {
    local: NORSE_PATHS.panel,
    larger: NORSE_PATHS.largerPanel,
    hosted: NORSE_PATHS.hostedPanel,
  },
  project: NORSE_PATHS.project,
};

/** The same for the reverse set, whose answers stand in files of their own. */
export const REVERSE_STUDY: PairStudy = {
  ...NORSE_STUDY,
  name: "norse_reverse",
  files: {
    responses: inData("reverse_results.csv"),
    asked: inData("reverse_asked.csv"),
    invalidAnswers: inData("reverse_invalid_answers.csv"),
    likelihoods: inData("reverse_likelihoods.csv"),
    settings: NORSE_PATHS.settings,
  },
};

/** For the pairs of both directions in the edition's own spelling (`editionPairs`). */
export const EDITION_STUDY = scoredOnly(
  NORSE_STUDY,
  "norse_edition",
  inData("edition_likelihoods.csv"),
);

/** For the regions of the pairs (`regionItems`). */
export const REGION_STUDY = scoredOnly(
  NORSE_STUDY,
  "norse_regions",
  NORSE_PATHS.regionLikelihoods,
);

/** What models are asked and score besides the data set: see the studies above, in this order. */
export function furtherSets(
  items: readonly DatasetItem[] = readNorseDataset(),
  reverse: readonly DatasetItem[] = readReverseSet(),
): readonly PairSet[] {
  const all = [...items, ...reverse];
  return [
    { study: REVERSE_STUDY, pairs: reverse.map(({ pair }) => pair) },
    { study: EDITION_STUDY, pairs: editionPairs(all).pairs },
    { study: REGION_STUDY, pairs: regionItems(all).map(({ pair }) => pair) },
  ];
}
