import { sum } from "simple-statistics";
import { pearson } from "../../stats/rank_correlation.ts";
import { average } from "./estimate.ts";

/** One translation's scores by two raters, in points. */
export interface PairedScore {
  readonly system: string;
  readonly one: number;
  readonly other: number;
}

/**
 * Pearson's correlation of two raters' scores once each rater's means of items and of systems are
 * taken off (double centring): whether they agree on single translations, for which it does not help
 * that both see which systems are good. The noise of both raters draws it towards nought.
 *
 * Every item is taken to have every system, as the items of a run do. Undefined where nothing is left
 * of a rater's scores, as with a single item.
 */
export function correlationBeyondSystems(
  items: readonly (readonly PairedScore[])[],
): number | undefined {
  const [one, other] = [leftOf(items, "one"), leftOf(items, "other")];
  const isNothing = (values: readonly number[]) => sum(values.map((value) => value ** 2)) < 1e-9;
  if (isNothing(one) || isNothing(other)) return undefined;
  const found = pearson(one, other);
  return found.kind === "correlation" ? found.coefficient : undefined;
}

function leftOf(
  items: readonly (readonly PairedScore[])[],
  rater: "one" | "other",
): readonly number[] {
  const deviations = items.flatMap((item) => {
    const centre = average(item.map((score) => score[rater]))!;
    return item.map((score) => ({ system: score.system, deviation: score[rater] - centre }));
  });
  const bySystem = Map.groupBy(deviations, ({ system }) => system);
  const means = new Map(
    [...bySystem].map(([system, own]) => [system, average(own.map(({ deviation }) => deviation))!]),
  );
  return deviations.map(({ system, deviation }) => deviation - means.get(system)!);
}
