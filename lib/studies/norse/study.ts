/** Seeds, question, panels and files of the study. */
import type { DatasetItem } from "../../pairs/dataset.ts";
import { forcedChoiceTemplate } from "../../pairs/forced_choice.ts";
import { regionItems } from "../../pairs/measures.ts";
import {
  IN_PROJECT,
  inProject,
  type PairSet,
  type PairStudy,
  scoredOnly,
} from "../../pairs/study.ts";
import { readFurtherSet, readNorseDataset, readReverseSet } from "./dataset.ts";
import { editionPairs } from "./orthography.ts";

export { PAIR_SEED } from "./dataset.ts";

const inData = (name: string) => inProject(`data/norse/${name}`);

/** Files of the study. */
export const NORSE_PATHS = {
  project: IN_PROJECT.project,
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
  panel: IN_PROJECT.panels.local,
  largerPanel: IN_PROJECT.panels.larger,
  hostedPanel: IN_PROJECT.panels.hosted,
  ...IN_PROJECT.connection,
  proposalsLock: inProject(".cache/proposals.lock"),
  answersLock: IN_PROJECT.lock,
  figures: inProject("figures/norse"),
  results: inProject("RESULTS.md"),
  cache: IN_PROJECT.cache,
  packages: inProject(".cache/packages"),
} as const;

/** Seed of the coin and of the balanced subset, so that both are the same on every machine. */
export const METRICS_SEED = 20261122;

/** What the evaluation needs to know of this study; the question is the specification's, word for word. */
export const NORSE_STUDY: PairStudy = {
  ...IN_PROJECT,
  name: "norse",
  question: forcedChoiceTemplate("Old Norse"),
  orderSeed: 20261123,
  files: NORSE_PATHS,
  commands: { evaluate: "deno task evaluate", compute: "deno task notebooks 13 14 15" },
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

/** The same for the further pairs, whose answers stand in files of their own. */
export const FURTHER_STUDY: PairStudy = {
  ...NORSE_STUDY,
  name: "norse_further",
  files: {
    responses: inData("further_results.csv"),
    asked: inData("further_asked.csv"),
    invalidAnswers: inData("further_invalid_answers.csv"),
    likelihoods: inData("further_likelihoods.csv"),
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
  beyond: readonly DatasetItem[] = readFurtherSet(),
): readonly PairSet[] {
  const all = [...items, ...beyond, ...reverse];
  return [
    { study: FURTHER_STUDY, pairs: beyond.map(({ pair }) => pair) },
    { study: REVERSE_STUDY, pairs: reverse.map(({ pair }) => pair) },
    { study: EDITION_STUDY, pairs: editionPairs(all).pairs },
    { study: REGION_STUDY, pairs: regionItems(all).map(({ pair }) => pair) },
  ];
}
