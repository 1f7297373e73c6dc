/** Figures of ratings with their intervals, and how tables show them. */
import { mean, sampleStandardDeviation } from "simple-statistics";
import { markdownTable, type TableCell } from "../../figures/table.ts";
import { inertText } from "../../files/csv.ts";
import { type Kappa, type Unavailable, unavailable } from "../../stats/agreement.ts";
import type { Correlation } from "../../stats/correlation.ts";
import { measureFields, share, shown, shownNumber, statistic } from "../../stats/measure.ts";
import type { Bounds, Measure } from "../../stats/measure.ts";
import type { PermutationTest } from "../../stats/paired_tests.ts";
import { randomSource } from "../../stats/random.ts";
import type { Quartiles } from "../session/summary.ts";
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

/** A measure, or a coefficient of which no interval is made. */
export type ReportedStatistic = Measure | Correlation | Kappa;

const measureOfStatistic = (figure: ReportedStatistic): Measure => {
  if (figure.kind === "correlation") {
    return { kind: "value", estimate: figure.coefficient, n: figure.n };
  }
  return figure.kind === "kappa" ? { kind: "value", estimate: figure.kappa, n: figure.n } : figure;
};

/** Returns the cells of a figure: empty where there is none, with the reason in `unavailable`. */
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

/** A heading with what stands below it, of each thing. */
export type ColumnsOf<Thing> = Readonly<Record<string, (thing: Thing, index: number) => TableCell>>;

/** A table with a row for each thing and a column for each heading. */
export function tableOf<Thing>(things: readonly Thing[], columns: ColumnsOf<Thing>) {
  const cells = Object.values(columns);
  const rows = things.map((thing, index) => cells.map((cell) => cell(thing, index)));
  return { headings: Object.keys(columns), rows };
}

/** The same in Markdown. */
export function shownTable<Thing>(things: readonly Thing[], columns: ColumnsOf<Thing>): string {
  return shownMarkdown(tableOf(things, columns));
}

/** A table in Markdown, its caption below it. */
export function shownMarkdown(
  { headings, rows, caption }: ReturnType<typeof tableOf> & { readonly caption?: string },
): string {
  return markdownTable(headings, rows) + (caption === undefined ? "" : `\n\n_${caption}._`);
}

/** Writes a figure with its interval, where it has one, and the reason where something is missing. */
export function formatStatistic(figure: ReportedStatistic, digits = 1): string {
  return shown(measureOfStatistic(figure), digits, { reasons: true });
}

/** A test's p, or one that was adjusted: four decimal places, and never zero. */
export function shownP(p: number | PermutationTest | Unavailable): string {
  if (typeof p !== "number") return p.kind === "test" ? shownP(p.p) : formatStatistic(p);
  return p < 0.0001 ? "< 0.0001" : p.toFixed(4);
}

/** Median with the quartiles in brackets: `70.2 (66.1–74.0)`. */
export function shownQuartiles(found: Quartiles | Unavailable): string {
  if (found.kind === "unavailable") return formatStatistic(found);
  const [median, low, high] = [found.median, found.lowerQuartile, found.upperQuartile]
    .map((value) => shownNumber(value, 1));
  return `${median} (${low}–${high})`;
}
