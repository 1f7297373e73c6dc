import type { Evaluation } from "../item.ts";
import type { RunConfig } from "../run_config.ts";
import { rankedRatings } from "./ordering.ts";
import { nextScore } from "./score.ts";

/** Scores from `low` to `high`, both included. */
export interface ScoreInterval {
  readonly low: number;
  readonly high: number;
}

/**
 * The scores that keep a translation in order in its bucket, given the others as they stand:
 * above all in worse buckets and below all in better ones. Undefined where it has no known bucket or
 * no score would do.
 */
export function legalInterval(
  evaluation: Evaluation,
  translation: number,
  config: RunConfig,
): ScoreInterval | undefined {
  const bucket = evaluation.ratings[translation]?.bucket;
  const rank = config.buckets.findIndex(({ key }) => key === bucket);
  if (rank < 0) return undefined;
  const others = config.strictOrdering
    ? rankedRatings(evaluation, config).filter((rating) => rating.translation !== translation)
    : [];
  const worse = others.filter((rating) => rating.rank > rank);
  const better = others.filter((rating) => rating.rank < rank);
  const low = Math.max(config.daMin, ...worse.map(({ da }) => nextScore(da, 1, config)));
  const high = Math.min(config.daMax, ...better.map(({ da }) => nextScore(da, -1, config)));
  return low <= high ? { low, high } : undefined;
}
