import type { RunConfig } from "../configuration.ts";
import type { Evaluation } from "../types.ts";
import {
  bucketRank,
  isInOrder,
  nextScore,
  offends,
  type RankedRating,
  rankedRatings,
  type ScoreInterval,
} from "./scale.ts";

/** One change that a rater could make. */
export type Change =
  | { readonly kind: "score"; readonly translation: number; readonly da: number }
  | { readonly kind: "bucket"; readonly translation: number; readonly bucket: string };

/** A way to put one translation in order. */
export interface Way {
  /** The smallest change of its kind. */
  readonly change: Change;
  /** All scores that would serve as well; undefined for a change of bucket. */
  readonly scores: ScoreInterval | undefined;
}

/** Who is to blame for an item's order. */
interface Blame {
  readonly ratings: readonly RankedRating[];
  /** Empty where the order is right, or where nothing can put it right. */
  readonly culprits: readonly Culprit[];
}

const known = new WeakMap<RunConfig, WeakMap<Evaluation, Blame>>();

/**
 * The fewest ratings whose change puts the order right; worked out once for each evaluation. Twelve
 * ratings of which one was typed 99 for 9 are many pairs out of order, but one rating out of place;
 * to judge each pair by itself would have good ratings spoilt.
 *
 * Among as few, those that fewer points put in place: a slip that nearly fits is likelier than one
 * that does not. Two ratings out of order only with each other take the same points mostly, and then
 * nothing tells which is wrong: both are named, the worse one first.
 */
export function blameFor(evaluation: Evaluation, config: RunConfig): Blame {
  const ofRun = known.get(config) ?? new WeakMap<Evaluation, Blame>();
  known.set(config, ofRun);
  const before = ofRun.get(evaluation);
  if (before !== undefined) return before;
  const ratings = rankedRatings(evaluation, config);
  const culprits = !config.strictOrdering || isInOrder(ratings)
    ? []
    : soleCulprit(ratings, config) ?? severalCulprits(ratings, config);
  ofRun.set(evaluation, { ratings, culprits });
  return { ratings, culprits };
}

/** A rating out of place. */
export interface Culprit extends Suspect {
  /** The counterpart, where it may be the one out of place just as well; its ways are there too. */
  readonly rival: RankedRating | undefined;
  /** Ratings in place that must give way besides. */
  readonly pushed: readonly Change[];
}

/** The rating that alone can put all in order; of two, that which takes fewer points. */
function soleCulprit(
  ratings: readonly RankedRating[],
  config: RunConfig,
): readonly Culprit[] | undefined {
  const [found] = ratings.flatMap((rating) => {
    const others = ratings.filter((other) => other !== rating);
    const counterpart = counterpartAmong(others, rating);
    if (counterpart === undefined || !isInOrder(others)) return [];
    const ways = waysToFit(rating, others, config);
    if (ways.length === 0) return [];
    const points = pointsMoved(rating, ways[0]!.change, config);
    return [{ rating, others, counterpart, ways, points }];
  }).sort((a, b) => a.points - b.points || b.rating.rank - a.rating.rank);
  return found && [{ ...withRival(found, ratings, found.others, config), pushed: [] }];
}

/**
 * Where no one rating puts all in order: each of the fewest with its repair given those that stay
 * and the repairs before it, so that all repairs together leave nothing out of order.
 */
