import { sum } from "simple-statistics";
import { unavailable, unorderedPairs } from "../../stats/agreement.ts";
import { holmAdjust, signFlipTest, wilcoxonSignedRank } from "../../stats/paired_tests.ts";
import { randomSource } from "../../stats/random.ts";
import type { RunConfig } from "../configuration.ts";
import { configHash } from "../hashes.ts";
import {
  type AnalysisOptions,
  average,
  estimate,
  groupedBy,
  itemKey,
  type ItemValue,
  meansBySystem,
  type Placed,
  resampled,
  standardised,
} from "./estimate.ts";
import type { SystemRating, UnblindedRun } from "./ratings.ts";

/** Significance level for clusters of systems. */
export const ALPHA = 0.05;

/** One item's scores in the order of the systems. */
type SystemScores = readonly (number | undefined)[];

/** All systems, best mean first, and all their pairs. */
export type SystemComparison = ReturnType<typeof compareSystems>;
export type SystemResult = SystemComparison["systems"][number];
type SystemPair = ReturnType<typeof systemPairs>[number];

/**
 * Compares systems over raters' runs, without repeats and checks.
 * Returns scores in points and standardised (`meanZ`), ranks with intervals rounded outwards, buckets
 * and clusters. A system's score is the mean over items of the mean over raters; intervals and
 * tests treat raters as fixed. Throws RangeError if no item is rated or the runs' configurations
 * differ.
 */
export function compareSystems(runs: readonly UnblindedRun[], options: AnalysisOptions) {
  const ratings = standardised(runs);
  if (ratings.length === 0) throw new RangeError("Cannot compare systems: no item was rated.");
  const first = runs[0]!;
  const other = runs.find(({ config }) => configHash(config) !== configHash(first.config));
  if (other !== undefined) {
    const raters = `${first.rater} and ${other.rater}`;
    throw new RangeError(`Cannot compare systems: ${raters} rated under different configurations.`);
  }
  const items = groupedBy(ratings, itemKey).map(({ value, ...place }) => ({
    ...place,
    da: meansBySystem(value, ({ da }) => da),
    z: meansBySystem(value, ({ z }) => z),
  }));
  const scoresOf = (figure: "da" | "z", system: string) =>
    items.flatMap(({ segment, document, [figure]: scores }) => {
      const value = scores.get(system);
      return value === undefined ? [] : [{ segment, document, value }];
    });
  const means = new Map(
    [...new Set(ratings.map(({ system }) => system))].map((system) =>
      [system, average(scoresOf("da", system).map(({ value }) => value))!] as const
    ),
  );
  const order = [...means.keys()].sort((a, b) => means.get(b)! - means.get(a)!);
  const rows = items.map(({ da, ...it }) => ({ ...it, value: order.map((name) => da.get(name)) }));
  const pairs = systemPairs(order, items, options);
  const better = relationOf(pairs, ({ adjustedP }) => Number(adjustedP) <= ALPHA);
  const clusters = systemClusters(order, better);
  const byWmt = systemClusters(order, relationOf(pairs, ({ pWmt }) => Number(pWmt) < ALPHA));
  const systems = order.map((system, place) => {
    const systemRatings = ratings.filter((rating) => rating.system === system);
    const scores = scoresOf("da", system);
    return {
      system,
      items: scores.length,
      // Items × raters if every rater rated all items.
      ratings: systemRatings.length,
      meanDa: estimate(scores, average, options),
      meanZ: estimate(scoresOf("z", system), average, options),
      ...rankOf(place, rows, options),
      buckets: bucketShares(systemRatings, first.config),
      cluster: clusters[place]!,
      clusterWmt: byWmt[place]!,
      betterThan: order.filter((other) => better(system, other)),
      notDifferent: order
        .filter((other) => other !== system && !better(system, other) && !better(other, system)),
    };
  });
  return { systems, pairs, alpha: ALPHA };
}

