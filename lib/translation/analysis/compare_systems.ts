import { configHash } from "../hashes.ts";
import { bucketCounts } from "./bucket_counts.ts";
import { average, estimate } from "./estimate.ts";
import {
  type ItemScores,
  itemScores,
  standardised,
  type StandardisedRating,
} from "./item_scores.ts";
import type { UnblindedRun } from "./rated_run.ts";
import type {
  AnalysisOptions,
  Estimate,
  RankRange,
  SystemComparison,
  SystemResult,
} from "./results.ts";
import { systemClusters } from "./system_clusters.ts";
import { systemPairs } from "./system_pairs.ts";

/**
 * Systems' scores, ranks, buckets and clusters over one or more raters' runs. An item's score is the
 * mean over its raters, a system's the mean over its items, so that every item counts alike.
 *
 * Throws RangeError without rated items, and where the runs have different configurations.
 */
export function compareSystems(
  runs: readonly UnblindedRun[],
  options: AnalysisOptions,
): SystemComparison {
  requireOneConfiguration(runs);
  const ratings = standardised(runs);
  const items = itemScores(ratings);
  const means = systemMeans(items);
  const order = [...means.keys()].sort((a, b) => means.get(b)! - means.get(a)!);
  const { alpha = 0.05 } = options;
  const pairs = systemPairs(order, items, options);
  const clusters = systemClusters(order, pairs, alpha);
  const systems = order.map((system, place): SystemResult => {
    const own = ratings.filter((rating) => rating.system === system);
    return {
      system,
      ...scoresOf(system, own, items, options),
      rank: rankOf(system, items, options),
      buckets: bucketCounts(own, runs[0]!.config),
      cluster: clusters[place]!,
    };
  });
  return { systems, pairs, alpha };
}

function scoresOf(
  system: string,
  own: readonly StandardisedRating[],
  items: readonly ItemScores[],
  options: AnalysisOptions,
): Pick<SystemResult, "items" | "ratings" | "meanDa" | "meanZ"> {
  const meanOf = (figure: "da" | "z"): Estimate => {
    const values = items.flatMap(({ segment, document, [figure]: scores }) => {
      const value = scores.get(system);
      return value === undefined ? [] : [{ segment, document, value }];
    });
    return estimate("systems", values, average, options);
  };
  return {
    items: items.filter(({ da }) => da.has(system)).length,
    ratings: own.length,
    meanDa: meanOf("da"),
    meanZ: meanOf("z"),
  };
}

function rankOf(system: string, items: readonly ItemScores[], options: AnalysisOptions): RankRange {
  const values = items.map(({ segment, document, da }) => ({ segment, document, value: da }));
  const rankIn = (drawn: readonly ReadonlyMap<string, number>[]) => rankAmong(system, drawn);
  const interval = estimate("systems", values, rankIn, options);
  return {
    rank: rankIn(items.map(({ da }) => da))!,
    interval: interval.kind === "unavailable"
      ? interval
      : { low: Math.floor(interval.low), high: Math.ceil(interval.high) },
  };
}

/** One more than the systems with a higher mean; undefined where it has no score. */
function rankAmong(
  system: string,
  scores: readonly ReadonlyMap<string, number>[],
): number | undefined {
  const means = meansOver(scores);
  const own = means.get(system);
  if (own === undefined) return undefined;
  // Means of the same scores added in another order may differ in the last bits.
  return 1 + means.values().reduce((above, mean) => above + Number(mean > own + 1e-9), 0);
}

function systemMeans(items: readonly ItemScores[]): ReadonlyMap<string, number> {
  return meansOver(items.map(({ da }) => da));
}

function meansOver(scores: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const sums = new Map<string, { total: number; count: number }>();
  for (const bySystem of scores) {
    for (const [system, score] of bySystem) {
      const sum = sums.get(system) ?? { total: 0, count: 0 };
      sums.set(system, sum);
      sum.total += score;
      sum.count++;
    }
  }
  return new Map(sums.entries().map(([system, { total, count }]) => [system, total / count]));
}

function requireOneConfiguration(runs: readonly UnblindedRun[]): void {
  if (!runs.some(({ ratings }) => ratings.some(({ role }) => role.kind === "rated"))) {
    throw new RangeError("Cannot compare systems: no item was rated.");
  }
  const [first, ...others] = runs.map(({ rater, config }) => ({ rater, hash: configHash(config) }));
  const other = others.find(({ hash }) => hash !== first!.hash);
  if (other === undefined) return;
  throw new RangeError(
    `Cannot compare systems: ${
      first!.rater
    } and ${other.rater} rated under different configurations.`,
  );
}