function severalCulprits(
  ratings: readonly RankedRating[],
  config: RunConfig,
): readonly Culprit[] {
  const targets = fewestChanges(ratings, config);
  if (targets === undefined) return [];
  const isMoved = (rating: RankedRating, index: number) => targets[index] !== rating.da;
  const kept = ratings.filter((rating, index) => !isMoved(rating, index));
  let placed = ratings.flatMap((rating, index): readonly RankedRating[] => {
    const da = targets[index];
    return da === undefined ? [] : [da === rating.da ? rating : { ...rating, da }];
  });
  const moved = ratings.filter(isMoved).map((rating) => {
    const others = without(rating, placed);
    const { change } = waysToFit(rating, others, config)[0]!;
    placed = [...others, changed(rating, change, config)];
    return { rating, change };
  });
  const found = moved.map(({ rating, change }) => ({
    rating,
    change,
    counterpart: counterpartAmong(kept, rating) ?? counterpartAmong(ratings, rating),
  }));
  const pushed = found.filter(({ counterpart }) => !counterpart).map(({ change }) => change);
  return found.flatMap(({ rating, change, counterpart }) => {
    if (counterpart === undefined) return [];
    const others = without(rating, placed);
    // The repair is settled; another bucket serves as well, among the others as they will stand.
    const ways = change.kind === "bucket" ? [{ change, scores: undefined }] : [
      { change, scores: fittingScores(rating.rank, others, config) },
      ...waysToFit(rating, others, config).filter((way) => way.change.kind === "bucket"),
    ];
    return [withRival({ rating, counterpart, ways }, ratings, others, config)];
  }).map((culprit, index) => ({ ...culprit, pushed: index === 0 ? pushed : [] }));
}

function without(
  { translation }: RankedRating,
  ratings: readonly RankedRating[],
): readonly RankedRating[] {
  return ratings.filter((other) => other.translation !== translation);
}

/** Of those that a rating is out of order with, the one in the nearest bucket that sets its limit. */
function counterpartAmong(
  others: readonly RankedRating[],
  rating: RankedRating,
): RankedRating | undefined {
  return others.filter((other) => offends(other, rating)).sort((a, b) =>
    Math.abs(a.rank - rating.rank) - Math.abs(b.rank - rating.rank) ||
    Math.abs(b.da - rating.da) - Math.abs(a.da - rating.da)
  )[0];
}

/** A rating out of place, with the one it stands most plainly against. */
interface Suspect {
  readonly rating: RankedRating;
  readonly counterpart: RankedRating;
  /** At least one; the first is the repair. */
  readonly ways: readonly Way[];
}

/**
 * A rating with its counterpart as its rival, whose ways are then among its own, where the two are
 * out of order only with each other and the counterpart takes no more points. Moves are then named
 * only where they take no more points than the scores, for brevity.
 * @param others All but the rating, each in its place.
 */
function withRival(
  { rating, counterpart, ways }: Suspect,
  ratings: readonly RankedRating[],
  others: readonly RankedRating[],
  config: RunConfig,
): Suspect & { readonly rival: RankedRating | undefined } {
  const alone = { rating, counterpart, ways, rival: undefined };
  const isBetweenThem = ratings.every((one) =>
    one === rating || one === counterpart || !(offends(one, rating) || offends(one, counterpart))
  );
  const rest = [...others.filter((other) => other !== counterpart), rating];
  if (!isBetweenThem || !others.includes(counterpart) || !isInOrder(rest)) return alone;
  const theirs = waysToFit(counterpart, rest, config);
  const cost = pointsMoved(rating, ways[0]!.change, config);
  if (theirs.length === 0 || pointsMoved(counterpart, theirs[0]!.change, config) > cost) {
    return alone;
  }
  const cheap = [
    ...ways.filter(({ change }) => pointsMoved(rating, change, config) <= cost),
    ...theirs.filter(({ change }) => pointsMoved(counterpart, change, config) <= cost),
  ];
  const isMove = ({ change }: Way) => change.kind === "bucket";
  const inOrder = [...cheap.filter((way) => !isMove(way)), ...cheap.filter(isMove)];
  return { rating, counterpart, rival: counterpart, ways: inOrder };
}

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
function waysToFit(
  rating: RankedRating,
  others: readonly RankedRating[],
  config: RunConfig,
): readonly Way[] {
  const { translation, da, rank } = rating;
  const scores = fittingScores(rank, others, config);
  const mayLeave = config.allowEmptyBuckets || others.some((other) => other.rank === rank);
  const [target] = config.buckets.map(({ key }, rank) => ({ key, rank }))
    .filter((to) =>
      mayLeave && to.rank !== rank &&
      others.every((other) => !offends({ ...rating, rank: to.rank }, other))
    )
    .sort((a, b) => Math.abs(a.rank - rank) - Math.abs(b.rank - rank));
  const ways: Way[] = [];
  if (scores !== undefined) {
    const nearest = Math.max(scores.low, Math.min(scores.high, da));
    ways.push({ change: { kind: "score", translation, da: nearest }, scores });
  }
  if (target !== undefined) {
    ways.push({ change: { kind: "bucket", translation, bucket: target.key }, scores: undefined });
  }
  return ways;
}

