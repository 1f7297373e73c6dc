import { quantile, sampleWithReplacement } from "simple-statistics";
import { normalQuantile } from "./normal.ts";
import type { RandomSource } from "./random.ts";
import { type Unavailable, unavailable } from "./unavailable.ts";

/** An estimate with its confidence interval, all in the units of the statistic. */
export interface Interval {
  readonly kind: "interval";
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  /** E.g. 0.95. */
  readonly confidence: number;
  /** Number of values behind the estimate. */
  readonly n: number;
}

/** A cluster bootstrap's interval, with what it rests on. */
export interface BootstrapInterval extends Interval {
  /** Number of different clusters: the real sample size. */
  readonly clusters: number;
  /** Resamples on which the statistic could be computed. */
  readonly resamples: number;
}

/** One observation and the cluster (e.g. the lemma) it shares its luck with. */
export interface ClusteredValue<T> {
  readonly cluster: string;
  readonly value: T;
}

/** What {@link clusterBootstrap} needs. */
export interface ClusterBootstrapOptions<T> {
  readonly items: readonly ClusteredValue<T>[];
  /** The figure wanted; undefined where these values do not determine it. */
  readonly statistic: (values: readonly T[]) => number | undefined;
  /** At least 100; 2,000 or more for publication. */
  readonly resamples: number;
  /** Between 0 and 1, e.g. 0.95. */
  readonly confidence: number;
  readonly random: RandomSource;
}

/** Beyond this share of resamples without a statistic, the percentiles would be those of a subset. */
const MOST_UNDEFINED = 0.05;

/**
 * The Wilson score interval for a proportion (Wilson 1927; Newcombe 1998, method 3), without
 * continuity correction. It assumes independent trials: for clustered items use
 * {@link clusterBootstrap}.
 *
 * Throws RangeError if the counts are no whole numbers with 0 ≤ successes ≤ n, or if confidence is
 * not between 0 and 1.
 */
export function wilsonInterval(
  successes: number,
  n: number,
  confidence: number,
): Interval | Unavailable {
  requireConfidence(confidence);
  if (!Number.isInteger(n) || !Number.isInteger(successes) || successes < 0 || successes > n) {
    throw new RangeError(`Cannot make a Wilson interval: ${successes} of ${n} is no proportion.`);
  }
  if (n === 0) return unavailable("no trials");
  const z = normalQuantile(1 - (1 - confidence) / 2);
  const estimate = successes / n;
  const centre = estimate + z ** 2 / (2 * n);
  const spread = z * Math.sqrt(estimate * (1 - estimate) / n + z ** 2 / (4 * n ** 2));
  const scale = 1 + z ** 2 / n;
  return {
    kind: "interval",
    estimate,
    // At 0 of n and n of n the bound is exact in theory; rounding would miss it by a hair.
    low: successes === 0 ? 0 : (centre - spread) / scale,
    high: successes === n ? 1 : (centre + spread) / scale,
    confidence,
    n,
  };
}

/**
 * A percentile interval by resampling whole clusters with replacement (Davison & Hinkley 1997,
 * §3.8; Efron & Tibshirani 1993, ch. 13), because items of one cluster are not independent.
 * Percentiles are interpolated (R's type 7). The order of the items does not change the resamples.
 *
 * Unavailable: no items, a single cluster, or a statistic undefined on the items or on more than
 * 5 % of the resamples. Throws RangeError for fewer than 100 resamples, a confidence outside 0 … 1
 * or a statistic that is not finite.
 */
export function clusterBootstrap<T>(
  options: ClusterBootstrapOptions<T>,
): BootstrapInterval | Unavailable {
  const { items, resamples, confidence, random } = options;
  requireConfidence(confidence);
  if (!Number.isInteger(resamples) || resamples < 100) {
    throw new RangeError(`Cannot bootstrap: ${resamples} resamples are too few, 100 is the least.`);
  }
  if (items.length === 0) return unavailable("no items");
  const clusters = groupByCluster(items);
  const estimate = finite(options.statistic(items.map((item) => item.value)));
  if (estimate === undefined) return unavailable("the statistic is undefined on these items");
  if (clusters.length === 1) return unavailable("a single cluster says nothing about others");
  const replicates: number[] = [];
  for (let i = 0; i < resamples; i++) {
    const drawn = sampleWithReplacement(clusters, clusters.length, random.next);
    const replicate = finite(options.statistic(drawn.flat()));
    if (replicate !== undefined) replicates.push(replicate);
  }
  if (replicates.length < resamples * (1 - MOST_UNDEFINED)) {
    return unavailable(`undefined on ${resamples - replicates.length} of ${resamples} resamples`);
  }
  const [low, high] = [(1 - confidence) / 2, (1 + confidence) / 2]
    .map((p) => quantile(replicates, p)) as [number, number];
  return {
    kind: "interval",
    estimate,
    low,
    high,
    confidence,
    n: items.length,
    clusters: clusters.length,
    resamples: replicates.length,
  };
}

/** The values of each cluster, clusters in code-unit order so that a resumed run gives the same. */
function groupByCluster<T>(items: readonly ClusteredValue<T>[]): T[][] {
  const groups = Map.groupBy(items, (item) => item.cluster);
  return [...groups.keys()].sort().map((name) => groups.get(name)!.map((item) => item.value));
}

function finite(value: number | undefined): number | undefined {
  if (value === undefined || Number.isFinite(value)) return value;
  throw new RangeError(`Cannot bootstrap: the statistic is ${value}; undefined says "no value".`);
}

function requireConfidence(confidence: number): void {
  if (!(confidence > 0 && confidence < 1)) {
    throw new RangeError(`Cannot make an interval: confidence ${confidence} is not in 0 … 1.`);
  }
}
