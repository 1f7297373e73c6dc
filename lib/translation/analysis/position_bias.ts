import { sum } from "simple-statistics";
import { blockPermutationTest } from "../../stats/permutation.ts";
import { randomSource } from "../../stats/random.ts";
import {
  type AnalysisOptions,
  average,
  estimate,
  groupedBy,
  type ItemValue,
  ratedOnly,
} from "./estimate.ts";
import type { SystemRating } from "./ratings.ts";

type Blocks = readonly (readonly number[])[];

/**
 * Whether a rater's scores, less what item and system explain, depend on the row of the screen: by
 * position 1 … N the mean deviation in points, and points per row downwards. Orders were drawn at
 * random, so that the tests of |slope| and of the positions' spread exchange scores within items.
 */
export function positionBias(ratings: readonly SystemRating[], options: AnalysisOptions) {
  const items = remaindersByItem(ratings);
  const blocks = items.map(({ value }) => value.map(({ score }) => score));
  const rows = Math.max(0, ...blocks.map(({ length }) => length));
  const test = (statistic: (blocks: Blocks) => number) =>
    blockPermutationTest({
      blocks,
      statistic,
      permutations: options.permutations ?? 10_000,
      random: randomSource(`${options.seed}|positions`),
    });
  const scoresAt = (row: number) =>
    items.map(({ value, ...place }) => ({ ...place, value: value[row]!.score }));
  return {
    positions: Array.from({ length: rows }, (_, row) => ({
      position: row + 1,
      deviation: estimate("positions", scoresAt(row), average, options),
    })),
    slope: estimate("positions", items, (drawn) => slope(drawn.flat()), options),
    slopeTest: test((drawn) => Math.abs(meanSlope(drawn))),
    spreadTest: test(spread),
  };
}

/** What item and system leave unexplained of a score, in points, and of the row it stood in. */
interface Remainder {
  readonly score: number;
  readonly row: number;
}

/** In the order of the screen. */
function remaindersByItem(
  ratings: readonly SystemRating[],
): readonly ItemValue<readonly Remainder[]>[] {
  const items = groupedBy(ratedOnly(ratings), ({ itemId }) => itemId);
  const scores = beyondItemAndSystem(items, ({ da }) => da);
  const rows = beyondItemAndSystem(items, ({ position }) => position);
  return items.map(({ value, ...place }) => ({
    ...place,
    value: value.toSorted((a, b) => a.position - b.position)
      .map((rating) => ({ score: scores.get(rating)!, row: rows.get(rating)! })),
  }));
}

/** How far a figure is from its item's mean, beyond how far the system's are on the other items. */
function beyondItemAndSystem(
  items: readonly ItemValue<readonly SystemRating[]>[],
  figure: (rating: SystemRating) => number,
): ReadonlyMap<SystemRating, number> {
  const deviations = items.flatMap(({ value: own }) => {
    const centre = average(own.map(figure))!;
    return own.map((rating) => ({ rating, deviation: figure(rating) - centre }));
  });
  const bySystem = Map.groupBy(deviations, ({ rating }) => rating.system).values();
  return new Map([...bySystem].flatMap((own) => {
    const total = sum(own.map(({ deviation }) => deviation));
    const others = Math.max(1, own.length - 1);
    return own.map(({ rating, deviation }) =>
      [rating, deviation - (total - deviation) / others] as const
    );
  }));
}

/**
 * Points per row by least squares of scores on rows, items and systems (Frisch & Waugh 1933,
 * Econometrica 1, 387–401). Undefined where item and system say in which row a translation stood.
 */
function slope(remainders: readonly Remainder[]): number | undefined {
  const squares = sum(remainders.map(({ row }) => row ** 2));
  if (squares < 1e-9) return undefined;
  return sum(remainders.map(({ score, row }) => score * row)) / squares;
}

/** Mean over items of the least-squares slope on the rows; the values' mean need not be taken off. */
function meanSlope(blocks: Blocks): number {
  const slopes = blocks.map((values) => {
    const middle = (values.length - 1) / 2;
    let [products, squares] = [0, 0];
    for (let row = 0; row < values.length; row++) {
      products += (row - middle) * values[row]!;
      squares += (row - middle) ** 2;
    }
    return products / squares;
  });
  return average(slopes) ?? 0;
}

/** Mean square of the rows' mean deviations. */
function spread(blocks: Blocks): number {
  const rows = new Float64Array(blocks[0]?.length ?? 0);
  for (const block of blocks) {
    for (let row = 0; row < rows.length; row++) rows[row]! += block[row]! / blocks.length;
  }
  return rows.reduce((sum, deviation) => sum + deviation ** 2, 0) / rows.length;
}
