import type { RunConfig } from "../run_config.ts";
import { type Breach, offends, type RankedRating } from "./ordering.ts";
import { isSoundScore, nextScore } from "./score.ts";
import type { Change } from "./violation.ts";

/**
 * The smallest repairs of one pair out of order: those with the fewest ratings changed and, among
 * these, the fewest points moved; several where they are equally small, none where the scale is too
 * short for any. A repair brings no pair out of order that was in order, leaves no score outside
 * the scale and, where buckets must not be empty, empties none. Where one change is enough, this is
 * the smallest there is; where not, the smallest of scores pushed apart and equals moved together.
 *
 * A move to the next bucket counts as many points as a bucket takes of the scale on average (25 of
 * 100 with four buckets), so that a slip of the score is mended in the score and a translation far
 * from its bucket is moved.
 */
export function smallestRepairs(
  breach: Breach,
  ratings: readonly RankedRating[],
  config: RunConfig,
): readonly (readonly Change[])[] {
  const sized = [...scoreRepairs(breach, ratings, config), ...moves(breach, ratings, config)]
    .filter((changes) => mends(changes, breach, ratings, config))
    .map((changes) => ({ changes, points: pointsMoved(changes, ratings, config) }));
  const fewest = Math.min(...sized.map(({ changes }) => changes.length));
  const few = sized.filter(({ changes }) => changes.length === fewest);
  const least = Math.min(...few.map(({ points }) => points));
  return few.filter(({ points }) => points === least).map(({ changes }) => changes);
}

/** The ratings after some changes. A bucket that the configuration lacks has the rank −1. */
export function applyChanges(
  changes: readonly Change[],
  ratings: readonly RankedRating[],
  config: RunConfig,
): readonly RankedRating[] {
  return ratings.map((rating) =>
    changes.filter(({ translation }) => translation === rating.translation)
      .reduce((now, change) =>
        change.kind === "score" ? { ...now, da: change.da } : {
          ...now,
          bucket: change.bucket,
          rank: config.buckets.findIndex(({ key }) => key === change.bucket),
        }, rating)
  );
}

/**
 * The better one raised, the worse one lowered, or both so that they meet between; whatever either
 * then runs into gives way in turn. The first two come first.
 */
function scoreRepairs(
  { higher, lower }: Breach,
  ratings: readonly RankedRating[],
  config: RunConfig,
): readonly (readonly Change[])[] {
  const between = ratings.map(({ da }) => da).filter((da) => da > higher.da && da <= lower.da);
  const goals = [nextScore(lower.da, 1, config), higher.da, ...between];
  return [...new Set(goals)].map((goal) => [
    ...goal > higher.da ? pushed(higher, goal, 1, ratings, config) : [],
    ...goal > lower.da ? [] : pushed(lower, nextScore(goal, -1, config), -1, ratings, config),
  ]);
}

/**
 * A score set to `goal`, and all that stand beyond it (in better buckets with sign 1, in worse ones
 * with −1) and were in order with it before, moved on just far enough to be so again.
 */
function pushed(
  first: RankedRating,
  goal: number,
  sign: 1 | -1,
  ratings: readonly RankedRating[],
  config: RunConfig,
): readonly Change[] {
  const moved = [{ rating: first, da: goal }];
  const outward = ratings.toSorted((a, b) => sign * (b.rank - a.rank));
  for (const rating of outward.filter(({ rank }) => sign * (first.rank - rank) > 0)) {
    const inTheWay = moved.filter((other) =>
      other.rating.rank !== rating.rank && !offends(other.rating, rating) &&
      sign * (rating.da - other.da) <= 0
    );
    if (inTheWay.length === 0) continue;
    const furthest = inTheWay.map(({ da }) => da).reduce((a, b) => sign * (b - a) > 0 ? b : a);
    moved.push({ rating, da: nextScore(furthest, sign, config) });
  }
  return moved.map(({ rating, da }) => ({ kind: "score", translation: rating.translation, da }));
}

/** One of the two in any other bucket, or all that score as it does moved to the other's bucket. */
function moves(
  { higher, lower }: Breach,
  ratings: readonly RankedRating[],
  config: RunConfig,
): readonly (readonly Change[])[] {
  const alone = [higher, lower].flatMap(({ translation, rank }) =>
    config.buckets.filter((_, index) => index !== rank)
      .map(({ key }): Change[] => [{ kind: "bucket", translation, bucket: key }])
  );
  const together = ([[higher, lower], [lower, higher]] as const).map(([from, to]) =>
    ratings.filter(({ rank, da }) => rank === from.rank && da === from.da)
      .map(({ translation }): Change => ({ kind: "bucket", translation, bucket: to.bucket }))
  );
  return [...alone, ...together.filter((changes) => changes.length > 1)];
}

/** Whether changes put a pair right without a new fault. */
function mends(
  changes: readonly Change[],
  { higher, lower }: Breach,
  before: readonly RankedRating[],
  config: RunConfig,
): boolean {
  const after = applyChanges(changes, before, config);
  if (!after.every(({ da }) => isSoundScore(da, config))) return false;
  if (!config.allowEmptyBuckets && !bucketsUsed(before).isSubsetOf(bucketsUsed(after))) {
    return false;
  }
  return after.every((one, i) =>
    after.slice(0, i).every((other, j) =>
      !offends(one, other) ||
      offends(before[i]!, before[j]!) && !(isOf(one) && isOf(other))
    )
  );

  function isOf({ translation }: RankedRating): boolean {
    return translation === higher.translation || translation === lower.translation;
  }
}

function bucketsUsed(ratings: readonly RankedRating[]): ReadonlySet<number> {
  return new Set(ratings.map(({ rank }) => rank));
}

function pointsMoved(
  changes: readonly Change[],
  before: readonly RankedRating[],
  config: RunConfig,
): number {
  const bucketWidth = (config.daMax - config.daMin) / config.buckets.length;
  const after = applyChanges(changes, before, config);
  return before.reduce(
    (points, { da, rank }, i) =>
      points + Math.abs(after[i]!.da - da) + bucketWidth * Math.abs(after[i]!.rank - rank),
    0,
  );
}
