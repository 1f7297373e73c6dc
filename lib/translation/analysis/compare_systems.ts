import { configHash } from "../hashes.ts";
import { bucketCounts } from "./bucket_counts.ts";
import { average, estimate, type ItemValue } from "./estimate.ts";
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
 * Intervals and tests take items as drawn and raters as given: they do not hold what other raters
 * would change, which for a mean score is a rater's whole harshness.
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
  const rows = items.map(({ segment, document, da }) => ({
    segment,
    document,
    value: order.map((system) => da.get(system)),
  }));
  const systems = order.map((system, place): SystemResult => {
    const own = ratings.filter((rating) => rating.system === system);
    return {
      system,
      ...scoresOf(system, own, items, options),
      rank: rankOf(place, rows, options),
      buckets: bucketCounts(own, runs[0]!.config),
      cluster: clusters[place]!,
    };
  });
  return { systems, pairs, alpha };
}

/** One item's scores in the order of the systems. */
type SystemScores = readonly (number | undefined)[];

/** Mean over items of each system, as {@link SystemResult.meanDa} gives it. */
function systemMeans(items: readonly ItemScores[]): ReadonlyMap<string, number> {
  const systems = new Set(items.flatMap(({ da }) => [...da.keys()]));
  return new Map([...systems].map((system) => {
    const scores = items.map(({ da }) => da.get(system)).filter((score) => score !== undefined);
    return [system, average(scores)!];
  }));
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

function rankOf(
  system: number,
  rows: readonly ItemValue<SystemScores>[],
  options: AnalysisOptions,
): RankRange {
  const rankIn = (drawn: readonly SystemScores[]) => rankAmong(system, drawn);
  const interval = estimate("systems", rows, rankIn, options);
  return {
    rank: rankIn(rows.map(({ value }) => value))!,
    interval: interval.kind === "unavailable"
      ? interval
      : { low: Math.floor(interval.low), high: Math.ceil(interval.high) },
  };
}

/** One more than the systems with a higher mean; undefined where it has no score. */
function rankAmong(system: number, rows: readonly SystemScores[]): number | undefined {
  const means = meansOf(rows);
  const own = means[system];
  if (own === undefined) return undefined;
  // Means of the same scores added in another order may differ in the last bits.
  return 1 + means.filter((mean) => mean !== undefined && mean > own + 1e-9).length;
}

/** By system; a loop over arrays, because ranks take it thousands of times. */
function meansOf(rows: readonly SystemScores[]): readonly (number | undefined)[] {
  const sums = (rows[0] ?? []).map(() => ({ total: 0, count: 0 }));
  for (const row of rows) {
    for (let system = 0; system < sums.length; system++) {
      const score = row[system];
      if (score === undefined) continue;
      sums[system]!.total += score;
      sums[system]!.count++;
    }
  }
  return sums.map(({ total, count }) => count === 0 ? undefined : total / count);
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
