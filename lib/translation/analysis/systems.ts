import { sum } from "simple-statistics";
import { type Unavailable, unavailable } from "../../stats/agreement.ts";
import { holmAdjust } from "../../stats/paired_tests.ts";
import { type PermutationTest, signFlipTest } from "../../stats/permutation.ts";
import { randomSource } from "../../stats/random.ts";
import type { RunConfig } from "../configuration.ts";
import { configHash } from "../hashes.ts";
import {
  type AnalysisOptions,
  average,
  type Estimate,
  estimate,
  everyTwo,
  groupedBy,
  itemKey,
  type ItemValue,
  meansBySystem,
  type Placed,
  standardised,
} from "./estimate.ts";
import type { SystemRating, UnblindedRun } from "./ratings.ts";

/** Two systems compared on the items that both were rated on. */
export interface SystemPair {
  /** The one with the higher mean over all its items comes first. */
  readonly first: string;
  readonly second: string;
  readonly items: number;
  /** Mean difference first − second, in points. */
  readonly difference: Estimate;
  /** Two-sided, by sign flips of the items' differences, or of the documents' sums of them. */
  readonly test: PermutationTest | Unavailable;
  /** Holm's adjustment over all pairs that could be tested. */
  readonly adjustedP: number | Unavailable;
}

/** One segment's scores: by system, the mean over the raters who rated it. */
interface ItemScores extends Placed {
  readonly da: ReadonlyMap<string, number>;
  readonly z: ReadonlyMap<string, number>;
}

/** One item's scores in the order of the systems. */
type SystemScores = readonly (number | undefined)[];

/** All systems, best mean first, and all pairs of them. */
export type SystemComparison = ReturnType<typeof compareSystems>;
export type SystemResult = SystemComparison["systems"][number];

/**
 * Systems' scores, ranks, buckets and clusters over one or more raters' runs, without repeats and
 * attention checks. Scores are in points of Direct Assessment, and standardised per rater (`meanZ`);
 * a rank is a place in the order of mean scores, 1 the best, equal means sharing the better place,
 * its interval over the same resamples, outwards. An item's score is the
 * mean over its raters, a system's the mean over its items, so that every item counts alike.
 * Intervals and tests take items as drawn and raters as given: they do not hold what other raters
 * would change, which for a mean score is a rater's whole harshness.
 *
 * Throws RangeError without rated items, and where the runs have different configurations.
 */
