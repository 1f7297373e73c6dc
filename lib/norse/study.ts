import { forcedChoiceTemplate } from "../pairs/forced_choice.ts";
import type { PairStudy } from "../pairs/study.ts";
import { NORSE_PATHS } from "./paths.ts";

/** Seed of the selection of pairs: every other choice among ties gives another valid data set. */
export const PAIR_SEED = 20261121;

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
  otherPairsRemedy: "Bring the former minimal_pairs.csv and certificates.csv back and run " +
    "`deno task generate`: it keeps the answers to pairs that stay. Or, for a model of this " +
    "machine, run `deno task reproduce --fresh`, which asks anew; for a hosted one, remove its " +
    "rows and its settings.",
  connection: { env: NORSE_PATHS.env, usage: NORSE_PATHS.usage },
  lock: NORSE_PATHS.answersLock,
  commands: { evaluate: "deno task evaluate", compute: "deno task notebooks 13 14 15" },
  cache: NORSE_PATHS.cache,
  panels: { local: NORSE_PATHS.panel, hosted: NORSE_PATHS.hostedPanel },
  project: NORSE_PATHS.project,
};
