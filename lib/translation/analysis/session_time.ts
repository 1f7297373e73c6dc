import { sum } from "simple-statistics";
import { quartiles } from "../quartiles.ts";
import { wallClockSeconds } from "../wall_clock.ts";
import { average, estimate, type Placed } from "./estimate.ts";
import type { SystemRating } from "./rated_run.ts";
import type { AnalysisOptions, SessionDrift, SessionTime } from "./results.ts";

/** An item in the course of a session. */
interface TimedItem extends Placed {
  /** 0 for the item that was committed first, in tens of items. */
  readonly tens: number;
  readonly isRated: boolean;
  readonly meanDa: number;
  readonly activeSeconds: number;
  readonly wallClockSeconds: number | undefined;
}

const NONE = "no items";

/** Time per item, over all items whatever their role. */
export function sessionTime(ratings: readonly SystemRating[]): SessionTime {
  const items = timedItems(ratings);
  const wallClock = items.map(({ wallClockSeconds }) => wallClockSeconds);
  return {
    activeSeconds: quartiles(items.map(({ activeSeconds }) => activeSeconds), NONE),
    wallClockSeconds: quartiles(wallClock.filter((seconds) => seconds !== undefined), NONE),
  };
}

/**
 * Slopes of score and time on the order in which items were last committed, by least squares. Repeats
 * and attention checks are left out but keep their places: they come late, and who knows a sentence
 * is faster for that. The order of items was not drawn at random: a drift of the score may be one of
 * the texts, and an item changed at the end counts as one of the end.
 */
export function sessionDrift(
  ratings: readonly SystemRating[],
  options: AnalysisOptions,
): SessionDrift {
  const items = timedItems(ratings).filter(({ isRated }) => isRated);
  const slopeOn = (figure: (item: TimedItem) => number) => {
    const points = items.map((item) => {
      const { segment, document, tens } = item;
      return { segment, document, value: { x: tens, y: figure(item) } };
    });
    return estimate("drift", points, slope, options);
  };
  return {
    da: slopeOn(({ meanDa }) => meanDa),
    seconds: slopeOn(({ activeSeconds }) => activeSeconds),
  };
}

function timedItems(ratings: readonly SystemRating[]): readonly TimedItem[] {
  return [...Map.groupBy(ratings, ({ itemId }) => itemId).values()]
    .toSorted(([a], [b]) => Date.parse(a!.committedAt) - Date.parse(b!.committedAt))
    .map((own, order) => {
      const { segment, document, role, activeSeconds, startedAt, committedAt } = own[0]!;
      return {
        segment,
        document,
        tens: order / 10,
        isRated: role.kind === "rated",
        meanDa: average(own.map(({ da }) => da))!,
        activeSeconds,
        wallClockSeconds: wallClockSeconds({ startedAt, committedAt }),
      };
    });
}

/** Of y on x by least squares; undefined where x is the same throughout. */
function slope(points: readonly { readonly x: number; readonly y: number }[]): number | undefined {
  const centre = average(points.map(({ x }) => x)) ?? 0;
  const squares = sum(points.map(({ x }) => (x - centre) ** 2));
  if (squares === 0) return undefined;
  return sum(points.map(({ x, y }) => (x - centre) * y)) / squares;
}
