/**
 * A statistic with its interval: the row of `statistics.csv`, how it is found and written, and the
 * bootstrap over lemmas and sentences that its interval comes from.
 */
import { resolve } from "node:path";
import { quantile } from "simple-statistics";
import {
  blankOr,
  type Column,
  name,
  number,
  type Table,
  table,
  text,
  whole,
} from "../files/table.ts";
import type { Measure as Drawn } from "../figures/theme.ts";
import { fewClustersInterval, wilsonInterval } from "../stats/intervals.ts";
import { type RandomSource, randomSource } from "../stats/random.ts";
import type { TablePlace } from "./study.ts";

/** A figure with its interval, without one, or why there is none: as figures draw it. */
export type DrawnMeasure = Drawn;

export interface Statistic {
  /** A model, `first vs second`, or {@link DESIGN} for what depends on the data set alone. */
  readonly model: string;
  readonly phenomenon: string;
  readonly measure: string;
  /** Where it is unavailable, its reason is the method. */
  readonly value: DrawnMeasure;
  /** What the estimate is a share or mean of: answers or pairs, as the method says. */
  readonly n: number;
  readonly clusters: number;
  /** How it was computed; where the value is unavailable, why. */
  readonly method: string;
}

export const ALL = "ALL";

/** In place of a model: a property of the data set. */
export const DESIGN = "(design)";

/** `statistics.csv`; what is not available is an empty field, never 0. */
export function statisticsTable(
  {
    path,
    about = "measures of models",
    maker = "the metrics",
    model = "model",
    phenomenon = "a phenomenon or ALL",
    cluster = "lemma",
  }: TablePlace & {
    /** What is said of its columns in this study: the model's name, the phenomena, the cluster. */
    readonly model?: string;
    readonly phenomenon?: string;
    readonly cluster?: string;
  },
): Table<Statistic> {
  return table({
    path: resolve(path),
    about,
    maker,
    columns: {
      model: name(
        `${model}, \`first vs second\`, or \`(design)\` for what depends on the pairs alone`,
      ),
      phenomenon: name(phenomenon),
      measure: name("what was measured"),
      estimate: figure("empty where the data give none"),
      low: figure(
        `lower end of the 95 % interval (cluster bootstrap by ${cluster}, and by sentence and form ` +
          "where pairs of several share one); may be empty",
      ),
      high: figure("upper end; may be empty"),
      n: whole("what the estimate is a share or mean of"),
      clusters: whole(`different ${cluster}s among them`),
      method: text("how it was computed, or why it could not be"),
    },
    form: {
      read: ({ estimate, low, high, ...row }): Statistic => ({
        ...row,
        value: valueOf({ estimate, low, high }, row.method),
      }),
      write: ({ value, ...row }) => ({ ...row, ...fieldsOf(value) }),
    },
    key: ["model", "phenomenon", "measure"],
  });
}

/** A figure of a table, or the fact that there is none; 6 decimals: fewer than machines differ in. */
export function figure(sentence: string): Column<number | ""> {
  const write = (value: number | "") => value === "" ? "" : 0 + Number(value.toFixed(6));
  return { ...blankOr(number(sentence)), write };
}

type ValueFields = Readonly<Record<"estimate" | "low" | "high", number | "">>;

/** A value of three fields; empty ones are a value that is not there, for this reason. */
export function valueOf({ estimate, low, high }: ValueFields, reason: string): DrawnMeasure {
  if (estimate === "") return { kind: "unavailable", reason };
  if (low === "" || high === "") return { kind: "value", estimate };
  return { kind: "interval", estimate, low, high };
}

export function fieldsOf(value: DrawnMeasure): ValueFields {
  const none = { estimate: "", low: "", high: "" } as const;
  if (value.kind === "unavailable") return none;
  const { kind: _kind, ...fields } = value;
  return { ...none, ...fields };
}

/** Looks rows of `statistics.csv` up by model, measure and phenomenon (all of them unless told). */
export function lookUp(statistics: readonly Statistic[]) {
  const keyOf = (...parts: readonly string[]) => JSON.stringify(parts);
  const rows = new Map(
    statistics.map((row) => [keyOf(row.model, row.measure, row.phenomenon), row]),
  );
  return {
    /** @throws RangeError where the table has no such row. */
    row(model: string, measure: string, phenomenon = ALL): Statistic {
      const row = rows.get(keyOf(model, measure, phenomenon));
      if (row) return row;
      throw new RangeError(`Cannot find ${measure} of ${model} for ${phenomenon}: no such row.`);
    },
    /** The row's value; unavailable where the row says so or is not there. */
    measure: (model: string, measure: string, phenomenon = ALL): DrawnMeasure =>
      rows.get(keyOf(model, measure, phenomenon))?.value ??
        { kind: "unavailable", reason: "not measured" },
  };
}

