import type { RunConfig } from "../configuration.ts";
import type { ItemEvaluation } from "../types.ts";

/** A rating with a known bucket and a valid score. `translation` is 0 … N−1 for t1 … tN. */
export interface RankedRating {
  readonly translation: number;
  readonly bucket: string;
  readonly da: number;
  /** Rank of the bucket, 0 the best. */
  readonly rank: number;
}

/** One side of a violated order. */
export type PlacedRating = Omit<RankedRating, "rank">;

/** An interval of scores, both ends included. */
export interface ScoreInterval {
  readonly low: number;
  readonly high: number;
}

/**
 * Tests whether a score is valid on its own.
 * It must be a number, in range, and whole if required.
 */
export function isSoundScore(da: number | string | undefined, config: RunConfig): da is number {
  return typeof da === "number" && da >= config.daMin && da <= config.daMax &&
    (!config.integerOnly || Number.isInteger(da));
}

/**
 * Returns the next score strictly above (sign 1) or below (sign −1).
 * It is the next whole number or, if fractions are allowed, the next multiple of the power of ten
 * near a thousandth of the scale (0.1 on 0 … 100). It may lie outside the scale.
 */
export function nextScore(score: number, sign: 1 | -1, config: RunConfig): number {
  const perPoint = scoresPerPoint(config);
  const steps = Math.floor(sign * score * perPoint);
  const next = (steps + 1) / perPoint;
  // 0.29 × 100 is 28.999…: its next multiple would be 0.29 itself.
  return sign * (next > sign * score ? next : (steps + 2) / perPoint);
}

/** Returns the score on {@link nextScore}'s grid nearest to a slider position. */
export function nearestScore(place: number, config: RunConfig): number {
  const perPoint = scoresPerPoint(config);
  const score = Math.round(place * perPoint) / perPoint;
  return Math.min(config.daMax, Math.max(config.daMin, score));
}

function scoresPerPoint({ integerOnly, daMin, daMax }: RunConfig): number {
  return integerOnly ? 1 : 10 ** (3 - Math.floor(Math.log10(daMax - daMin)));
}

/** Returns a bucket's rank, 0 the best, −1 if unknown. */
export function bucketRank(bucket: string | undefined, { buckets }: RunConfig): number {
  return buckets.findIndex(({ key }) => key === bucket);
}

/** Returns the ratings subject to ordering: with known bucket and valid score. */
export function rankedRatings(
  { ratings }: Pick<ItemEvaluation, "ratings">,
  config: RunConfig,
): readonly RankedRating[] {
  return ratings.flatMap(({ bucket, da }, translation) => {
    const rank = bucketRank(bucket, config);
    const isRanked = bucket !== undefined && rank >= 0 && isSoundScore(da, config);
    return isRanked ? [{ translation, bucket, da, rank }] : [];
  });
}

/** Tests whether a rating in the better bucket fails to score higher. */
function isOutOfOrder(one: RankedRating, other: RankedRating): boolean {
  if (one.rank === other.rank) return false;
  return one.rank < other.rank ? one.da <= other.da : other.da <= one.da;
}

/** Tests whether no two ratings are out of order. */
export function isInOrder(ratings: readonly RankedRating[]): boolean {
  return orderViolations(ratings).length === 0;
}

/**
 * Returns the decisive violation of each two adjacent non-empty buckets, best first.
 * It pairs the lowest score of the better bucket with the highest of the worse; any other pair of
 * the two violates the order only if this one does.
 */
export function orderViolations(
  ratings: readonly RankedRating[],
): readonly { readonly higher: RankedRating; readonly lower: RankedRating }[] {
  const ranks = [...new Set(ratings.map(({ rank }) => rank))].sort((a, b) => a - b);
  const extreme = (rank: number, sign: 1 | -1) =>
    ratings.filter((rating) => rating.rank === rank)
      .reduce((extreme, rating) => sign * (rating.da - extreme.da) > 0 ? rating : extreme);
  return ranks.slice(1).flatMap((worse, index) => {
    const [higher, lower] = [extreme(ranks[index]!, -1), extreme(worse, 1)];
    return isOutOfOrder(higher, lower) ? [{ higher, lower }] : [];
  });
}

/** A change that the rater could make. */
export type Change =
  | { readonly kind: "score"; readonly translation: number; readonly da: number }
  | { readonly kind: "bucket"; readonly translation: number; readonly bucket: string };

/** A change that puts one translation in order. */
interface Repair {
  readonly change: Change;
  /** All equally good scores; undefined for a change of bucket. */
  readonly scores: ScoreInterval | undefined;
}

/** A rating out of order, with the rating it most clearly conflicts with. */
interface Culprit extends Repair {
  readonly rating: RankedRating;
  readonly counterpart: RankedRating;
  /** Changes of other ratings that the repair requires. */
  readonly pushed: readonly Change[];
}

type Ratings = readonly RankedRating[];
type Blame = { readonly ratings: Ratings; readonly culprits: readonly Culprit[] };

