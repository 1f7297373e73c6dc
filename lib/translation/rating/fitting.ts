import type { RunConfig } from "../run_config.ts";
import { bucketRank, offends, type RankedRating } from "./ordering.ts";
import { nextScore } from "./score.ts";
import type { Change, ScoreInterval, Way } from "./violation.ts";

/** The scores that are in order in the bucket of this rank among other ratings; undefined if none. */
export function fittingScores(
  rank: number,
  others: readonly RankedRating[],
  config: RunConfig,
): ScoreInterval | undefined {
  const worse = others.filter((rating) => rating.rank > rank);
  const better = others.filter((rating) => rating.rank < rank);
  const low = Math.max(config.daMin, ...worse.map(({ da }) => nextScore(da, 1, config)));
  const high = Math.min(config.daMax, ...better.map(({ da }) => nextScore(da, -1, config)));
  return low <= high ? { low, high } : undefined;
}

/**
 * How a rating out of place comes in order among others that are: the nearest score that fits in its
 * bucket, then the nearest bucket that its score fits in. The score first, because a slip of the
 * keyboard is one of the score: 99 for 9. A bucket that must not be empty is not left empty.
 */
export function waysToFit(
  rating: RankedRating,
  others: readonly RankedRating[],
  config: RunConfig,
): readonly Way[] {
  const { translation, da, rank } = rating;
  const scores = fittingScores(rank, others, config);
  const mayLeave = config.allowEmptyBuckets || others.some((other) => other.rank === rank);
  const target = mayLeave ? nearestBucket(rating, others, config) : undefined;
  return [
    ...scores === undefined ? [] : [{
      change: { kind: "score", translation, da: clamped(da, scores) } as const,
      scores,
    }],
    ...target === undefined ? [] : [{
      change: { kind: "bucket", translation, bucket: target } as const,
      scores: undefined,
    }],
  ];
}

/** The rating after a change of it. */
export function changed(
  rating: RankedRating,
  change: Change,
  config: RunConfig,
): RankedRating {
  return change.kind === "score" ? { ...rating, da: change.da } : {
    ...rating,
    bucket: change.bucket,
    rank: bucketRank(change.bucket, config),
  };
}

/**
 * Points that a change moves a rating by. A move to the next bucket counts as many as a bucket takes
 * of the scale on average (25 of 100 with four buckets).
 */
export function pointsMoved(rating: RankedRating, change: Change, config: RunConfig): number {
  const { da, rank } = changed(rating, change, config);
  return Math.abs(da - rating.da) + bucketWidth(config) * Math.abs(rank - rating.rank);
}

/** Points of the scale that a bucket takes on average. */
export function bucketWidth({ daMin, daMax, buckets }: RunConfig): number {
  return (daMax - daMin) / buckets.length;
}

function nearestBucket(
  rating: RankedRating,
  others: readonly RankedRating[],
  { buckets }: RunConfig,
): string | undefined {
  return buckets.map(({ key }, rank) => ({ key, rank }))
    .filter(({ rank }) =>
      rank !== rating.rank && others.every((other) => !offends({ ...rating, rank }, other))
    )
    .sort((a, b) => Math.abs(a.rank - rating.rank) - Math.abs(b.rank - rating.rank))[0]?.key;
}

function clamped(da: number, { low, high }: ScoreInterval): number {
  return Math.max(low, Math.min(high, da));
}