export type StatisticLookup = ReturnType<typeof lookUp>;

/**
 * Where a model stands against guessing, in words that claim no more than the interval says. Of choices d′
 * decides, which invalid answers do not move: counted as wrong they pull an accuracy below a half. Where there is no d′,
 * of parts, such an accuracy is never called below chance.
 */
export function againstChance(
  found: StatisticLookup,
  model: string,
  measure: string,
): string {
  const dPrime = found.measure(model, "d_prime", ALL);
  const isChoice = measure === "accuracy";
  const decides = isChoice && dPrime.kind === "interval";
  const own = decides ? dPrime : found.measure(model, measure, ALL);
  if (own.kind === "unavailable") return "not measured";
  if (own.kind === "value") return "without an interval";
  const chance = decides ? 0 : 0.5;
  if (own.low > chance) return "above chance";
  return own.high < chance && (decides || !isChoice)
    ? "below chance"
    : "not significantly different from chance";
}

/** Whether every pair was right in one order of its sentences and wrong in the other: half, by construction. */
export const isOneLetter = (right: DrawnMeasure): boolean =>
  right.kind === "interval" && right.low === right.high;

/** How often a model chose right, of its valid answers too where some were invalid, and what that says. */
export function choiceInWords(found: StatisticLookup, model: string): string {
  const percent = (measure: string) => percentWithInterval(found.measure(model, measure));
  if (isOneLetter(found.measure(model, "accuracy"))) {
    return "the same letter in both orders of every pair";
  }
  const invalid = found.measure(model, "invalid_rate");
  const isWhole = invalid.kind === "unavailable" || invalid.estimate === 0;
  const ofValid = isWhole ? "" : `, ${percent("accuracy_valid")} % of its valid answers`;
  return `${percent("accuracy")} % right${ofValid} (${againstChance(found, model, "accuracy")})`;
}

/** What can only come out so has no interval. */
function withInterval(measure: DrawnMeasure, write: (value: number) => string): string {
  if (measure.kind === "unavailable") return "–";
  const estimate = write(measure.estimate);
  if (measure.kind === "value" || measure.low === measure.high) return estimate;
  return `${estimate} [${write(measure.low)}, ${write(measure.high)}]`;
}

/** A share with its interval in per cent: `51.3 [48.0, 54.6]`; a dash where there is none. */
export function percentWithInterval(measure: DrawnMeasure): string {
  return withInterval(measure, (share) => (100 * share).toFixed(1));
}

/** A number with its interval: `0.21 [-0.02, 0.44]`; a dash where there is none. */
export function decimalWithInterval(measure: DrawnMeasure, digits = 2): string {
  // A bias of −0.004 is 0.00, not "-0.00".
  return withInterval(measure, (value) => (0 + Number(value.toFixed(digits))).toFixed(digits));
}

/** A p-value with three decimals; what would round to zero is `< 0.001`, for no p-value is 0. */
export function pValue(measure: DrawnMeasure): string {
  if (measure.kind === "unavailable") return "–";
  return measure.estimate < 0.0005 ? "< 0.001" : measure.estimate.toFixed(3);
}

/** Counts by name; a group's are the sums of its members'. */
export type Tally<Name extends string> = Readonly<Record<Name, number>>;

export interface Counted<Name extends string> {
  readonly lemma: string;
  /** The sentence it was made of, where items share sentences. */
  readonly sentence?: string;
  /** The word that is changed and into what, where items of several lemmas share it: _mér_, _ek_. */
  readonly form?: string;
  readonly counts: Tally<Name>;
}

/** A measure of counts that can be added up over lemmas. */
export interface Measure<Counts> {
  readonly name: string;
  /** In words: what is counted, and how undefined cases are treated. */
  readonly method: string;
  /** The figure, or nothing where the counts do not determine it. */
  readonly of: (counts: Counts) => number | undefined;
  /** What it is a share or mean of. */
  readonly n: (counts: Counts) => number;
  /** A count of what happened, not an estimate: it gets no interval. */
  readonly descriptive?: boolean;
  /** A share of `n`, 0 … 1: where it is 0 or 1 throughout, its interval is not a bootstrap's. */
  readonly isShare?: boolean;
}

const CONFIDENCE = 0.95;

/** Clusters that are too few for the percentiles of a bootstrap. */
const FEW = 15;

/** How intervals are made; one setting for all rows of a table. */
export interface IntervalSettings {
  readonly seed: number | string;
  /** 2,000 unless told. */
  readonly resamples?: number;
}

