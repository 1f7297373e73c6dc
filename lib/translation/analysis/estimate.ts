import { mean, sampleStandardDeviation } from "simple-statistics";
import { inertText } from "../../files/csv.ts";
import { type Unavailable, unavailable } from "../../stats/agreement.ts";
import type { Correlation } from "../../stats/correlation.ts";
import { type Bounds, type Measure, share, statistic } from "../../stats/measure.ts";
import { randomSource } from "../../stats/random.ts";
import type { SystemRating, UnblindedRun } from "./ratings.ts";

/** How intervals (95 %) and tests are made; one setting for all figures of a report. */
export interface AnalysisOptions {
  readonly seed: number | string;
  /** 2,000 unless told; at least 100. */
  readonly resamples?: number;
  /** Arrangements drawn where a permutation test cannot be exact; 10,000 unless told. */
  readonly permutations?: number;
  /** By what intervals cluster: items by default, or documents. {@link unitOf} chooses. */
  readonly cluster?: Unit;
}

/** What shares its luck: intervals cluster by it, tests exchange it as a whole. */
export type Unit = "segment" | "document";

/** Where a value comes from. */
export interface Placed {
  readonly segment: string;
  readonly document: string;
}

/** A value that was observed on an item. */
export interface ItemValue<T> extends Placed {
  readonly value: T;
}

/**
 * Returns a statistic of values on items, clustered by item or document; a smooth function of sums takes
 * the jackknife.
 */
export function estimate<Value>(
  values: readonly ItemValue<Value>[],
  of: (values: readonly Value[]) => number | undefined,
  options: Pick<AnalysisOptions, "cluster">,
  bounds?: Bounds,
): Measure {
  return statistic(clustered(values, options), of, { bounds });
}

/**
 * Returns a rank or a rank correlation of means, which is resampled. `name` makes the seed: measures of
 * one name have the same resamples.
 */
export function resampled<Value>(
  name: string,
  values: readonly ItemValue<Value>[],
  of: (values: readonly Value[]) => number | undefined,
  { seed, resamples, ...options }: AnalysisOptions,
  bounds?: Bounds,
): Measure {
  const random = randomSource(`${seed}|${name}`);
  return statistic(clustered(values, options), of, { bounds, random, resamples });
}

const clustered = <Value>(
  values: readonly ItemValue<Value>[],
  options: Pick<AnalysisOptions, "cluster">,
) => values.map((item) => ({ cluster: clusterOf(item, options), value: item.value }));

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

/** Returns how often something holds, 0–1. */
export function shareEstimate(
  values: readonly ItemValue<boolean>[],
  options: Pick<AnalysisOptions, "cluster">,
): Measure {
  return values.length === 0 ? unavailable("no ratings") : share(clustered(values, options));
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
