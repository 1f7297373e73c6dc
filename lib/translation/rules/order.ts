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
function offends(one: RankedRating, other: RankedRating): boolean {
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

/** One change that a rater could make. */
export type Change =
  | { readonly kind: "score"; readonly translation: number; readonly da: number }
  | { readonly kind: "bucket"; readonly translation: number; readonly bucket: string };

/** What puts one translation in order. */
interface Repair {
  readonly change: Change;
  /** All scores that serve as well; undefined for a change of bucket. */
  readonly scores: ScoreInterval | undefined;
}

/** A rating to blame for an item's order, with the one it stands most plainly against. */
interface Culprit extends Repair {
  readonly rating: RankedRating;
  readonly counterpart: RankedRating;
  /** Ratings in place that must give way besides. */
  readonly pushed: readonly Change[];
}

type Ratings = readonly RankedRating[];
type Blame = { readonly ratings: Ratings; readonly culprits: readonly Culprit[] };

const known = new WeakMap<Evaluation, Blame & { readonly config: RunConfig }>();

/**
 * The fewest ratings whose change puts the order right (none where it is right, or nothing can), once
 * for each evaluation. Among as few, those that fewer points put in place: a slip that nearly fits is
 * likelier; then the worse.
 */
export function blameFor(evaluation: Evaluation, config: RunConfig): Blame {
  const before = known.get(evaluation);
  if (before?.config === config) return before;
  const ratings = rankedRatings(evaluation, config);
  const culprits = !config.strictOrdering || isInOrder(ratings)
    ? []
    : soleCulprit(ratings, config) ?? severalCulprits(ratings, config);
  known.set(evaluation, { config, ratings, culprits });
  return { ratings, culprits };
}

/** The rating that alone can put all in order; of two, that which takes fewer points. */
function soleCulprit(ratings: Ratings, config: RunConfig): readonly Culprit[] | undefined {
  const [found] = ratings.flatMap((rating) => {
    const others = ratings.filter((other) => other !== rating);
    const counterpart = counterpartAmong(others, rating);
    if (counterpart === undefined || !isInOrder(others)) return [];
    const repair = repairOf(rating, others, config);
    return repair ? [{ rating, counterpart, ...repair, pushed: [] }] : [];
  }).sort((a, b) =>
    pointsMoved(a.rating, a.change, config) - pointsMoved(b.rating, b.change, config) ||
    b.rating.rank - a.rating.rank
  );
  return found && [found];
}

/** Each of the fewest with its repair given those that stay and the repairs before it. */
function severalCulprits(ratings: Ratings, config: RunConfig): readonly Culprit[] {
  const targets = fewestChanges(ratings, config);
  if (targets === undefined) return [];
  const isMoved = (rating: RankedRating, index: number) => targets[index] !== rating.da;
  const kept = ratings.filter((rating, index) => !isMoved(rating, index));
  let placed: Ratings = ratings.flatMap((rating, index) => {
    const da = targets[index];
    return da === undefined ? [] : [da === rating.da ? rating : { ...rating, da }];
  });
  const without = ({ translation }: RankedRating) =>
    placed.filter((other) => other.translation !== translation);
  const found = ratings.filter(isMoved).map((rating) => {
    const others = without(rating);
    const { change } = repairOf(rating, others, config)!;
    placed = [...others, changed(rating, change, config)];
    const counterpart = counterpartAmong(kept, rating) ?? counterpartAmong(ratings, rating);
    return { rating, change, counterpart };
  });
  const pushed = found.filter(({ counterpart }) => !counterpart).map(({ change }) => change);
  return found.flatMap(({ rating, change, counterpart }) => {
    // Among the others as they will stand.
    const scores = change.kind === "score"
      ? fittingScores(rating.rank, without(rating), config)
      : undefined;
    return counterpart ? [{ rating, counterpart, change, scores }] : [];
  }).map((culprit, index) => ({ ...culprit, pushed: index === 0 ? pushed : [] }));
}

/** Of those that a rating is out of order with, the one in the nearest bucket that sets its limit. */
function counterpartAmong(others: Ratings, rating: RankedRating): RankedRating | undefined {
  return others.filter((other) => offends(other, rating)).sort((a, b) =>
    Math.abs(a.rank - rating.rank) - Math.abs(b.rank - rating.rank) ||
    Math.abs(b.da - rating.da) - Math.abs(a.da - rating.da)
  )[0];
}

/** The scores that are in order in the bucket of this rank among other ratings; undefined if none. */
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
 * How a rating out of place comes in order among others that are: by the nearest score in its bucket,
 * since a slip of the keyboard is one of the score, else by the nearest bucket that its score fits
 * in. A bucket that must not be empty is not left empty.
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
      others.every((other) => !offends({ ...rating, rank: to.rank }, other))
    )
    .sort((a, b) => Math.abs(a.rank - rank) - Math.abs(b.rank - rank));
  return target &&
    { change: { kind: "bucket", translation, bucket: target.key }, scores: undefined };
}

/** The rating after a change of it. */
function changed(rating: RankedRating, change: Change, config: RunConfig): RankedRating {
  if (change.kind === "score") return { ...rating, da: change.da };
  return { ...rating, bucket: change.bucket, rank: bucketRank(change.bucket, config) };
}

/** Points that a change moves a rating by; a move to the next bucket counts as a {@link bucketWidth}. */
function pointsMoved(rating: RankedRating, change: Change, config: RunConfig): number {
  const { da, rank } = changed(rating, change, config);
  return Math.abs(da - rating.da) + bucketWidth(config) * Math.abs(rank - rating.rank);
}

/** Points of the scale that a bucket takes on average. */
function bucketWidth({ daMin, daMax, buckets }: RunConfig): number {
  return (daMax - daMin) / buckets.length;
}

/** How best to share out the scores before an index, from the worst bucket up to some bucket. */
interface Plan {
  readonly cost: number;
  /** The part of the scale that the bucket gets, as indices into the scores; undefined for none. */
  readonly share: { readonly first: number; readonly last: number } | undefined;
  /** The plan of the buckets below; undefined at the worst. */
  readonly below: Plan | undefined;
}

/**
 * By rating, the score it must have for the fewest ratings to change and, among as few, for the fewest
 * points; undefined for one that must leave its bucket, and altogether where the scale is too short.
 *
 * The scale is cut between the buckets, and a rating changes just if it lies outside its bucket's part:
 * dynamic programming over buckets and cuts, in time proportional to buckets × scores.
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

/** The scores given, the ends of the scale and, since buckets push one another, the next to each. */
function usefulScores(ratings: Ratings, config: RunConfig): readonly number[] {
  const found = new Set<number>();
  for (const given of [config.daMin, config.daMax, ...ratings.map(({ da }) => da)]) {
    for (const sign of [1, -1] as const) {
      let score = given;
      for (const _ of config.buckets) {
        if (score >= config.daMin && score <= config.daMax) found.add(score);
        score = nextScore(score, sign, config);
      }
    }
  }
  return [...found].sort((a, b) => a - b);
}

/** The best plans, by number of scores shared out, once the next bucket's members are in them. */
function plansWith(
  members: readonly number[],
  below: readonly Plan[],
  scores: readonly number[],
  unit: number,
  config: RunConfig,
): readonly Plan[] {
  // What the changes of ratings cost that lie outside by so many points; zero or less is inside.
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
