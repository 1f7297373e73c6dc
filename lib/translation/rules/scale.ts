import type { RunConfig } from "../configuration.ts";
import type { Evaluation } from "../types.ts";

/** A rating whose bucket and score are sound. `translation` is 0 … N−1, t1 … tN. */
export interface RankedRating {
  readonly translation: number;
  readonly bucket: string;
  readonly da: number;
  /** Of the bucket: 0 is the best. */
  readonly rank: number;
}

/** One side of a violated order. */
export type PlacedRating = Omit<RankedRating, "rank">;

/** Scores from `low` to `high`, both included. */
export interface ScoreInterval {
  readonly low: number;
  readonly high: number;
}

/** Whether a score keeps every rule that concerns it alone: a number, whole if asked, in range. */
export function isSoundScore(da: number | string | undefined, config: RunConfig): da is number {
  return typeof da === "number" && da >= config.daMin && da <= config.daMax &&
    (!config.integerOnly || Number.isInteger(da));
}

/**
 * The next score strictly above (sign 1) or below (sign −1): the next whole number or, where fractions
 * are allowed, multiple of the power of ten that is about a thousandth of the scale (0.1 on 0 … 100).
 * It may lie outside the scale.
 */
export function nextScore(score: number, sign: 1 | -1, config: RunConfig): number {
  const perPoint = scoresPerPoint(config);
  const steps = Math.floor(sign * score * perPoint);
  const next = (steps + 1) / perPoint;
  // 0.29 × 100 is 28.999…: its next multiple would be 0.29 itself.
  return sign * (next > sign * score ? next : (steps + 2) / perPoint);
}

/** The score, of those that {@link nextScore} goes through, that is nearest to a place on a slider. */
export function nearestScore(place: number, config: RunConfig): number {
  const perPoint = scoresPerPoint(config);
  const score = Math.round(place * perPoint) / perPoint;
  return Math.min(config.daMax, Math.max(config.daMin, score));
}

function scoresPerPoint({ integerOnly, daMin, daMax }: RunConfig): number {
  return integerOnly ? 1 : 10 ** (3 - Math.floor(Math.log10(daMax - daMin)));
}

/** Place of a bucket among the configuration's: 0 is the best, −1 none of them. */
export function bucketRank(bucket: string | undefined, { buckets }: RunConfig): number {
  return buckets.findIndex(({ key }) => key === bucket);
}

/** The ratings that order applies to: those with a known bucket and a score sound in itself. */
export function rankedRatings(
  { ratings }: Pick<Evaluation, "ratings">,
  config: RunConfig,
): readonly RankedRating[] {
  return ratings.flatMap(({ bucket, da }, translation) => {
    const rank = bucketRank(bucket, config);
    const isRanked = bucket !== undefined && rank >= 0 && isSoundScore(da, config);
    return isRanked ? [{ translation, bucket, da, rank }] : [];
  });
}

/** Whether two ratings stand in different buckets and the better one does not score higher. */
export function offends(one: RankedRating, other: RankedRating): boolean {
  if (one.rank === other.rank) return false;
  return one.rank < other.rank ? one.da <= other.da : other.da <= one.da;
}

/** Whether no two ratings are out of order. */
export function isInOrder(ratings: readonly RankedRating[]): boolean {
  return breaches(ratings).length === 0;
}

/**
 * Of each two adjacent non-empty buckets out of order, from the best on, the lowest of the better and
 * the highest of the worse: every other pair of the two is wrong only if this one is.
 */
export function breaches(
  ratings: readonly RankedRating[],
): readonly { readonly higher: RankedRating; readonly lower: RankedRating }[] {
  const ranks = [...new Set(ratings.map(({ rank }) => rank))].sort((a, b) => a - b);
  const extreme = (rank: number, sign: 1 | -1) =>
    ratings.filter((rating) => rating.rank === rank)
      .reduce((found, rating) => sign * (rating.da - found.da) > 0 ? rating : found);
  return ranks.slice(1).flatMap((worse, index) => {
    const [higher, lower] = [extreme(ranks[index]!, -1), extreme(worse, 1)];
    return offends(higher, lower) ? [{ higher, lower }] : [];
  });
}
