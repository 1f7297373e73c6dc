import type { Evaluation } from "../item.ts";
import type { RunConfig } from "../run_config.ts";
import { blameFor } from "./blame.ts";
import { fittingScores } from "./fitting.ts";
import { bucketRank, type RankedRating } from "./ordering.ts";
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
  const rank = bucketRank(evaluation.ratings[translation]?.bucket, config);
  if (rank < 0) return undefined;
  if (!config.strictOrdering) return { low: config.daMin, high: config.daMax };
  const { ratings, culprits } = blameFor(evaluation, config);
  const own = ratings.find((rating) => rating.translation === translation);
  const without = (out: readonly (RankedRating | undefined)[]) =>
    fittingScores(rank, ratings.filter((one) => one !== own && !out.includes(one)), config);
  const pair = culprits.find(({ rating, rival }) =>
    own && rival && (own === rating || own === rival)
  );
  // Each of two rivals goes by the other; all others go by both, if that leaves them room.
  if (pair) {
    return without(culprits.filter((one) => one !== pair).map(({ rating }) => rating));
  }
  const withRivals = without(culprits.filter(({ rival }) => !rival).map(({ rating }) => rating));
  return withRivals && (!own || isWithin(withRivals, own))
    ? withRivals
    : without(culprits.flatMap(({ rating, rival }) => [rating, rival]));
}

function isWithin({ low, high }: ScoreInterval, { da }: RankedRating): boolean {
  return da >= low && da <= high;
}
