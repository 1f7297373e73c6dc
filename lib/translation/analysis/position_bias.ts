import { blockPermutationTest } from "../../stats/permutation.ts";
import { randomSource } from "../../stats/random.ts";
import { average, estimate, type ItemValue } from "./estimate.ts";
import { ratedOnly } from "./item_scores.ts";
import type { SystemRating } from "./rated_run.ts";
import type { AnalysisOptions, PositionBias } from "./results.ts";

/**
 * Whether a rater's scores depend on the row of the screen. The order was drawn at random for each
 * item, so that without such a bias every arrangement of an item's scores is as likely as any other:
 * the tests exchange scores within items and assume nothing else.
 */
export function positionBias(
  ratings: readonly SystemRating[],
  options: AnalysisOptions,
): PositionBias {
  const items = scoresByPosition(ratings);
  const blocks = items.map(({ value }) => value);
  const rows = Math.max(0, ...blocks.map(({ length }) => length));
  const test = (statistic: (blocks: readonly (readonly number[])[]) => number) =>
    blockPermutationTest({
      blocks,
      statistic,
      permutations: options.permutations ?? 10_000,
      random: randomSource(`${options.seed}|positions`),
    });
  return {
    positions: Array.from({ length: rows }, (_, row) => ({
      position: row + 1,
      deviation: deviationAt(row, items, options),
    })),
    slope: estimate("positions", items, meanSlope, options),
    slopeTest: test((drawn) => Math.abs(meanSlope(drawn) ?? 0)),
    spreadTest: test(spread),
  };
}

/** Scores less the item's mean, in the order of the screen, item by item. */
function scoresByPosition(
  ratings: readonly SystemRating[],
): readonly ItemValue<readonly number[]>[] {
  return [...Map.groupBy(ratedOnly(ratings), ({ itemId }) => itemId).values()].map((own) => {
    const centre = average(own.map(({ da }) => da))!;
    const ordered = own.toSorted((a, b) => a.position - b.position);
    const { segment, document } = own[0]!;
    return { segment, document, value: ordered.map(({ da }) => da - centre) };
  });
}

function deviationAt(
  row: number,
  items: readonly ItemValue<readonly number[]>[],
  options: AnalysisOptions,
) {
  const values = items.map(({ value, ...place }) => ({ ...place, value: value[row]! }));
  return estimate("positions", values, average, options);
}

/** Points per row: every item has the same rows, so the common slope is the mean of the items'. */
function meanSlope(blocks: readonly (readonly number[])[]): number | undefined {
  return average(blocks.map(slopeOf));
}

/** Least squares on the rows 0 … N−1; the values' mean need not be taken off. */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  let [products, squares] = [0, 0];
  for (let row = 0; row < values.length; row++) {
    products += (row - middle) * values[row]!;
    squares += (row - middle) ** 2;
  }
  return products / squares;
}

/** Mean square of the rows' mean deviations. */
function spread(blocks: readonly (readonly number[])[]): number {
  const rows = new Float64Array(blocks[0]?.length ?? 0);
  for (const block of blocks) {
    for (let row = 0; row < rows.length; row++) rows[row]! += block[row]! / blocks.length;
  }
  return rows.reduce((sum, deviation) => sum + deviation ** 2, 0) / rows.length;
}