const known = new WeakMap<ItemEvaluation, Blame & { readonly config: RunConfig }>();

/**
 * Returns the smallest set of ratings whose change restores the order.
 * The result is cached by evaluation. It is empty if the order is right or cannot be restored. Ties
 * go to the set that needs fewer points, since a slip that nearly fits is likelier, then to the
 * worse ratings.
 */
export function findCulprits(evaluation: ItemEvaluation, config: RunConfig): Blame {
  const before = known.get(evaluation);
  if (before?.config === config) return before;
  const ratings = rankedRatings(evaluation, config);
  const culprits = !config.strictOrdering || isInOrder(ratings)
    ? []
    : soleCulprit(ratings, config) ?? severalCulprits(ratings, config);
  known.set(evaluation, { config, ratings, culprits });
  return { ratings, culprits };
}

/**
 * Returns the rating that alone can restore the order.
 * Of two, it is the one that needs fewer points.
 */
function soleCulprit(ratings: Ratings, config: RunConfig): readonly Culprit[] | undefined {
  const [culprit] = ratings.flatMap((rating) => {
    const others = ratings.filter((other) => other !== rating);
    const counterpart = counterpartAmong(others, rating);
    if (counterpart === undefined || !isInOrder(others)) return [];
    const repair = repairOf(rating, others, config);
    return repair ? [{ rating, counterpart, ...repair, pushed: [] }] : [];
  }).sort((a, b) =>
    pointsMoved(a.rating, a.change, config) - pointsMoved(b.rating, b.change, config) ||
    b.rating.rank - a.rating.rank
  );
  return culprit && [culprit];
}

/** Returns the smallest set of culprits, each repair given those before it. */
function severalCulprits(ratings: Ratings, config: RunConfig): readonly Culprit[] {
  const targets = fewestChanges(ratings, config);
  if (targets === undefined) return [];
  const isMoved = (rating: RankedRating, index: number) => targets[index] !== rating.da;
  const unmoved = ratings.filter((rating, index) => !isMoved(rating, index));
  let placed: Ratings = ratings.flatMap((rating, index) => {
    const da = targets[index];
    return da === undefined ? [] : [da === rating.da ? rating : { ...rating, da }];
  });
  const without = ({ translation }: RankedRating) =>
    placed.filter((other) => other.translation !== translation);
  const repairs = ratings.filter(isMoved).map((rating) => {
    const others = without(rating);
    const { change } = repairOf(rating, others, config)!;
    placed = [...others, changed(rating, change, config)];
    const counterpart = counterpartAmong(unmoved, rating) ?? counterpartAmong(ratings, rating);
    return { rating, change, counterpart };
  });
  const pushed = repairs.filter(({ counterpart }) => !counterpart).map(({ change }) => change);
  return repairs.flatMap(({ rating, change, counterpart }) => {
    // Relative to the others after their changes.
    const scores = change.kind === "score"
      ? fittingScores(rating.rank, without(rating), config)
      : undefined;
    return counterpart ? [{ rating, counterpart, change, scores }] : [];
  }).map((culprit, index) => ({ ...culprit, pushed: index === 0 ? pushed : [] }));
}

/** Returns the conflicting rating in the nearest bucket that sets the limit. */
function counterpartAmong(others: Ratings, rating: RankedRating): RankedRating | undefined {
  return others.filter((other) => isOutOfOrder(other, rating)).sort((a, b) =>
    Math.abs(a.rank - rating.rank) - Math.abs(b.rank - rating.rank) ||
    Math.abs(b.da - rating.da) - Math.abs(a.da - rating.da)
  )[0];
}

/**
 * Returns the scores in order for a bucket rank among other ratings.
 * The result is undefined if none.
 */
export function fittingScores(
  rank: number,
  others: Ratings,
  config: RunConfig,
): ScoreInterval | undefined {
  const worse = others.filter((rating) => rating.rank > rank);
  const better = others.filter((rating) => rating.rank < rank);
  const low = Math.max(config.daMin, ...worse.map(({ da }) => nextScore(da, 1, config)));
  const high = Math.min(config.daMax, ...better.map(({ da }) => nextScore(da, -1, config)));
  return low <= high ? { low, high } : undefined;
}

/**
 * Returns the repair of a rating that is out of order.
 * The other ratings are in order. The repair is the nearest score in the same bucket, since a
 * typing error affects the score; otherwise it is the nearest bucket that the score fits. A bucket
 * that must not be empty keeps its last rating.
 */
function repairOf(
  rating: RankedRating,
  others: Ratings,
  config: RunConfig,
): Repair | undefined {
  const { translation, da, rank } = rating;
  const scores = fittingScores(rank, others, config);
  if (scores) {
    const nearest = Math.max(scores.low, Math.min(scores.high, da));
    return { change: { kind: "score", translation, da: nearest }, scores };
  }
  const mayLeave = config.allowEmptyBuckets || others.some((other) => other.rank === rank);
  const [target] = config.buckets.map(({ key }, rank) => ({ key, rank }))
    .filter((to) =>
      mayLeave && to.rank !== rank &&
      others.every((other) => !isOutOfOrder({ ...rating, rank: to.rank }, other))
    )
    .sort((a, b) => Math.abs(a.rank - rank) - Math.abs(b.rank - rank));
  return target &&
    { change: { kind: "bucket", translation, bucket: target.key }, scores: undefined };
}

