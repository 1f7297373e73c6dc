/** Seeds, question, panels and paths of the study. */
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

/** Paths of the study. */
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

/** Seed of the random baseline and of the balanced subset. */
export const METRICS_SEED = 20261122;

/** The study as the evaluation needs it. The question is the specification's, verbatim. */
export const NORSE_STUDY: PairStudy = {
  ...IN_PROJECT,
  name: "norse",
  question: forcedChoiceTemplate("Old Norse"),
  orderSeed: 20261123,
  files: NORSE_PATHS,
  commands: { evaluate: "deno task evaluate", compute: "deno task notebooks 13 14 15" },
};

/** The study of the reverse set, with separate answer files. */
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

/** The study of the further pairs, with separate answer files. */
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

/** The study of all pairs in the edition's spelling (`editionPairs`), scored only. */
export const EDITION_STUDY = scoredOnly(
  NORSE_STUDY,
  "norse_edition",
  inData("edition_likelihoods.csv"),
);

/** The study of the pairs' regions (`regionItems`), scored only. */
export const REGION_STUDY = scoredOnly(
  NORSE_STUDY,
  "norse_regions",
  NORSE_PATHS.regionLikelihoods,
);

/** Returns the sets asked in addition to the data set, in this order. */
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
