import type { Evaluation } from "../item.ts";
import type { RunConfig } from "../run_config.ts";
import { blameFor } from "./blame.ts";
import { fittingScores } from "./fitting.ts";
import type { RankedRating } from "./ordering.ts";
import type { ScoreInterval } from "./violation.ts";

/**
 * The scores that keep a translation in order in its bucket: above all in worse buckets and below
 * all in better ones. Ratings out of place do not count, so that one slip does not take the room of
 * all others, and its own interval says where it belongs. Undefined where it has no known bucket or
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
  if (!config.strictOrdering) return { low: config.daMin, high: config.daMax };
  const { ratings, culprits, tied } = blameFor(evaluation, config);
  const others = ratings.filter((rating) => rating.translation !== translation);
  const amongAll = fittingScores(rank, others, config);
  if (tied && amongAll && isWithin(amongAll, ratings, translation)) return amongAll;
  const blamed = new Set(
    culprits.flatMap(({ rating, counterpart }) => tied ? [rating, counterpart] : [rating]),
  );
  if (tied && [...blamed].some((rating) => rating.translation === translation)) return amongAll;
  return fittingScores(rank, others.filter((rating) => !blamed.has(rating)), config);
}

/** Whether a score that was given lies in an interval; one that was not is no objection. */
function isWithin(
  { low, high }: ScoreInterval,
  ratings: readonly RankedRating[],
  translation: number,
): boolean {
  const rating = ratings.find((one) => one.translation === translation);
  return rating === undefined || rating.da >= low && rating.da <= high;
}
