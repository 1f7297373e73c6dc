import type { RunConfig } from "../run_config.ts";
import { pointsMoved, waysToFit } from "./fitting.ts";
import { isInOrder, offends, type RankedRating } from "./ordering.ts";
import type { Way } from "./violation.ts";

/** A rating out of place, with the one it stands most plainly against. */
export interface Suspect {
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
export function withRival(
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
  return {
    ...{ rating, counterpart, rival: counterpart },
    ways: [...cheap.filter((way) => !isMove(way)), ...cheap.filter(isMove)],
  };
}
