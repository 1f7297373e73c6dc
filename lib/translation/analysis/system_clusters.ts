import type { SystemPair } from "./results.ts";

/**
 * The cluster of each system, 1 the best, for systems in the order of their means. A new cluster
 * begins below a system if every system down to it is significantly better than every system below,
 * as in WMT's tables (Kocmi et al. 2022, Findings of WMT22); significant is an adjusted p of at
 * most alpha with the difference in this direction. So two systems of one cluster may still differ
 * significantly, and a pair that could not be tested joins what lies between.
 *
 * WMT's tables do not adjust p, so that there may be fewer clusters here: the twelve systems of WMT23
 * English–German are a single one by each of four measures, though about a quarter of their pairs
 * differ.
 */
export function systemClusters(
  order: readonly string[],
  pairs: readonly SystemPair[],
  alpha: number,
): readonly number[] {
  const better = new Set(pairs.flatMap((pair) => significantlyBetter(pair, alpha)));
  let cluster = 1;
  return order.map((_, place) => {
    const [above, below] = [order.slice(0, place), order.slice(place)];
    const apart = above.every((high) => below.every((low) => better.has(named(high, low))));
    if (place > 0 && apart) cluster++;
    return cluster;
  });
}

function significantlyBetter(pair: SystemPair, alpha: number): readonly string[] {
  const { first, second, adjustedP, test } = pair;
  if (typeof adjustedP !== "number" || test.kind !== "test" || adjustedP > alpha) return [];
  if (test.statistic === 0) return [];
  return [test.statistic > 0 ? named(first, second) : named(second, first)];
}

function named(better: string, worse: string): string {
  return JSON.stringify([better, worse]);
}
