import { join } from "node:path";
import { NORSE_PATHS } from "../paths.ts";

/** What generation with a model reads and writes besides the data set. */
export const PROPOSAL_PATHS = {
  /** One prompt template a phenomenon. */
  prompts: join(NORSE_PATHS.project, "data/norse/prompts"),
  /** Every answer of a proposing model, one a line; there once a model was asked. */
  proposals: join(NORSE_PATHS.project, "data/norse/proposals.jsonl"),
  /** Where the pairs of the data set come from. */
  generation: join(NORSE_PATHS.project, "data/norse/generation.json"),
  /** Held by the process that asks for proposals. */
  proposalsLock: join(NORSE_PATHS.cache, "proposals.lock"),
  /** Where an earlier data set goes that another takes the place of. */
  setAside: join(NORSE_PATHS.project, ".cache/set-aside"),
} as const;
