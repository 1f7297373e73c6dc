/**
 * Measures with 95 % intervals: estimation, tests against chance, and formatting.
 *
 * All intervals follow one rule. The variance is that of the delete-one-cluster jackknife, with
 * multiway clustering where items share several properties. Bounded quantities have Wilson's
 * interval with an effective n and Student's t. Unbounded ones have the interval estimate ± t · s.
 * Medians, ranks and rank correlations are not smooth functions of sums and take the cluster
 * bootstrap. If no clusters differ, the interval is Wilson's limit for the share of clusters that
 * could.
 */
import { quantile, sampleWithReplacement } from "simple-statistics";
import { type Unavailable, unavailable } from "./agreement.ts";
import { normalQuantile, studentQuantile, studentTails } from "./distributions.ts";
import { holmAdjust } from "./paired_tests.ts";
import type { RandomSource } from "./random.ts";

/** Sample size, clusters and method of an estimate. Tables may lack some of them. */
interface Basis {
  /** Number of items of which the estimate is a share or mean. */
  readonly n?: number;
  /** Number of independent clusters. With several clusterings it is the smallest number. */
  readonly clusters?: number;
  readonly method?: string;
}

/** An estimate with its 95 % interval, all in the units of the quantity; low < high. */
export interface Estimated extends Basis {
  readonly kind: "interval";
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/** An estimate without an interval: a count, a constructed value, or a single cluster's value. */
export interface Point extends Basis {
  readonly kind: "value";
  readonly estimate: number;
  /** Reason why a sampled quantity has no interval; absent for unsampled quantities. */
  readonly reason?: string;
}

/** A measured quantity, or the reason for its absence. */
export type Measure = Estimated | Point | Unavailable;

/** A measure that has a number. */
export type KnownMeasure = Estimated | Point;

/** Confidence level of every interval. */
export const CONFIDENCE = 0.95;

const UPPER = (1 + CONFIDENCE) / 2;
const Z = normalQuantile(UPPER);

/** Minimum and maximum of a quantity; infinite if unbounded. */
export type Bounds = readonly [least: number, greatest: number];

const SHARE: Bounds = [0, 1];
const DIFFERENCE_OF_SHARES: Bounds = [-1, 1];

/**
 * An observation with its cluster in each clustering; observations of one cluster are dependent.
 */
export interface Clustered {
  /**
   * Cluster, e.g. a response; or one per clustering (lemma, sentence, form), in the same order for
   * all items.
   */
  readonly cluster: string | readonly string[];
  /** Sample of the item, if samples are compared. Resampling keeps each sample's size. */
  readonly sample?: string;
}

/** An observed value and its clusters. */
export interface Observed<Value> extends Clustered {
  readonly value: Value;
}

/**
 * Returns the share of true items, 0–1. Numbers from 0 to 1 count as fractions of an item.
 *
 * Method: Wilson 1927 with the effective n of Korn & Graubard 1998 (Survey Methodology 24,
 * 193–201).
 */
export function share(items: readonly Observed<boolean | number>[]): Measure {
  return mean(items.map((item) => ({ ...item, value: Number(item.value) })), SHARE);
}

/**
 * Returns the share of successes in n independent trials, with Wilson's interval.
 *
 * The score interval without continuity correction (Wilson 1927; Newcombe 1998, method 3). A tie is
 * half a success.
 *
 * Unavailable without trials. @throws {RangeError} if n is no whole number, or the successes are no
 * multiple of ½ from 0 to n.
 */
export function proportion(successes: number, n: number): Measure {
  if (!Number.isInteger(n) || !Number.isInteger(2 * successes) || successes < 0 || successes > n) {
    throw new RangeError(`Cannot make a Wilson interval: ${successes} of ${n} is no proportion.`);
  }
  if (n === 0) return unavailable("no trials");
  const estimate = successes / n;
  const [low, high] = wilsonEnds(estimate, n);
  // At 0 and n the end is exact in theory; rounding would miss it by a hair.
  const ends = { low: successes === 0 ? 0 : low, high: successes === n ? 1 : high };
  const method = "Wilson interval of independent trials";
  return { kind: "interval", estimate, ...ends, n, clusters: n, method };
}

/**
 * Returns the mean of the items' values with its interval.
 *
 * All values must be within the bounds, if given.
 */
export function mean(items: readonly Observed<number>[], bounds?: Bounds): Measure {
  return ratio(items.map(({ value, ...item }) => ({ ...item, over: value, under: 1 })), bounds);
}

/** Returns the mean paired difference of correctness (−1 to 1) with its interval. */
export function difference(items: readonly Observed<number>[]): Measure {
  return mean(items, DIFFERENCE_OF_SHARES);
}

/** Returns Σ over / Σ under with its interval; unavailable if Σ under is 0. */
export function ratio(
  items: readonly (Clustered & { readonly over: number; readonly under: number })[],
  bounds?: Bounds,
): Measure {
  const sums = items.map(({ over, under, ...item }) => ({ ...item, counts: { over, under } }));
  const quotient = ({ over, under }: Sums<"over" | "under">) =>
    under === 0 ? undefined : over / under;
  return measureOf(sumClusterings(sums), quotient, { bounds, n: () => items.length });
}

/**
 * Returns any statistic of the items with its interval. Without a random source it must be a smooth
 * function of sums (mean, ratio, F1, κ, area under a curve), and the jackknife is used. Medians,
 * ranks and rank correlations need a random source for the bootstrap.
 *
 * Unavailable without items, or where the statistic is undefined. @throws {RangeError} for a
 * statistic that is not finite.
 */
export function statistic<Value>(
  items: readonly Observed<Value>[],
  of: (values: readonly Value[]) => number | Unavailable | undefined,
  options: MeasureOptions = {},
): Measure {
  if (items.length === 0) return unavailable("no items");
  const values = (some: readonly Observed<Value>[]) => some.map(({ value }) => value);
  const whole = of(values(items));
  if (typeof whole === "object") return whole;
  const numeric = (some: readonly Value[]) => {
    const value = of(some);
    return typeof value === "number" ? value : undefined;
  };
  const n = (some: readonly Value[]) => some.length;
  return measureOf(clusteringsOf(items, values), numeric, { ...options, n });
}

/** Options of a statistic: bounds and bootstrap. */
export interface MeasureOptions {
  readonly bounds?: Bounds;
  /** Random source of the bootstrap, required unless the statistic is a smooth function of sums. */
  readonly random?: RandomSource;
  /** Number of bootstrap resamples, at least 100; 2,000 by default. */
  readonly resamples?: number;
}

/** Data grouped by one clustering, for the jackknife and the bootstrap. */
export interface Clustering<Data> {
  /** Indices of the crossed clusterings; one index for a single clustering. */
  readonly ways: readonly number[];
  readonly total: Data;
  /** Clusters with their sample, their data (`own`), and the data of all others (`rest`). */
  readonly clusters: readonly {
    readonly sample: number;
    readonly own: Data;
    readonly rest: () => Data;
  }[];
  /** Draws clusters with replacement, as many per sample as it has. */
  readonly resample: (random: RandomSource) => Data;
}

/** Sums by name. */
export type Sums<Name extends string> = Readonly<Record<Name, number>>;

/** Counts of an item, which add up over items. */
export interface ClusteredCounts<Name extends string> extends Clustered {
  readonly counts: Sums<Name>;
}

/** Returns clusterings of sums. Data without a cluster are the total minus its sums. */
export function sumClusterings<Name extends string>(
  items: readonly ClusteredCounts<Name>[],
): readonly Clustering<Sums<Name>>[] {
  const names = Object.keys(items[0]?.counts ?? {}) as Name[];
  const named = (sums: ArrayLike<number>) => {
    const counts = {} as Record<Name, number>;
    for (let i = 0; i < names.length; i++) counts[names[i]!] = sums[i]!;
    return counts;
  };
  return groupedWays(items).map(({ ways, samples }) => {
    const sums = samples.map((clusters) =>
      clusters.map((own) =>
        names.map((name) => own.reduce((sum, one) => sum + one.counts[name], 0))
      )
    );
    const all = sums.flat();
    const total = names.map((_, i) => all.reduce((sum, own) => sum + own[i]!, 0));
    // Of many strata a cluster has counts in one or two: place and count, by turns.
    const filled = sums.map((clusters) =>
      clusters.map((own) =>
        Float64Array.from(own.flatMap((count, i) => count === 0 ? [] : [i, count]))
      )
    );
    return {
      ways,
      total: named(total),
      clusters: sums.flatMap((clusters, sample) =>
        clusters.map((own) => (
          { sample, own: named(own), rest: once(() => named(total.map((sum, i) => sum - own[i]!))) }
        ))
      ),
      resample: (random) => {
        const drawn = names.map(() => 0);
        for (const clusters of filled) {
          for (let draw = 0; draw < clusters.length; draw++) {
            const own = clusters[random.integer(clusters.length)]!;
            for (let at = 0; at < own.length; at += 2) drawn[own[at]!]! += own[at + 1]!;
          }
        }
        return named(drawn);
      },
    };
  });
}

/** Memoises a function without arguments, because measures share the data without a cluster. */
function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => made ??= make();
}

