import type { Evaluation } from "../item.ts";
import type { RunConfig } from "../run_config.ts";
import { fewestChanges } from "./fewest_changes.ts";
import { changed, pointsMoved, waysToFit } from "./fitting.ts";
import { isInOrder, offends, type RankedRating, rankedRatings } from "./ordering.ts";
import type { Change, Way } from "./violation.ts";

/** A rating out of place, with the one it stands most plainly against. */
export interface Culprit {
  readonly rating: RankedRating;
  readonly counterpart: RankedRating;
  /** At least one; the first is the repair. */
  readonly ways: readonly Way[];
  /** Ratings in place that must give way besides. */
  readonly pushed: readonly Change[];
}

/** Who is to blame for an item's order. */
export interface Blame {
  readonly ratings: readonly RankedRating[];
  /** Empty where the order is right, or where nothing can put it right. */
  readonly culprits: readonly Culprit[];
  /** Whether the one culprit's counterpart may be the one out of place just as well. */
  readonly tied: boolean;
}

const known = new WeakMap<RunConfig, WeakMap<Evaluation, Blame>>();

/** The ratings out of place: worked out once for each value of an evaluation. */
export function blameFor(evaluation: Evaluation, config: RunConfig): Blame {
  const ofRun = known.get(config) ?? new WeakMap<Evaluation, Blame>();
  known.set(config, ofRun);
  const found = ofRun.get(evaluation) ?? blameAmong(rankedRatings(evaluation, config), config);
  ofRun.set(evaluation, found);
  return found;
}

/**
 * The fewest ratings whose change puts the order right. Twelve ratings of which one was typed 99 for
 * 9 are many pairs out of order, but one rating out of place; to judge each pair by itself would
 * have good ratings spoilt.
 *
 * Among as few, those that fewer points put in place: a slip that nearly fits is likelier than one
 * that does not. Two ratings out of order only with each other take the same points mostly, and then
 * nothing tells which is wrong: both are named, the worse one first.
 */
function blameAmong(ratings: readonly RankedRating[], config: RunConfig): Blame {
  if (!config.strictOrdering || isInOrder(ratings)) return { ratings, culprits: [], tied: false };
  const [first, second] = soleCulprits(ratings, config);
  if (first === undefined) {
    return { ratings, culprits: severalCulprits(ratings, config), tied: false };
  }
  const tied = second !== undefined && second.points === first.points;
  const ways = tied ? eitherWay(first, second) : first.ways.map(({ way }) => way);
  const { rating, counterpart } = first;
  return { ratings, culprits: [{ rating, counterpart, ways, pushed: [] }], tied };
}

interface SoleCulprit {
  readonly rating: RankedRating;
  readonly counterpart: RankedRating;
  readonly ways: readonly { readonly way: Way; readonly points: number }[];
  /** What its first way takes. */
  readonly points: number;
}

/** Ratings of which each alone can put all in order; those that take fewer points first. */
function soleCulprits(
  ratings: readonly RankedRating[],
  config: RunConfig,
): readonly SoleCulprit[] {
  return ratings.flatMap((rating) => {
    const others = ratings.filter((other) => other !== rating);
    const counterpart = counterpartAmong(others, rating);
    if (counterpart === undefined || !isInOrder(others)) return [];
    const ways = waysToFit(rating, others, config)
      .map((way) => ({ way, points: pointsMoved(rating, way.change, config) }));
    return ways.length === 0 ? [] : [{ rating, counterpart, ways, points: ways[0]!.points }];
  }).sort((a, b) => a.points - b.points || b.rating.rank - a.rating.rank);
}

/** The ways of two; moves only where they take no more points than the scores, for brevity. */
function eitherWay(first: SoleCulprit, second: SoleCulprit): readonly Way[] {
  const ways = [...first.ways, ...second.ways]
    .filter(({ points }) => points <= first.points).map(({ way }) => way);
  const isMove = ({ change }: Way) => change.kind === "bucket";
  return [...ways.filter((way) => !isMove(way)), ...ways.filter(isMove)];
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
  const isKept = (rating: RankedRating, index: number) => targets[index] === rating.da;
  const kept = ratings.filter(isKept);
  let placed = ratings.flatMap((rating, index): readonly RankedRating[] => {
    const da = targets[index];
    return da === undefined ? [] : [{ ...rating, da }];
  });
  const moved = ratings.filter((rating, index) => !isKept(rating, index)).map((rating) => {
    const others = placed.filter(({ translation }) => translation !== rating.translation);
    const ways = waysToFit(rating, others, config);
    placed = [...others, changed(rating, ways[0]!.change, config)];
    const counterpart = counterpartAmong(kept, rating) ?? counterpartAmong(ratings, rating);
    return { rating, counterpart, ways };
  });
  const pushed = moved.filter(({ counterpart }) => counterpart === undefined)
    .map(({ ways }) => ways[0]!.change);
  return moved.flatMap(({ counterpart, ...rest }) =>
    counterpart === undefined ? [] : [{ ...rest, counterpart, pushed: [] as readonly Change[] }]
  ).map((culprit, index) => index === 0 ? { ...culprit, pushed } : culprit);
}

/** Of those that a rating is out of order with, the one in the nearest bucket that sets its limit. */
function counterpartAmong(
  others: readonly RankedRating[],
  { rank, da, ...rest }: RankedRating,
): RankedRating | undefined {
  return others.filter((other) => offends(other, { rank, da, ...rest }))
    .sort((a, b) =>
      Math.abs(a.rank - rank) - Math.abs(b.rank - rank) || Math.abs(b.da - da) - Math.abs(a.da - da)
    )[0];
}
