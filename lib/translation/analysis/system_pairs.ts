import { sum } from "simple-statistics";
import { holmAdjust } from "../../stats/paired_tests.ts";
import { signFlipTest } from "../../stats/permutation.ts";
import { randomSource } from "../../stats/random.ts";
import { unavailable } from "../../stats/unavailable.ts";
import { average, estimate, type ItemValue } from "./estimate.ts";
import { everyTwo } from "./every_two.ts";
import type { ItemScores } from "./item_scores.ts";
import type { AnalysisOptions, SystemPair } from "./results.ts";

/**
 * Every two systems, in the given order, compared on the items that both have. Holm's adjustment is
 * over the pairs that could be tested. Where whole documents are resampled, the test flips the signs
 * of whole documents too: their items share their luck.
 */
export function systemPairs(
  order: readonly string[],
  items: readonly ItemScores[],
  options: AnalysisOptions,
): readonly SystemPair[] {
  const pairs = everyTwo(order).map(([first, second]) =>
    comparedPair(first, second, items, options)
  );
  const tested = pairs.flatMap(({ test }) => test.kind === "test" ? [test.p] : []);
  const adjusted = holmAdjust(tested).values();
  return pairs.map((pair) => ({
    ...pair,
    adjustedP: pair.test.kind === "test" ? adjusted.next().value! : pair.test,
  }));
}

function comparedPair(
  first: string,
  second: string,
  items: readonly ItemScores[],
  options: AnalysisOptions,
): Omit<SystemPair, "adjustedP"> {
  const differences = items.flatMap(({ segment, document, da }) => {
    const [one, other] = [da.get(first), da.get(second)];
    return one === undefined || other === undefined
      ? []
      : [{ segment, document, value: one - other }];
  });
  const difference = estimate("pairs of systems", differences, average, options);
  const test = differences.length === 0
    ? unavailable("no item has both")
    : signFlipTest(flippedTogether(differences, options), {
      alternative: "two-sided",
      permutations: options.permutations,
      random: randomSource(`${options.seed}|${first}|${second}`),
    });
  return { first, second, items: differences.length, difference, test };
}

/** What has one sign: an item's difference, or the sum of a document's. */
function flippedTogether(
  differences: readonly ItemValue<number>[],
  { cluster = "segment" }: AnalysisOptions,
): readonly number[] {
  if (cluster === "segment") return differences.map(({ value }) => value);
  return [...Map.groupBy(differences, ({ document }) => document).values()]
    .map((own) => sum(own.map(({ value }) => value)));
}