/** Returns clusterings of items. Data are computed from the items of each subset. */
export function clusteringsOf<Item extends Clustered, Data>(
  items: readonly Item[],
  dataOf: (items: readonly Item[]) => Data,
): readonly Clustering<Data>[] {
  return groupedWays(items).map(({ ways, samples }) => {
    const clusters = samples.flat();
    return {
      ways,
      total: dataOf(items),
      clusters: samples.flatMap((own, sample) =>
        own.map((cluster) => ({
          sample,
          own: dataOf(cluster),
          rest: () => dataOf(clusters.filter((other) => other !== cluster).flat()),
        }))
      ),
      resample: (random) =>
        dataOf(
          samples.flatMap((own) => sampleWithReplacement(own, own.length, random.next).flat()),
        ),
    };
  });
}

/** Groups items by each clustering and every crossing, within samples. Sorted by code unit. */
function groupedWays<Item extends Clustered>(items: readonly Item[]) {
  const keysOf = ({ cluster }: Item) => typeof cluster === "string" ? [cluster] : cluster;
  const count = items.length === 0 ? 0 : keysOf(items[0]!).length;
  return crossings(count).map((ways) => {
    const groups = Map.groupBy(
      items,
      (item) => JSON.stringify([item.sample, ...ways.map((way) => keysOf(item)[way])]),
    );
    // Sorted, so that the order of the items changes nothing.
    const clusters = [...groups.keys()].sort().map((key) => groups.get(key)!);
    return { ways, samples: [...Map.groupBy(clusters, ([first]) => first!.sample).values()] };
  });
}