function rankOf(
  system: number,
  rows: readonly ItemValue<SystemScores>[],
  options: AnalysisOptions,
) {
  const rankIn = (drawn: readonly SystemScores[]) => {
    const means = meansOf(drawn);
    const systemMean = means[system];
    if (systemMean === undefined) return undefined;
    // Means of the same scores added in another order may differ in the last bits.
    return 1 + means.filter((mean) => mean !== undefined && mean > systemMean + 1e-9).length;
  };
  const interval = resampled("systems", rows, rankIn, options, [1, rows[0]!.value.length]);
  return {
    rank: rankIn(rows.map(({ value }) => value))!,
    rankInterval: interval.kind === "interval"
      ? { low: Math.floor(interval.low), high: Math.ceil(interval.high) }
      : unavailable(interval.reason ?? "no interval"),
  };
}

/** Returns each column's mean of the values present; arrays keep resampling fast. */
export function meansOf(rows: readonly SystemScores[]): readonly (number | undefined)[] {
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

/** Counts the choices of each bucket, best first. Shares are 0 without ratings. */
function bucketShares(ratings: readonly SystemRating[], { buckets }: RunConfig) {
  return buckets.map(({ key }) => {
    const count = ratings.filter(({ bucket }) => bucket === key).length;
    return { bucket: key, count, share: count / Math.max(1, ratings.length) };
  });
}

/**
 * Compares every two systems, in order, on the items both have.
 * Returns the mean difference first − second; a two-sided sign-flip test of the items' differences
 * (of documents' sums if intervals cluster by document); and Holm's adjustment over the testable
 * pairs. `pWmt` is WMT's test: Wilcoxon's signed-rank over segments, one-sided, unadjusted.
 */
function systemPairs(
  order: readonly string[],
  items: readonly (Placed & { readonly da: ReadonlyMap<string, number> })[],
  options: AnalysisOptions,
) {
  const pairs = unorderedPairs(order).map(([first, second]) => {
    const differences = items.flatMap(({ segment, document, da }) => {
      const [one, other] = [da.get(first), da.get(second)];
      return one === undefined || other === undefined
        ? []
        : [{ segment, document, value: one - other }];
    });
    const { permutations, cluster } = options;
    const random = randomSource(`${options.seed}|${first}|${second}`);
    const units = cluster === "document"
      ? Map.groupBy(differences, ({ document }) => document).values().toArray()
      : differences.map((one) => [one]);
    // The unit of sign flips: an item's difference, or the sum of a document's.
    const flipped = units.map((unitItems) => sum(unitItems.map(({ value }) => value)));
    return {
      first,
      second,
      items: differences.length,
      difference: estimate(differences, average, options),
      test: differences.length === 0
        ? unavailable("no item has both")
        : signFlipTest(flipped, { permutations, random }),
      wilcoxon: wilcoxonSignedRank(differences.map(({ value }) => value)),
    };
  });
  const tested = pairs.flatMap(({ test }) => test.kind === "test" ? [test.p] : []);
  const adjusted = holmAdjust(tested).values();
  return pairs.map(({ wilcoxon, ...pair }) => ({
    ...pair,
    pWmt: wilcoxon.kind === "test" ? wilcoxon.p : wilcoxon,
    adjustedP: pair.test.kind === "test" ? adjusted.next().value! : pair.test,
  }));
}

/** Tests whether the first of two systems is significantly better than the second. */
type IsBetter = (first: string, second: string) => boolean;

/** Returns the relation "significantly better" between systems from their pairs. */
function relationOf(
  pairs: readonly SystemPair[],
  isSignificant: (pair: SystemPair) => boolean,
): IsBetter {
  const named = (better: string, worse: string) => JSON.stringify([better, worse]);
  const better = new Set(pairs.flatMap((pair) => {
    const { first, second, test } = pair;
    if (test.kind !== "test" || test.statistic === 0 || !isSignificant(pair)) return [];
    return [test.statistic > 0 ? named(first, second) : named(second, first)];
  }));
  return (first, second) => better.has(named(first, second));
}

/**
 * Returns each system's cluster (1 is the best), in order of means.
 * A new cluster begins below a system if every system down to it is significantly better than every
 * one below, as in WMT's tables (Kocmi et al. 2022, Findings of WMT22).
 */
export function systemClusters(order: readonly string[], isBetter: IsBetter): readonly number[] {
  let cluster = 1;
  return order.map((_, place) => {
    const [above, below] = [order.slice(0, place), order.slice(place)];
    const apart = above.every((high) => below.every((low) => isBetter(high, low)));
    if (place > 0 && apart) cluster++;
    return cluster;
  });
}
