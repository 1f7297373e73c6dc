/** Estimates from ratings with intervals, and their display in tables. */
import { mean, sampleStandardDeviation } from "simple-statistics";
import { markdownTable, type TableCell } from "../../figures/table.ts";
import { withoutFormulas } from "../../files/csv.ts";
import { type Kappa, type Unavailable, unavailable } from "../../stats/agreement.ts";
import type { Correlation } from "../../stats/correlation.ts";
import { measureFields, share, shown, shownNumber, statistic } from "../../stats/measure.ts";
import type { Bounds, Measure } from "../../stats/measure.ts";
import type { PermutationTest } from "../../stats/paired_tests.ts";
import { randomSource } from "../../stats/random.ts";
import type { Quartiles } from "../session/summary.ts";
import type { SystemRating, UnblindedRun } from "./ratings.ts";

/** Settings of intervals (95 %) and tests, the same for a whole report. */
export interface AnalysisOptions {
  readonly seed: number | string;
  /** Number of bootstrap resamples; 2,000 by default, at least 100. */
  readonly resamples?: number;
  /** Number of random permutations if no exact test is possible. The default is 10,000. */
  readonly permutations?: number;
  /** Cluster of the intervals; items by default. {@link unitOf} chooses. */
  readonly cluster?: Unit;
}

/** The independent unit: intervals cluster by it, tests exchange it as a whole. */
export type Unit = "segment" | "document";

/** Segment and document of a value. */
export interface Placed {
  readonly segment: string;
  readonly document: string;
}

/** A value observed on an item. */
export interface ItemValue<T> extends Placed {
  readonly value: T;
}

/**
 * Returns a statistic of values on items, with an interval.
 * The interval is clustered by item or document. The statistic is a smooth function of sums, so the
 * jackknife applies.
 */
export function estimate<Value>(
  values: readonly ItemValue<Value>[],
  compute: (values: readonly Value[]) => number | undefined,
  options: Pick<AnalysisOptions, "cluster">,
  bounds?: Bounds,
): Measure {
  return statistic(clustered(values, options), compute, { bounds });
}

/**
 * Returns a rank or rank correlation with a bootstrap interval.
 * `name` determines the seed: measures with the same name share their resamples.
 */
export function resampled<Value>(
  name: string,
  values: readonly ItemValue<Value>[],
  compute: (values: readonly Value[]) => number | undefined,
  { seed, resamples, ...options }: AnalysisOptions,
  bounds?: Bounds,
): Measure {
  const random = randomSource(`${seed}|${name}`);
  return statistic(clustered(values, options), compute, { bounds, random, resamples });
}

const clustered = <Value>(
  values: readonly ItemValue<Value>[],
  options: Pick<AnalysisOptions, "cluster">,
) => values.map((item) => ({ cluster: clusterOf(item, options), value: item.value }));

/**
 * Returns an item's identity across raters, as in the CSV.
 * It is independent of the item's number.
 */
export function itemKey({ document, segment }: Placed): string {
  return JSON.stringify([withoutFormulas(document), withoutFormulas(segment)]);
}

export function clusterOf(item: Placed, { cluster }: Pick<AnalysisOptions, "cluster">): string {
  return cluster === "document" ? withoutFormulas(item.document) : itemKey(item);
}

/**
 * Returns the independent unit: documents if there are several and one has several segments.
 * Segments of a document share topic, author and difficulty. Otherwise the unit is the segment.
 */
export function unitOf(items: readonly Placed[]): Unit {
  const [documents, segments] = (["document", "segment"] as const)
    .map((cluster) => new Set(items.map((item) => clusterOf(item, { cluster }))).size);
  return documents! > 1 && documents! < segments! ? "document" : "segment";
}

/** Returns the share (0–1) of items on which something holds. */
export function shareEstimate(
  values: readonly ItemValue<boolean>[],
  options: Pick<AnalysisOptions, "cluster">,
): Measure {
  return values.length === 0 ? unavailable("no ratings") : share(clustered(values, options));
}

/** Returns the mean of values; undefined if there are none. */
export function average(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : mean(values);
}

/** Returns the ratings of ordinary items, without repeats and attention checks. */
export function ratedOnly<Rating extends SystemRating>(ratings: readonly Rating[]): Rating[] {
  return ratings.filter(({ role }) => role === "rated");
}

/** A rating with its z score. z is undefined if the rater gave one score only. */
export type StandardisedRating = SystemRating & { readonly z: number | undefined };

/**
 * Returns the rated items of all runs with scores standardised per rater.
 * z is the score minus the rater's mean, divided by the rater's sample standard deviation, as in
 * WMT's Direct Assessment (Bojar et al. 2016, Findings of WMT16). Mean and deviation are over rated
 * items only.
 */
