import { mean } from "simple-statistics";
import { clusterBootstrap, type Interval, wilsonInterval } from "../../stats/intervals.ts";
import { randomSource } from "../../stats/random.ts";
import { type Unavailable, unavailable } from "../../stats/unavailable.ts";
import type { AnalysisOptions, Estimate } from "./results.ts";

/** Where a value comes from: what is resampled together. */
export interface Placed {
  readonly segment: string;
  readonly document: string;
}

/** A value that was observed on an item. */
export interface ItemValue<T> extends Placed {
  readonly value: T;
}

/** An item's identity for all raters, whatever its number in their workbooks. */
export function itemKey({ document, segment }: Placed): string {
  return JSON.stringify([document, segment]);
}

/**
 * A figure with its bootstrap interval, whole items (or documents) being resampled. `name` makes the
 * seed: figures of one name have the same resamples, and none changes when others are added.
 */
export function estimate<T>(
  name: string,
  values: readonly ItemValue<T>[],
  statistic: (values: readonly T[]) => number | undefined,
  options: AnalysisOptions,
): Estimate {
  const { seed, resamples = 2000, confidence = 0.95, cluster = "segment" } = options;
  return clusterBootstrap({
    items: values.map((item) => ({
      cluster: cluster === "document" ? item.document : itemKey(item),
      value: item.value,
    })),
    statistic,
    resamples,
    confidence,
    random: randomSource(`${seed}|${name}`),
  });
}

/** The mean of values, or nothing where there are none. */
export function average(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : mean(values);
}

/**
 * How often something holds, 0 … 1. Where it holds always or never, resampling would claim
 * certainty: then Wilson's interval with the clusters as trials.
 */
export function shareEstimate(
  name: string,
  values: readonly ItemValue<boolean>[],
  options: AnalysisOptions,
): Interval | Unavailable {
  const share = average(values.map(({ value }) => Number(value)));
  if (share === undefined) return unavailable("no ratings");
  if (share !== 0 && share !== 1) {
    const shareOf = (drawn: readonly boolean[]) => average(drawn.map(Number));
    return estimate(name, values, shareOf, options);
  }
  const key = options.cluster === "document" ? ({ document }: Placed) => document : itemKey;
  const clusters = new Set(values.map(key)).size;
  const interval = wilsonInterval(share * clusters, clusters, options.confidence ?? 0.95);
  return interval.kind === "interval" ? { ...interval, n: values.length } : interval;
}
