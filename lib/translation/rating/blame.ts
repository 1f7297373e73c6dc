import type { Evaluation } from "../item.ts";
import type { RunConfig } from "../run_config.ts";
import { type Culprit, severalCulprits, soleCulprit } from "./culprits.ts";
import { isInOrder, type RankedRating, rankedRatings } from "./ordering.ts";

/** Who is to blame for an item's order. */
export interface Blame {
  readonly ratings: readonly RankedRating[];
  /** Empty where the order is right, or where nothing can put it right. */
  readonly culprits: readonly Culprit[];
}

const known = new WeakMap<RunConfig, WeakMap<Evaluation, Blame>>();

/** The ratings out of place: worked out once for each value of an evaluation. */
export function blameFor(evaluation: Evaluation, config: RunConfig): Blame {
  const ofRun = known.get(config) ?? new WeakMap<Evaluation, Blame>();
  known.set(config, ofRun);
  const found = ofRun.get(evaluation) ?? blameAmong(rankedRatings(evaluation, config), config);
  ofRun.set(evaluation, found);
  return found;
}

/**
 * The fewest ratings whose change puts the order right. Twelve ratings of which one was typed 99 for
 * 9 are many pairs out of order, but one rating out of place; to judge each pair by itself would
 * have good ratings spoilt.
 *
 * Among as few, those that fewer points put in place: a slip that nearly fits is likelier than one
 * that does not. Two ratings out of order only with each other take the same points mostly, and then
 * nothing tells which is wrong: both are named, the worse one first.
 */
function blameAmong(ratings: readonly RankedRating[], config: RunConfig): Blame {
  if (!config.strictOrdering || isInOrder(ratings)) return { ratings, culprits: [] };
  const sole = soleCulprit(ratings, config);
  return { ratings, culprits: sole ? [sole] : severalCulprits(ratings, config) };
}