/**
 * One row for each measure over all items, with a percentile bootstrap interval over lemmas; the measures
 * share their resamples, seeded by the row's names. A share that is 0 or 1 on every lemma has Wilson's
 * interval with the lemmas, or the fewer clusters below, as trials: resampling what is all alike would
 * give a width of zero. A share of fewer than 15 clusters has {@link fewClustersInterval}.
 *
 * Where pairs of several lemmas share a sentence or a form, clustering is two- or three-way: V is the
 * sum of the variances by each way, less those by two ways at once, plus that by all three (Cameron,
 * Gelbach & Miller 2011, Journal of Business & Economic Statistics 29(2), 238–249), each by the cluster
 * jackknife; the largest of V and the variances by one way counts, for V alone may come out too small or
 * below zero (MacKinnon, Nielsen & Webb 2024, arXiv 2406.08880). The bootstrap is over the clusters
 * with the largest variance, and its ends move away from the estimate by the ratio of the standard
 * errors; a share stays within 0 … 1.
 */
export function clusteredStatistics<Name extends string>(
  place: Pick<Statistic, "model" | "phenomenon">,
  items: readonly Counted<Name>[],
  measures: readonly Measure<Tally<Name>>[],
  { seed, resamples = 2000 }: IntervalSettings,
): readonly Statistic[] {
  if (items.length === 0) {
    return measures.map(({ name }) => ({
      ...place,
      measure: name,
      n: 0,
      clusters: 0,
      ...absent("no items"),
    }));
  }
  const clusterings = clusteringsOf(items);
  const single = clusterings.filter(({ by }) => by.length === 1);
  const [{ counts: lemmas }] = single as [Clustering<Name>];
  // Drawn once, they serve every measure: a table of hundreds of intervals is a matter of a second.
  const resampled = new Map<typeof lemmas, readonly Tally<Name>[]>();
  const resample = (counts: typeof lemmas) => {
    const random = randomSource([seed, place.model, place.phenomenon].join("|"));
    const sums = resampled.get(counts) ??
      Array.from({ length: resamples }, () => counts.resample(random));
    resampled.set(counts, sums);
    return sums;
  };
  const intervalOf = ({ of, n, isShare }: Measure<Tally<Name>>, estimate: number): Ends => {
    const isExtreme = isShare && (estimate === 0 || estimate === 1);
    const fewest = single.map(({ by: [way], counts: { each } }) => {
      return { way, trials: each.filter((counts) => !isExtreme || n(counts) > 0).length };
    }).reduce((least, one) => one.trials < least.trials ? one : least);
    const { way, trials } = fewest;
    if (trials === 1) return { reason: "a single cluster says nothing about others" };
    if (isExtreme) {
      const wilson = wilsonInterval(estimate * trials, trials, CONFIDENCE);
      return wilson.kind === "interval" ? { ...wilson, how: `Wilson interval on ${way}s` } : wilson;
    }
    const ways = single.map(({ by }) => by).join(" and ");
    const { counts, wider } = widest(clusterings, of, estimate);
    const clusters = counts.each.length;
    const variance = isShare && clusters < FEW
      ? wider ** 2 * jackknifeVariance(counts, of, estimate)
      : 0;
    if (variance > 0) {
      const few = fewClustersInterval(estimate, { variance, clusters, confidence: CONFIDENCE });
      return { ...few, how: `Wilson interval of the effective n by ${ways}` };
    }
    const values = resample(counts).map(of).filter((value) => value !== undefined);
    // With more undefined ones the percentiles would be a subset's.
    if (values.length < resamples * 0.95) {
      return { reason: `undefined on ${resamples - values.length} of ${resamples} resamples` };
    }
    const end = (side: 1 | -1) => {
      const percentile = quantile(values, (1 + side * CONFIDENCE) / 2);
      if (wider === 1) return percentile;
      const moved = estimate + wider * (percentile - estimate);
      return isShare ? Math.min(1, Math.max(0, moved)) : moved;
    };
    return { low: end(-1), high: end(1), how: `cluster bootstrap by ${ways}` };
  };
  const estimated = (measure: Measure<Tally<Name>>): Pick<Statistic, "value" | "method"> => {
    const { method } = measure;
    const estimate = measure.of(lemmas.total);
    if (estimate === undefined) return absent("not defined on these answers");
    if (measure.descriptive) return { value: { kind: "value", estimate }, method };
    const ends = intervalOf(measure, estimate);
    if ("reason" in ends) {
      const why = `${method}; no interval: ${ends.reason}`;
      return { value: { kind: "value", estimate }, method: why };
    }
    const { low, high, how } = ends;
    return { value: { kind: "interval", estimate, low, high }, method: `${method}; ${how}` };
  };
  return measures.map((measure) => ({
    ...place,
    measure: measure.name,
    n: measure.n(lemmas.total),
    clusters: lemmas.each.length,
    ...estimated(measure),
  }));
}

/** What a row says that has no value. */
export const absent = (method: string): Pick<Statistic, "value" | "method"> => (
  { value: { kind: "unavailable", reason: method }, method }
);