/** Returns every non-empty subset of the first `count` indices, smaller subsets first. */
function crossings(count: number): readonly (readonly number[])[] {
  const sets = Array.from({ length: count }, (_, way) => way).reduce<
    readonly (readonly number[])[]
  >(
    (all, way) => [...all, ...all.map((set) => [...set, way])],
    [[]],
  );
  return sets.slice(1).toSorted((a, b) => a.length - b.length);
}

/**
 * Returns the measure of a statistic of clustered data; `n` counts the items.
 *
 * Clusters without counted items are ignored. With several clusterings the variance is the multiway
 * one: the sum over crossings of odd order minus that over crossings of even order (Cameron,
 * Gelbach & Miller 2011, Journal of Business & Economic Statistics 29, 238–249). It is at least the
 * largest one-way variance (MacKinnon, Nielsen & Webb 2024, arXiv 2406.08880).
 */
export function measureOf<Data>(
  clusterings: readonly Clustering<Data>[],
  of: (data: Data) => number | undefined,
  { n: countOf, bounds, random, resamples = 2_000 }: MeasureOptions & {
    readonly n: (data: Data) => number;
  },
): Measure {
  const [first] = clusterings;
  if (first === undefined) return unavailable("no items");
  const n = countOf(first.total);
  const estimate = finite(of(first.total));
  if (estimate === undefined) return unavailable("not defined on these items");
  const counted = clusterings.map((one) => (
    { ...one, clusters: one.clusters.filter(({ own }) => countOf(own) > 0) }
  ));
  const clusters = Math.min(
    ...counted.flatMap((one) => one.ways.length === 1 ? one.clusters.length : []),
  );
  const point = (reason: string): Measure => ({ kind: "value", estimate, n, clusters, reason });
  if (clusters === 1) return point("a single cluster says nothing about others");
  const variances = counted.map(({ ways, clusters }) => ({
    sign: ways.length % 2 === 1 ? 1 : -1,
    isSingle: ways.length === 1,
    variance: jackknifeVariance(clusters, of, estimate),
  }));
  if (variances.some(({ variance }) => variance === undefined) && random === undefined) {
    return point("not defined without one of the clusters");
  }
  const sum = variances.reduce((all, { sign, variance = 0 }) => all + sign * variance, 0);
  const largest = Math.max(
    ...variances.map(({ isSingle, variance = 0 }) => isSingle ? variance : 0),
  );
  const variance = Math.max(sum, largest);
  const student = studentQuantile(UPPER, clusters - 1);
  const [least, greatest] = bounds ?? [-Infinity, Infinity];
  const isBounded = Number.isFinite(least) && Number.isFinite(greatest);
  const interval = (low: number, high: number, method: string): Measure => {
    const ends = { low: Math.max(least, low), high: Math.min(greatest, high) };
    return { kind: "interval", estimate, ...ends, n, clusters, method };
  };
  const withoutVariance = () => {
    if (!isBounded) return point("the clusters do not differ");
    // None of the clusters differs; of others a share up to Wilson’s upper limit for 0 of G may.
    const differing = Z ** 2 / (clusters + Z ** 2);
    return interval(
      estimate - differing * (estimate - least),
      estimate + differing * (greatest - estimate),
      "Wilson interval of the clusters, which do not differ",
    );
  };
  if (random !== undefined) {
    const widest = variances.findIndex(({ isSingle, variance }) =>
      isSingle && variance === largest
    );
    const chosen = clusterings[Math.max(0, widest)]!;
    const replicates = replicatesOf(chosen, of, random, resamples);
    if (replicates.length < resamples * 0.95) {
      return point(`undefined on ${resamples - replicates.length} of ${resamples} resamples`);
    }
    const [low, high] = [quantile(replicates, 1 - UPPER), quantile(replicates, UPPER)];
    if (low === high) return withoutVariance();
    // Percentiles of few clusters are too narrow (Hesterberg 2015, The American Statistician 69, 371–386).
    const wider = student / Z * Math.sqrt(clusters / (clusters - 1)) *
      (largest > 0 ? Math.sqrt(variance / largest) : 1);
    const end = (percentile: number) => estimate + wider * (percentile - estimate);
    return interval(end(low), end(high), "expanded percentiles of the cluster bootstrap");
  }
  if (Math.sqrt(variance) < 1e-12 * Math.max(1, Math.abs(estimate))) return withoutVariance();
  if (!isBounded) {
    const half = student * Math.sqrt(variance);
    return interval(estimate - half, estimate + half, "t interval, cluster jackknife");
  }
  const place = (estimate - least) / (greatest - least);
  const effective = place * (1 - place) * (greatest - least) ** 2 / variance * (Z / student) ** 2;
  const [low, high] = wilsonEnds(place, effective)
    .map((end) => least + end * (greatest - least)) as [number, number];
  return interval(low, high, "Wilson interval of the effective n by t, cluster jackknife");
}

