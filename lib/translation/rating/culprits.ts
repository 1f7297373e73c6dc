import type { RunConfig } from "../run_config.ts";
import { fewestChanges } from "./fewest_changes.ts";
import { changed, fittingScores, pointsMoved, waysToFit } from "./fitting.ts";
import { isInOrder, offends, type RankedRating } from "./ordering.ts";
import { type Suspect, withRival } from "./rivals.ts";
import type { Change, Way } from "./violation.ts";

/** A rating out of place. */
export interface Culprit extends Suspect {
  /** The counterpart, where it may be the one out of place just as well; its ways are there too. */
  readonly rival: RankedRating | undefined;
  /** Ratings in place that must give way besides. */
  readonly pushed: readonly Change[];
}

/** The rating that alone can put all in order; of two, that which takes fewer points. */
export function soleCulprit(
  ratings: readonly RankedRating[],
  config: RunConfig,
): Culprit | undefined {
  const [found] = ratings.flatMap((rating) => {
    const others = ratings.filter((other) => other !== rating);
    const counterpart = counterpartAmong(others, rating);
    if (counterpart === undefined || !isInOrder(others)) return [];
    const ways = waysToFit(rating, others, config);
    if (ways.length === 0) return [];
    const points = pointsMoved(rating, ways[0]!.change, config);
    return [{ rating, others, counterpart, ways, points }];
  }).sort((a, b) => a.points - b.points || b.rating.rank - a.rating.rank);
  if (found === undefined) return undefined;
  return { ...withRival(found, ratings, found.others, config), pushed: [] };
}

/**
 * Where no one rating puts all in order: each of the fewest with its repair given those that stay
 * and the repairs before it, so that all repairs together leave nothing out of order.
 */
export function severalCulprits(
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
    const ways = waysAfter(change, rating, others, config);
    return [withRival({ rating, counterpart, ways }, ratings, others, config)];
  }).map((culprit, index) => ({ ...culprit, pushed: index === 0 ? pushed : [] }));
}

/** The ways of a rating whose repair is settled, among the others as they will then stand. */
function waysAfter(
  change: Change,
  rating: RankedRating,
  others: readonly RankedRating[],
  config: RunConfig,
): readonly Way[] {
  if (change.kind === "bucket") return [{ change, scores: undefined }];
  const moves = waysToFit(rating, others, config).filter((way) => way.change.kind === "bucket");
  return [{ change, scores: fittingScores(rating.rank, others, config) }, ...moves];
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
