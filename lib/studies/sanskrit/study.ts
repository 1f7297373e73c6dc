import { forcedChoiceTemplate } from "../../pairs/forced_choice.ts";
import { IN_PROJECT, inProject, type PairStudy, scoredOnly } from "../../pairs/study.ts";

/** Paths of the study. */
export const SANSKRIT_PATHS = {
  project: IN_PROJECT.project,
  verses: inProject("data/sanskrit/verses.csv"),
  cleaning: inProject("data/sanskrit/cleaning.csv"),
  treebank: inProject("data/sanskrit/treebank.csv"),
  readings: inProject("data/sanskrit/variant_readings.csv"),
  verbTreebank: inProject("data/sanskrit/verb_treebank.csv"),
  modifierTreebank: inProject("data/sanskrit/modifier_treebank.csv"),
  blindReview: inProject("data/sanskrit/blind_review.csv"),
  goldAgreement: inProject("data/sanskrit/gold_agreement.csv"),
  nouns: inProject("data/sanskrit/nouns.csv"),
  nounTokens: inProject("data/sanskrit/noun_tokens.csv"),
  pairs: inProject("data/sanskrit/morph_contrast_sets.jsonl"),
  certificates: inProject("data/sanskrit/certificates.csv"),
  rejections: inProject("data/sanskrit/rejections.csv"),
  bareForms: inProject("data/sanskrit/bare_contrast_sets.jsonl"),
  controls: inProject("data/sanskrit/control_sentences.jsonl"),
  responses: inProject("data/sanskrit/evaluation_results.csv"),
  likelihoods: inProject("data/sanskrit/likelihoods.csv"),
  asked: inProject("data/sanskrit/evaluation_asked.csv"),
  settings: inProject("data/sanskrit/evaluation_settings.json"),
  invalidAnswers: inProject("data/sanskrit/invalid_answers.csv"),
  probeLikelihoods: inProject("data/sanskrit/probe_likelihoods.csv"),
  metrics: inProject("data/sanskrit/metrics.csv"),
  statistics: inProject("data/sanskrit/statistics.csv"),
  probeStatistics: inProject("data/sanskrit/probe_statistics.csv"),
  artefacts: inProject("data/sanskrit/artefacts.csv"),
  panel: IN_PROJECT.panels.local,
  largerPanel: IN_PROJECT.panels.larger,
  hostedPanel: IN_PROJECT.panels.hosted,
  figures: inProject("figures/sanskrit"),
  results: inProject("RESULTS.md"),
  packages: inProject(".cache/packages"),
} as const;

/** Licence of files with lines of the text. */
export const OURS = "MIT; lines of the Gītā in the public domain";

/** Seed of the selection of pairs, given by the specification. */
export const PAIR_SEED = 42;

/** Number of stems used for pairs, the most frequent ones. */
export const MAX_STEMS = 200;

/** Seed of the random baseline and of the balanced subset. */
export const METRICS_SEED = 20261122;

/** The study's question, order seed, files and commands, for the evaluation. */
export const SANSKRIT_STUDY: PairStudy = {
  ...IN_PROJECT,
  name: "sanskrit",
  question: forcedChoiceTemplate("Sanskrit"),
  orderSeed: 20261124,
  files: SANSKRIT_PATHS,
  commands: {
    evaluate: "deno task evaluate --study sanskrit",
    compute: "deno task notebooks 23 24 25",
  },
};

/** The study of texts that are only scored (`probePairs`): controls, pairs in IAST, bare forms. */
export const PROBE_STUDY = scoredOnly(
  SANSKRIT_STUDY,
  "sanskrit_probes",
  SANSKRIT_PATHS.probeLikelihoods,
);