export function standardised(runs: readonly UnblindedRun[]): readonly StandardisedRating[] {
  const ratings = ratedOnly(runs.flatMap((run) => run.ratings));
  return [...Map.groupBy(ratings, ({ rater }) => rater).values()].flatMap((raterRatings) => {
    const scores = raterRatings.map(({ da }) => da);
    const isOne = scores.every((score) => score === scores[0]);
    const [centre, deviation] = isOne ? [0, 0] : [mean(scores), sampleStandardDeviation(scores)];
    return raterRatings.map((rating) => {
      return { ...rating, z: isOne ? undefined : (rating.da - centre) / deviation };
    });
  });
}

/** Groups ratings by a key. Each group is located at its first rating. */
export function groupedBy<Rating extends SystemRating>(
  ratings: readonly Rating[],
  key: (rating: Rating) => string | number,
): readonly ItemValue<readonly Rating[]>[] {
  return [...Map.groupBy(ratings, key).values()]
    .map((value) => ({ segment: value[0]!.segment, document: value[0]!.document, value }));
}

/** Returns the mean of a score for each system that has any. */
export function meansBySystem<Rating extends SystemRating>(
  ratings: readonly Rating[],
  figure: (rating: Rating) => number | undefined,
): ReadonlyMap<string, number> {
  const bySystem = Map.groupBy(ratings, ({ system }) => system);
  return new Map([...bySystem].flatMap(([system, group]) => {
    const value = average(group.map(figure).filter((score) => score !== undefined));
    return value === undefined ? [] : [[system, value] as const];
  }));
}

/** Returns a correlation's coefficient; undefined if unavailable. */
export function coefficientOf(correlation: Correlation | Unavailable): number | undefined {
  return correlation.kind === "correlation" ? correlation.coefficient : undefined;
}

/** A measure, or a coefficient without interval. */
export type ReportedStatistic = Measure | Correlation | Kappa;

const measureOfStatistic = (figure: ReportedStatistic): Measure => {
  if (figure.kind === "correlation") {
    return { kind: "value", estimate: figure.coefficient, n: figure.n };
  }
  return figure.kind === "kappa" ? { kind: "value", estimate: figure.kappa, n: figure.n } : figure;
};

/** Returns an estimate's table cells: empty if unavailable, with the reason in `unavailable`. */
export function cellsOf(figure: ReportedStatistic) {
  const measure = measureOfStatistic(figure);
  const unavailable = "reason" in measure ? measure.reason ?? "" : "";
  const known = measure.kind === "unavailable" ? undefined : measure;
  return {
    ...measureFields(measure),
    n: known?.n ?? "" as const,
    units: known?.clusters ?? "" as const,
    unavailable,
  };
}

/** Functions from a row's object to its cell, by heading. */
export type ColumnsOf<Thing> = Readonly<Record<string, (thing: Thing, index: number) => TableCell>>;

/** Returns a table with a row per object and a column per heading. */
export function tableOf<Thing>(things: readonly Thing[], columns: ColumnsOf<Thing>) {
  const cells = Object.values(columns);
  const rows = things.map((thing, index) => cells.map((cell) => cell(thing, index)));
  return { headings: Object.keys(columns), rows };
}

/** Returns such a table in Markdown. */
export function formatTable<Thing>(things: readonly Thing[], columns: ColumnsOf<Thing>): string {
  return formatCaptionedTable(tableOf(things, columns));
}

/** Returns a table in Markdown with its caption below. */
export function formatCaptionedTable(
  { headings, rows, caption }: ReturnType<typeof tableOf> & { readonly caption?: string },
): string {
  return markdownTable(headings, rows) + (caption === undefined ? "" : `\n\n_${caption}._`);
}

/** Formats an estimate with its interval, or the reason for its absence. */
export function formatStatistic(figure: ReportedStatistic, digits = 1): string {
  return shown(measureOfStatistic(figure), digits, { reasons: true });
}

/** Formats a p value to four decimal places, never as zero. */
export function formatP(p: number | PermutationTest | Unavailable): string {
  if (typeof p !== "number") return p.kind === "test" ? formatP(p.p) : formatStatistic(p);
  return p < 0.0001 ? "< 0.0001" : p.toFixed(4);
}

/** Formats the median with quartiles in brackets: `70.2 (66.1–74.0)`. */
export function formatQuartiles(quartiles: Quartiles | Unavailable): string {
  if (quartiles.kind === "unavailable") return formatStatistic(quartiles);
  const [median, low, high] = [quartiles.median, quartiles.lowerQuartile, quartiles.upperQuartile]
    .map((value) => shownNumber(value, 1));
  return `${median} (${low}–${high})`;
}