/** The rating after a change of it. */
function changed(rating: RankedRating, change: Change, config: RunConfig): RankedRating {
  if (change.kind === "score") return { ...rating, da: change.da };
  return { ...rating, bucket: change.bucket, rank: bucketRank(change.bucket, config) };
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
function bucketWidth({ daMin, daMax, buckets }: RunConfig): number {
  return (daMax - daMin) / buckets.length;
}

/** The part of the scale that a bucket gets, as indices into the scores; undefined for none. */
interface Share {
  readonly first: number;
  readonly last: number;
}

/** How best to share out the scores before an index, from the worst bucket up to some bucket. */
interface Plan {
  readonly cost: number;
  readonly share: Share | undefined;
  /** The plan of the buckets below; undefined at the worst. */
  readonly below: Plan | undefined;
}

/**
 * By rating, the score it must have (its own where it stays) for the fewest ratings to change and,
 * among as few, for the fewest points; undefined for a rating that must leave its bucket. Undefined
 * altogether where no bucket may be left empty and the scale is too short for all.
 *
 * The scale is cut between the buckets, and a rating changes just if it lies outside its bucket's
 * part: with its score moved to the part, or moved to the bucket that its score is in. So the
 * fewest changes are found by dynamic programming over buckets and cuts, in time proportional to
 * buckets × scores.
 */
export function fewestChanges(
  ratings: readonly RankedRating[],
  config: RunConfig,
): readonly (number | undefined)[] | undefined {
  const scores = usefulScores(ratings, config);
  const ranks = [...new Set(ratings.map(({ rank }) => rank))].sort((a, b) => b - a);
  const unit = 1 + (config.daMax - config.daMin) * ratings.length;
  const start: Plan = { cost: 0, share: undefined, below: undefined };
  const plans = ranks.reduce<readonly Plan[]>(
    (below, rank) => {
      const members = ratings.filter((rating) => rating.rank === rank).map(({ da }) => da);
      return plansWith(members, below, scores, unit, config);
    },
    Array.from({ length: scores.length + 1 }, () => start),
  );
  const best = plans.at(-1)!;
  if (best.cost === Infinity) return undefined;
  const shares = new Map<number, Share | undefined>();
  let plan = best;
  for (const rank of ranks.toReversed()) {
    shares.set(rank, plan.share);
    plan = plan.below!;
  }
  return ratings.map(({ da, rank }) => {
    const share = shares.get(rank);
    return share && Math.max(scores[share.first]!, Math.min(scores[share.last]!, da));
  });
}

/**
 * Scores at which a cut can matter: those given, the ends of the scale and, since buckets may be
 * pushed aside one after the other, as many next to each as there are buckets.
 */
function usefulScores(ratings: readonly RankedRating[], config: RunConfig): readonly number[] {
  const found = new Set<number>();
  for (const given of [config.daMin, config.daMax, ...ratings.map(({ da }) => da)]) {
    for (const sign of [1, -1] as const) {
      let score = given;
      for (let step = 0; step < config.buckets.length; step++) {
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
  const plans = [{ cost: below[0]!.cost + emptied, share: undefined, below: below[0] } as Plan];
  let start = { cost: Infinity, first: 0 };
  scores.forEach((score, index) => {
    const starting = below[index]!.cost + outside((da) => score - da);
    if (starting < start.cost) start = { cost: starting, first: index };
    const under = below[index + 1]!;
    const candidates: readonly Plan[] = [
      plans[index]!,
      {
        cost: start.cost + outside((da) => da - score),
        share: { first: start.first, last: index },
        below: below[start.first],
      },
      { cost: under.cost + emptied, share: undefined, below: under },
    ];
    plans.push(candidates.reduce((best, plan) => plan.cost < best.cost ? plan : best));
  });
  return plans;
}
