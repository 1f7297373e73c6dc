import type { Evaluation } from "../item.ts";
import type { RunConfig } from "../run_config.ts";
import { isSoundScore } from "./score.ts";
import type { PlacedRating } from "./violation.ts";

/** A rating whose bucket and score are sound, with its bucket's rank: 0 is the best. */
export interface RankedRating extends PlacedRating {
  readonly rank: number;
}

/** A better rating and a worse one whose scores are not in that order. */
export interface Breach {
  readonly higher: RankedRating;
  readonly lower: RankedRating;
}

/** Place of a bucket among the configuration's: 0 is the best, −1 none of them. */
export function bucketRank(bucket: string | undefined, { buckets }: RunConfig): number {
  return buckets.findIndex(({ key }) => key === bucket);
}

/** The ratings that order applies to: those with a known bucket and a score sound in itself. */
export function rankedRatings(
  evaluation: Pick<Evaluation, "ratings">,
  config: RunConfig,
): readonly RankedRating[] {
  return evaluation.ratings.flatMap(({ bucket, da }, translation) => {
    const rank = bucketRank(bucket, config);
    return bucket === undefined || rank < 0 || !isSoundScore(da, config)
      ? []
      : [{ translation, bucket, da, rank }];
  });
}

/** Whether two ratings stand in different buckets and the better one does not score higher. */
export function offends(one: RankedRating, other: RankedRating): boolean {
  return one.rank < other.rank
    ? one.da <= other.da
    : other.rank < one.rank
    ? other.da <= one.da
    : false;
}

/** Whether no two ratings are out of order. */
export function isInOrder(ratings: readonly RankedRating[]): boolean {
  return breaches(ratings).length === 0;
}

/**
 * Of each two adjacent non-empty buckets out of order, from the best on, the one pair that matters
 * most: the lowest of the better and the highest of the worse. One pair and not all of them,
 * because every other pair of the same buckets is wrong only if this one is, and two buckets of six
 * would fill the screen with 36 sentences about one slip.
 */
export function breaches(ratings: readonly RankedRating[]): readonly Breach[] {
  const ranks = [...new Set(ratings.map(({ rank }) => rank))].sort((a, b) => a - b);
  return ranks.slice(1).flatMap((worse, index) => {
    const higher = extreme(ratings, ranks[index]!, -1);
    const lower = extreme(ratings, worse, 1);
    return offends(higher, lower) ? [{ higher, lower }] : [];
  });
}

/** The highest (sign 1) or lowest (sign −1) rating of a bucket that is not empty. */
function extreme(ratings: readonly RankedRating[], rank: number, sign: 1 | -1): RankedRating {
  return ratings.filter((rating) => rating.rank === rank)
    .reduce((found, rating) => sign * (rating.da - found.da) > 0 ? rating : found);
}
