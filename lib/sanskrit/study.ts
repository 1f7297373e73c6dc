import { forcedChoiceTemplate } from "../pairs/forced_choice.ts";
import type { PairStudy } from "../pairs/study.ts";
import { SANSKRIT_PATHS } from "./paths.ts";

/** Seed of the selection of pairs, as the specification gives it. */
export const PAIR_SEED = 42;

/** Stems that pairs are made of, the most frequent ones. */
export const MAX_STEMS = 200;

/** Seed of the bootstrap, so that intervals are the same on every machine. */
export const BOOTSTRAP_SEED = 20261122;

/** Resamples of a bootstrap. */
export const RESAMPLES = 5000;

/** What the evaluation needs to know of this study. */
export const SANSKRIT_STUDY: PairStudy = {
  name: "sanskrit",
  question: forcedChoiceTemplate("Sanskrit"),
  orderSeed: 20261124,
  files: SANSKRIT_PATHS,
  otherPairsRemedy: "Bring the former morph_contrast_sets.jsonl back, or remove the model's rows " +
    "and its settings and ask anew: `deno task evaluate --study sanskrit`.",
  connection: { env: SANSKRIT_PATHS.env, usage: SANSKRIT_PATHS.usage },
  lock: SANSKRIT_PATHS.answersLock,
  commands: {
    evaluate: "deno task evaluate --study sanskrit",
    compute: "deno task notebooks 23 24 25",
  },
  cache: SANSKRIT_PATHS.cache,
  panels: { local: SANSKRIT_PATHS.panel, hosted: SANSKRIT_PATHS.hostedPanel },
  project: SANSKRIT_PATHS.project,
};

/**
 * The same for what is only scored and never asked about (`probePairs`): control sentences, bare
 * forms, the pairs in IAST, the second set.
 */
export const PROBE_STUDY: PairStudy = {
  ...SANSKRIT_STUDY,
  name: "sanskrit_probes",
  files: {
    likelihoods: SANSKRIT_PATHS.probeLikelihoods,
    likelihoodSettings: SANSKRIT_PATHS.probeLikelihoodSettings,
    // No question is asked: a file that never is there has no answers.
    responses: SANSKRIT_PATHS.probeResponses,
    invalidAnswers: SANSKRIT_PATHS.probeResponses,
    responseSettings: SANSKRIT_PATHS.probeResponses,
  },
  otherPairsRemedy: "Bring the former contrast sets back, or remove the model's rows and its " +
    "settings and score anew: `deno task evaluate --study sanskrit`.",
};