type Ends =
  | { readonly low: number; readonly high: number; readonly how: string }
  | { readonly reason: string };

/** Of ways to cluster the one that is resampled, and how much wider than that the interval is. */
function widest<Name extends string>(
  clusterings: readonly Clustering<Name>[],
  of: Measure<Tally<Name>>["of"],
  estimate: number,
) {
  const [lemmas, ...others] = clusterings as [Clustering<Name>];
  if (others.length === 0) return { ...lemmas, wider: 1 };
  const variances = clusterings.map((one) => {
    return { ...one, variance: jackknifeVariance(one.counts, of, estimate) };
  });
  const sum = variances.reduce(
    (v, { by, variance }) => by.length % 2 === 1 ? v + variance : v - variance,
    0,
  );
  const largest = variances.filter(({ by }) => by.length === 1)
    .reduce((most, one) => one.variance > most.variance ? one : most);
  const wider = largest.variance === 0 ? 1 : Math.sqrt(Math.max(1, sum / largest.variance));
  return { ...largest, wider };
}

type Way = "lemma" | "sentence" | "form";

interface Clustering<Name extends string> {
  readonly by: readonly Way[];
  readonly counts: ReturnType<typeof clusterCounts<Name>>;
}

/** By what the items are clustered, one way at a time and several at once; by lemma first. */
function clusteringsOf<Name extends string>(
  items: readonly Counted<Name>[],
): readonly Clustering<Name>[] {
  const keyOf = (item: Counted<Name>, way: Way) => item[way] ?? `of ${item.lemma}`;
  // Clusters that lie within the lemmas' add nothing to these, and a single one says nothing.
  const ways = (["sentence", "form"] as const).filter((way) => {
    const lemmas = [...Map.groupBy(items, (item) => keyOf(item, way)).values()]
      .map((own) => new Set(own.map(({ lemma }) => lemma)).size);
    return lemmas.length > 1 && Math.max(...lemmas) > 1;
  });
  const subsets = ["lemma" as const, ...ways].reduce<readonly (readonly Way[])[]>(
    (sets, way) => [...sets, ...sets.map((set) => [...set, way])],
    [[]],
  );
  return subsets.filter(({ length }) => length > 0).map((by) => {
    const clusterOf = (item: Counted<Name>) =>
      by.join() === "lemma" ? item.lemma : JSON.stringify(by.map((way) => keyOf(item, way)));
    return { by, counts: clusterCounts(items, clusterOf) };
  });
}

/** The counts of each cluster, in code-unit order, as numbers: sums over names take ten times as long. */
function clusterCounts<Name extends string>(
  items: readonly Counted<Name>[],
  clusterOf: (item: Counted<Name>) => string,
) {
  const names = Object.keys(items[0]!.counts) as Name[];
  const groups = Map.groupBy(items, clusterOf);
  const clusters = [...groups.keys()].sort().map((cluster) =>
    names.map((name) => groups.get(cluster)!.reduce((sum, { counts }) => sum + counts[name], 0))
  );
  // Of many strata a cluster has counts in one or two: place and count, by turns.
  const filled = clusters.map((counts) =>
    Float64Array.from(counts.flatMap((count, i) => count === 0 ? [] : [i, count]))
  );
  const named = (sums: readonly number[]) => {
    const counts = {} as Record<Name, number>;
    for (let i = 0; i < names.length; i++) counts[names[i]!] = sums[i]!;
    return counts;
  };
  const { length } = clusters;
  const sumOver = (indexOf: (position: number) => number) => {
    const sums = names.map(() => 0);
    for (let position = 0; position < length; position++) {
      const own = filled[indexOf(position)]!;
      for (let at = 0; at < own.length; at += 2) sums[own[at]!]! += own[at + 1]!;
    }
    return named(sums);
  };
  const total = sumOver((position) => position);
  return {
    total,
    /** Each cluster by itself, and the sums of all but that. */
    each: clusters.map(named),
    without: clusters.map((counts) => named(names.map((name, i) => total[name] - counts[i]!))),
    /** The sums of as many clusters as there are, drawn with replacement. */
    resample: (random: RandomSource) => sumOver(() => random.integer(length)),
  };
}

/** (G − 1) / G · Σ (θ without cluster g − θ)² over G clusters; those that leave no θ add nothing. */
function jackknifeVariance<Name extends string>(
  { without }: ReturnType<typeof clusterCounts<Name>>,
  of: Measure<Tally<Name>>["of"],
  estimate: number,
): number {
  const squares = without.map((counts) => ((of(counts) ?? estimate) - estimate) ** 2);
  const [G, sum] = [without.length, squares.reduce((total, square) => total + square, 0)];
  return sum * (G - 1) / G;
}
