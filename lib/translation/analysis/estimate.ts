import { mean, sampleStandardDeviation } from "simple-statistics";
import { inertText } from "../../files/csv.ts";
import { type Unavailable, unavailable } from "../../stats/agreement.ts";
import type { Correlation } from "../../stats/correlation.ts";
import {
  type BootstrapInterval,
  clusterBootstrap,
  type Interval,
  wilsonInterval,
} from "../../stats/intervals.ts";
import { randomSource } from "../../stats/random.ts";
import type { SystemRating, UnblindedRun } from "./ratings.ts";

/** How intervals (95 %) and tests are made; one setting for all figures of a report. */
export interface AnalysisOptions {
  readonly seed: number | string;
  /** 2,000 unless told; at least 100. */
  readonly resamples?: number;
  /** Arrangements drawn where a permutation test cannot be exact; 10,000 unless told. */
  readonly permutations?: number;
  /** What is resampled: items, or whole documents; items unless told. {@link unitOf} chooses. */
  readonly cluster?: Unit;
}

/** What shares its luck, and is resampled and exchanged as a whole. */
export type Unit = "segment" | "document";

/** A figure with its interval over clusters of items, or why there is none. */
export type Estimate = BootstrapInterval | Unavailable;

/** Where a value comes from: what is resampled together. */
export interface Placed {
  readonly segment: string;
  readonly document: string;
}

/** A value that was observed on an item. */
export interface ItemValue<T> extends Placed {
  readonly value: T;
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
  const { seed, resamples = 2000 } = options;
  const items = values.map((item) => ({ cluster: clusterOf(item, options), value: item.value }));
  const random = randomSource(`${seed}|${name}`);
  return clusterBootstrap({ items, statistic, resamples, random });
}

/** An item's identity for all raters, as the CSV writes it, whatever its number in their workbooks. */
export function itemKey({ document, segment }: Placed): string {
  return JSON.stringify([inertText(document), inertText(segment)]);
}

export function clusterOf(item: Placed, { cluster }: Pick<AnalysisOptions, "cluster">): string {
  return cluster === "document" ? inertText(item.document) : itemKey(item);
}

/**
 * Whole documents where there are several and one has several of the items: their segments share a
 * topic, an author and the system's luck with both. Else segments.
 */
export function unitOf(items: readonly Placed[]): Unit {
  const [documents, segments] = (["document", "segment"] as const)
    .map((cluster) => new Set(items.map((item) => clusterOf(item, { cluster }))).size);
  return documents! > 1 && documents! < segments! ? "document" : "segment";
}

/** How often something holds, 0 … 1. Where always or never, Wilson's interval over clusters. */
export function shareEstimate(
  name: string,
  values: readonly ItemValue<boolean>[],
  options: AnalysisOptions,
): Interval | Unavailable {
  const shareOf = (drawn: readonly boolean[]) => average(drawn.map(Number));
  const share = shareOf(values.map(({ value }) => value));
  if (share === undefined) return unavailable("no ratings");
  if (share !== 0 && share !== 1) return estimate(name, values, shareOf, options);
  const clusters = new Set(values.map((item) => clusterOf(item, options))).size;
  const interval = wilsonInterval(share * clusters, clusters, 0.95);
  return interval.kind === "interval" ? { ...interval, n: values.length } : interval;
}

/** The mean of values, or nothing where there are none. */
export function average(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : mean(values);
}

/** Ratings of items that stand for themselves: no repeats, no attention checks. */
export function ratedOnly<Rating extends SystemRating>(ratings: readonly Rating[]): Rating[] {
  return ratings.filter(({ role }) => role === "rated");
}

/** A rating with its score standardised per rater; no z where the rater gave one score only. */
export type StandardisedRating = SystemRating & { readonly z: number | undefined };

/**
 * The rated items of all runs, each score less the rater's mean over the rater's sample standard
 * deviation, as WMT's Direct Assessment does for raters who use the scale differently (Bojar et al.
 * 2016, Findings of WMT16). Mean and deviation are over rated items only.
 */
export function standardised(runs: readonly UnblindedRun[]): readonly StandardisedRating[] {
  const ratings = ratedOnly(runs.flatMap((run) => run.ratings));
  return [...Map.groupBy(ratings, ({ rater }) => rater).values()].flatMap((own) => {
    const scores = own.map(({ da }) => da);
    const isOne = scores.every((score) => score === scores[0]);
    const [centre, deviation] = isOne ? [0, 0] : [mean(scores), sampleStandardDeviation(scores)];
    return own.map((rating) => {
      return { ...rating, z: isOne ? undefined : (rating.da - centre) / deviation };
    });
  });
}

/** Ratings that have the same key, together, at the place of the first of them. */
export function groupedBy<Rating extends SystemRating>(
  ratings: readonly Rating[],
  key: (rating: Rating) => string | number,
): readonly ItemValue<readonly Rating[]>[] {
  return [...Map.groupBy(ratings, key).values()]
    .map((value) => ({ segment: value[0]!.segment, document: value[0]!.document, value }));
}

/** Each system's mean of a figure; systems without any are left out. */
export function meansBySystem<Rating extends SystemRating>(
  ratings: readonly Rating[],
  figure: (rating: Rating) => number | undefined,
): ReadonlyMap<string, number> {
  const bySystem = Map.groupBy(ratings, ({ system }) => system);
  return new Map([...bySystem].flatMap(([system, own]) => {
    const value = average(own.map(figure).filter((found) => found !== undefined));
    return value === undefined ? [] : [[system, value] as const];
  }));
}

/** The coefficient of a correlation, or nothing where there is none. */
export function coefficientOf(found: Correlation | Unavailable): number | undefined {
  return found.kind === "correlation" ? found.coefficient : undefined;
}