/**
 * Jackknife variance Σ (G − 1)/G · (θ₋ᵢ − θ)², with G clusters per sample.
 *
 * θ₋ᵢ is the statistic without cluster i. The variance is undefined where any θ₋ᵢ is.
 */
function jackknifeVariance<Data>(
  clusters: Clustering<Data>["clusters"],
  of: (data: Data) => number | undefined,
  estimate: number,
): number | undefined {
  const peers = Map.groupBy(clusters, ({ sample }) => sample);
  let sum = 0;
  for (const { sample, rest } of clusters) {
    const value = finite(of(rest()));
    if (value === undefined) return undefined;
    const size = peers.get(sample)!.length;
    sum += (size - 1) / size * (value - estimate) ** 2;
  }
  return sum;
}

function replicatesOf<Data>(
  { resample }: Clustering<Data>,
  of: (data: Data) => number | undefined,
  random: RandomSource,
  resamples: number,
): readonly number[] {
  if (!Number.isInteger(resamples) || resamples < 100) {
    throw new RangeError(`Cannot bootstrap: ${resamples} resamples are too few, 100 is the least.`);
  }
  return Array.from({ length: resamples }, () => finite(of(resample(random))))
    .filter((value) => value !== undefined);
}

function finite(value: number | undefined): number | undefined {
  if (value === undefined || Number.isFinite(value)) return value;
  throw new RangeError(`Cannot measure: the statistic is ${value}; undefined says "no value".`);
}

/** Returns Wilson's limits for a share of n trials; n may be fractional. */
function wilsonEnds(share: number, n: number): readonly [number, number] {
  const centre = share + Z ** 2 / (2 * n);
  const spread = Z * Math.sqrt(share * (1 - share) / n + Z ** 2 / (4 * n ** 2));
  const scale = 1 + Z ** 2 / n;
  return [(centre - spread) / scale, (centre + spread) / scale];
}

/**
 * Returns the two-sided p value against a true value of `chance`.
 *
 * The test inverts the interval. Bounded quantities take the score test with the effective n,
 * others the t test. Both use Student's t with (clusters − 1) degrees of freedom. Unavailable
 * without an interval.
 */