export function compareSystems(runs: readonly UnblindedRun[], options: AnalysisOptions) {
  requireOneConfiguration(runs);
  const ratings = standardised(runs);
  const items = groupedBy(ratings, itemKey).map(({ segment, document, value }): ItemScores => ({
    segment,
    document,
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
  const rows = items.map(({ segment, document, da }) => ({
    segment,
    document,
    value: order.map((system) => da.get(system)),
  }));
  const { alpha = 0.05 } = options;
  const pairs = systemPairs(order, items, options);
  const clusters = systemClusters(order, pairs, alpha);
  const systems = order.map((system, place) => {
    const own = ratings.filter((rating) => rating.system === system);
    const scores = scoresOf("da", system);
    return {
      system,
      items: scores.length,
      // Items × raters where every rater did all.
      ratings: own.length,
      meanDa: estimate("systems", scores, average, options),
      meanZ: estimate("systems", scoresOf("z", system), average, options),
      ...rankOf(place, rows, options),
      buckets: bucketShares(own, runs[0]!.config),
      cluster: clusters[place]!,
    };
  });
  return { systems, pairs, alpha };
}

function requireOneConfiguration(runs: readonly UnblindedRun[]): void {
  if (!runs.some(({ ratings }) => ratings.some(({ role }) => role.kind === "rated"))) {
    throw new RangeError("Cannot compare systems: no item was rated.");
  }
  const [first, ...others] = runs.map(({ rater, config }) => ({ rater, hash: configHash(config) }));
  const other = others.find(({ hash }) => hash !== first!.hash);
  if (other === undefined) return;
  throw new RangeError(
    `Cannot compare systems: ${first!.rater} and ${other.rater} rated under different ` +
      "configurations.",
  );
}

function rankOf(
  system: number,
  rows: readonly ItemValue<SystemScores>[],
  options: AnalysisOptions,
) {
  const rankIn = (drawn: readonly SystemScores[]) => {
    const means = meansOf(drawn);
    const own = means[system];
    // Means of the same scores added in another order may differ in the last bits.
    return own === undefined
      ? undefined
      : 1 + means.filter((mean) => mean !== undefined && mean > own + 1e-9).length;
  };
  const found = estimate("systems", rows, rankIn, options);
  return {
    rank: rankIn(rows.map(({ value }) => value))!,
    rankInterval: found.kind === "unavailable"
      ? found
      : { low: Math.floor(found.low), high: Math.ceil(found.high) },
  };
}

/** By column, the mean of what is there; a loop over arrays, because resampling takes it often. */
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

/** How often a bucket was chosen. */
interface BucketShare {
  readonly bucket: string;
  readonly count: number;
  /** Of all ratings counted here; 0 of none. */
  readonly share: number;
}

/** Every bucket of the configuration, best first. */
export function bucketShares(
  ratings: readonly SystemRating[],
  { buckets }: RunConfig,
): readonly BucketShare[] {
  return buckets.map(({ key }) => {
    const count = ratings.filter(({ bucket }) => bucket === key).length;
    return { bucket: key, count, share: count / Math.max(1, ratings.length) };
  });
}

/**
 * Every two systems, in the given order, compared on the items that both have. Holm's adjustment is
 * over the pairs that could be tested. Where whole documents are resampled, the test flips the signs
 * of whole documents too: their items share their luck.
 */
export function systemPairs(
  order: readonly string[],
  items: readonly (Placed & Pick<ItemScores, "da">)[],
  options: AnalysisOptions,
): readonly SystemPair[] {
  const pairs = everyTwo(order).map(([first, second]) => {
    const differences = items.flatMap(({ segment, document, da }) => {
      const [one, other] = [da.get(first), da.get(second)];
      return one === undefined || other === undefined
        ? []
        : [{ segment, document, value: one - other }];
    });
    return {
      first,
      second,
      items: differences.length,
      difference: estimate("pairs of systems", differences, average, options),
      test: differences.length === 0
        ? unavailable("no item has both")
        : signFlipTest(flippedTogether(differences, options), {
          alternative: "two-sided",
          permutations: options.permutations,
          random: randomSource(`${options.seed}|${first}|${second}`),
        }),
    };
  });
  const tested = pairs.flatMap(({ test }) => test.kind === "test" ? [test.p] : []);
  const adjusted = holmAdjust(tested).values();
  return pairs.map((pair) => ({
    ...pair,
    adjustedP: pair.test.kind === "test" ? adjusted.next().value! : pair.test,
  }));
}

/** What has one sign: an item's difference, or the sum of a document's. */
function flippedTogether(
  differences: readonly ItemValue<number>[],
  { cluster }: AnalysisOptions,
): readonly number[] {
  if (cluster !== "document") return differences.map(({ value }) => value);
  return [...Map.groupBy(differences, ({ document }) => document).values()]
    .map((own) => sum(own.map(({ value }) => value)));
}

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
  const named = (better: string, worse: string) => JSON.stringify([better, worse]);
  const better = new Set(pairs.flatMap(({ first, second, adjustedP, test }) => {
    if (typeof adjustedP !== "number" || test.kind !== "test" || adjustedP > alpha) return [];
    if (test.statistic === 0) return [];
    return [test.statistic > 0 ? named(first, second) : named(second, first)];
  }));
  let cluster = 1;
  return order.map((_, place) => {
    const [above, below] = [order.slice(0, place), order.slice(place)];
    const apart = above.every((high) => below.every((low) => better.has(named(high, low))));
    if (place > 0 && apart) cluster++;
    return cluster;
  });
}