/** Returns a rating after a change. */
function changed(rating: RankedRating, change: Change, config: RunConfig): RankedRating {
  if (change.kind === "score") return { ...rating, da: change.da };
  return { ...rating, bucket: change.bucket, rank: bucketRank(change.bucket, config) };
}

/** Returns a change's size in points. A move by one bucket counts as {@link bucketWidth}. */
function pointsMoved(rating: RankedRating, change: Change, config: RunConfig): number {
  const { da, rank } = changed(rating, change, config);
  return Math.abs(da - rating.da) + bucketWidth(config) * Math.abs(rank - rating.rank);
}

/** Returns a bucket's average width in points of the scale. */
function bucketWidth({ daMin, daMax, buckets }: RunConfig): number {
  return (daMax - daMin) / buckets.length;
}

/** The best division of the scores below an index. It serves the worst buckets up to one. */
interface Plan {
  readonly cost: number;
  /** The bucket's part of the scale, as indices into the scores. It is undefined if empty. */
  readonly share: { readonly first: number; readonly last: number } | undefined;
  /** The plan of the buckets below; undefined for the worst. */
  readonly below: Plan | undefined;
}

/**
 * Returns the target score of each rating for the fewest ratings to change.
 * Ties go to the fewest points. A target is undefined for a rating that must leave its bucket; the
 * whole is undefined if the scale is too short.
 *
 * The scale is divided among the buckets, and a rating changes only if it lies outside its bucket's
 * part: dynamic programming over buckets and cuts, in time proportional to buckets × scores.
 */
export function fewestChanges(
  ratings: Ratings,
  config: RunConfig,
): readonly (number | undefined)[] | undefined {
  const scores = usefulScores(ratings, config);
  const ranks = [...new Set(ratings.map(({ rank }) => rank))].sort((a, b) => b - a);
  const unit = 1 + (config.daMax - config.daMin) * ratings.length;
  let plans: readonly Plan[] = Array(scores.length + 1)
    .fill({ cost: 0, share: undefined, below: undefined });
  for (const rank of ranks) {
    const members = ratings.filter((rating) => rating.rank === rank).map(({ da }) => da);
    plans = plansWith(members, plans, scores, unit, config);
  }
  let plan: Plan | undefined = plans.at(-1)!;
  if (plan.cost === Infinity) return undefined;
  const shares = new Map<number, Plan["share"]>();
  for (const rank of ranks.toReversed()) {
    shares.set(rank, plan!.share);
    plan = plan!.below;
  }
  return ratings.map(({ da, rank }) => {
    const share = shares.get(rank);
    return share && Math.max(scores[share.first]!, Math.min(scores[share.last]!, da));
  });
}

/**
 * Returns candidate scores: those given, the ends of the scale and their neighbours.
 * Neighbours reach as far as there are buckets, since buckets push one another.
 */
function usefulScores(ratings: Ratings, config: RunConfig): readonly number[] {
  const candidates = new Set<number>();
  for (const given of [config.daMin, config.daMax, ...ratings.map(({ da }) => da)]) {
    for (const sign of [1, -1] as const) {
      let score = given;
      for (const _ of config.buckets) {
        if (score >= config.daMin && score <= config.daMax) candidates.add(score);
        score = nextScore(score, sign, config);
      }
    }
  }
  return [...candidates].sort((a, b) => a - b);
}

/** Returns the best plans after the next bucket, by number of scores. */
function plansWith(
  members: readonly number[],
  below: readonly Plan[],
  scores: readonly number[],
  unit: number,
  config: RunConfig,
): readonly Plan[] {
  // Cost of changing the ratings that lie outside; a distance of zero or less is inside.
  const outside = (distance: (da: number) => number) =>
    members.map(distance).filter((points) => points > 0)
      .reduce((cost, points) => cost + unit + points, 0);
  const emptied = config.allowEmptyBuckets
    ? members.length * (unit + bucketWidth(config))
    : Infinity;
  const empty = (under: Plan): Plan => {
    return { cost: under.cost + emptied, share: undefined, below: under };
  };
  const plans = [empty(below[0]!)];
  let start = { cost: Infinity, first: 0 };
  scores.forEach((score, index) => {
    const starting = below[index]!.cost + outside((da) => score - da);
    if (starting < start.cost) start = { cost: starting, first: index };
    const { cost, first } = start;
    const share = { first, last: index };
    const sharing = { cost: cost + outside((da) => da - score), share, below: below[first] };
    const candidates: readonly Plan[] = [plans[index]!, sharing, empty(below[index + 1]!)];
    plans.push(candidates.reduce((best, plan) => plan.cost < best.cost ? plan : best));
  });
  return plans;
}