export function pValueAgainst(
  measure: Measure,
  chance: number,
  bounds?: Bounds,
): number | Unavailable {
  if (measure.kind === "unavailable") return measure;
  if (measure.kind === "value") return unavailable(measure.reason ?? "not sampled");
  const { estimate, low, high, clusters = Infinity } = measure;
  const isAbove = estimate > chance;
  const end = isAbove ? low : high;
  if (estimate === chance) return 1;
  let deviation = Math.abs(estimate - chance) / Math.abs(estimate - end);
  if (bounds !== undefined) {
    // At Wilson's end L, (estimate − L)² = z² L (1 − L) / n.
    const [least, greatest] = bounds;
    const spread = (value: number) => (value - least) * (greatest - value);
    deviation *= Math.sqrt(spread(end) / spread(chance));
  }
  const degrees = Math.min(clusters - 1, 10_000);
  return studentTails(deviation * studentQuantile(UPPER, degrees), degrees);
}

/** Measures that differ from chance, before and after Holm's adjustment. */
export interface BeyondChance {
  /** Number of measures with a p value. */
  readonly n: number;
  /** Measures with p < 0.05 before adjustment. */
  readonly above: ReadonlySet<Measure>;
  readonly below: ReadonlySet<Measure>;
  /** Measures with p < 0.05 after Holm's adjustment over all n. */
  readonly aboveAdjusted: ReadonlySet<Measure>;
  readonly belowAdjusted: ReadonlySet<Measure>;
}

/** Sorts measures into those above and below `chance`, before and after Holm's adjustment. */
export function beyondChance(
  measures: readonly Measure[],
  chance: number,
  bounds?: Bounds,
): BeyondChance {
  const tested = measures.flatMap((measure) => {
    const p = pValueAgainst(measure, chance, bounds);
    if (typeof p !== "number" || measure.kind === "unavailable") return [];
    return [{ measure, p, isAbove: measure.estimate > chance }];
  });
  const plain = tested.map(({ p }) => p);
  const adjusted = holmAdjust(plain);
  const those = (above: boolean, ps: readonly number[]) =>
    new Set(
      tested.filter(({ isAbove }, at) => isAbove === above && ps[at]! < 1 - CONFIDENCE)
        .map(({ measure }) => measure),
    );
  return {
    n: tested.length,
    above: those(true, plain),
    below: those(false, plain),
    aboveAdjusted: those(true, adjusted),
    belowAdjusted: those(false, adjusted),
  };
}

/**
 * Number format: percentage (61.2 or 61), count (1,234) or decimal.
 *
 * `decimal` has two decimals; a number states how many.
 */
export type NumberFormat = "percent" | "whole percent" | "count" | "decimal" | number;

/** Writes a number without its unit, with a true minus sign and no negative zero. */
export function shownNumber(value: number, format: NumberFormat = "decimal"): string {
  const written = typeof format === "number"
    ? value.toFixed(format)
    : format === "percent"
    ? (100 * value).toFixed(1)
    : format === "whole percent"
    ? (100 * value).toFixed(0)
    : format === "count"
    ? String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",")
    : value.toFixed(2);
  return written.replace(/^-(0(?:\.0+)?)$/, "$1").replace("-", "−");
}

/**
 * Formats a measure: `51.3 [48.0, 54.6]`, a number without an interval, or `–`.
 *
 * With `reasons` the reason follows in brackets: `– (no items)`.
 */
export function shown(
  measure: Measure,
  format: NumberFormat = "decimal",
  { reasons = false }: { readonly reasons?: boolean } = {},
): string {
  const reason = reasons && "reason" in measure && measure.reason ? ` (${measure.reason})` : "";
  if (measure.kind === "unavailable") return `–${reason}`;
  const number = (value: number) => shownNumber(value, format);
  if (measure.kind === "value") return number(measure.estimate) + reason;
  return `${number(measure.estimate)} [${number(measure.low)}, ${number(measure.high)}]`;
}

/** Fields of a measure in a table; empty where the measure is unavailable. */
export type MeasureFields = Readonly<Record<"estimate" | "low" | "high", number | "">>;

/** Converts a measure to its table fields. */
export function measureFields(measure: Measure): MeasureFields {
  if (measure.kind === "unavailable") return { estimate: "", low: "", high: "" };
  if (measure.kind === "value") return { estimate: measure.estimate, low: "", high: "" };
  const { estimate, low, high } = measure;
  return { estimate, low, high };
}

/** Converts table fields to a measure; `reason` explains empty fields. */
export function measureOfFields(
  { estimate, low, high }: MeasureFields,
  reason = "no interval",
): Measure {
  if (estimate === "") return unavailable(reason);
  if (low === "" || high === "") return { kind: "value", estimate, reason };
  return { kind: "interval", estimate, low, high };
}
