import { forcedChoiceTemplate } from "../pairs/forced_choice.ts";

/** Seed of the selection of pairs: every other choice among ties gives another valid data set. */
export const PAIR_SEED = 20261121;

/** Seed of the bootstrap, so that intervals are the same on every machine. */
export const BOOTSTRAP_SEED = 20261122;

/** Resamples of a bootstrap: percentile ends move by less than 0.2 points between seeds. */
export const RESAMPLES = 5000;

/** Seed of the counterbalanced orders: changing it leaves half the answers of such a run unused. */
export const ORDER_SEED = 20261123;

/** The specification's question, word for word. */
export const QUESTION = forcedChoiceTemplate("Old Norse");
