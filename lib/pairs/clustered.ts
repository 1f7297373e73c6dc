/** Statistics of pairs: the rows of `statistics.csv`, clustered by lemma, sentence and form. */
import { resolve } from "node:path";
import { measureColumns, name, type Table, table, text, wholeNumber } from "../files/table.ts";
import {
  type Bounds,
  type Measure,
  measureFields,
  measureOf,
  measureOfFields,
  shown,
  sumClusterings,
} from "../stats/measure.ts";
import type { TableMetadata } from "./study.ts";

export interface Statistic {
  /** A model, `first vs second`, or {@link DESIGN} for properties of the data set alone. */
  readonly model: string;
  readonly phenomenon: string;
  readonly measure: string;
  /** Value; where it is unavailable, its reason is the method. */
  readonly value: Measure;
  /** Number of answers or pairs behind the estimate, as the method says. */
  readonly n: number;
  readonly clusters: number;
  /** Method of the computation; where the value is unavailable, the reason. */
  readonly method: string;
}

export const ALL = "ALL";

/** Name used instead of a model: a property of the data set. */
export const DESIGN = "(design)";

/** `statistics.csv`; what is not available is an empty field, never 0. */
export function statisticsTable(
  {
    path,
    about = "measures of models",
    maker = "the metrics",
    model = "name of the model",
    phenomenon = "a phenomenon or ALL",
    cluster = "lemma",
  }: TableMetadata & {
    /** Descriptions of its columns in this study: the model's name, the phenomena, the cluster. */
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
        `${model}; \`first vs second\` for a comparison; \`(design)\` for properties of the pairs`,
      ),
      phenomenon: name(phenomenon),
      measure: name("name of the measure"),
      ...measureColumns(
        `clustered by ${cluster}, and by sentence and form where pairs of several share one`,
      ),
      n: wholeNumber("number of answers or pairs behind the estimate"),
      clusters: wholeNumber(`number of different ${cluster}s among them`),
      method: text("method, or the reason why there is no estimate"),
    },
    form: {
      read({ estimate, low, high, ...row }): Statistic {
        const value = measureOfFields({ estimate, low, high }, row.method);
        const { n, clusters } = row;
        return { ...row, value: value.kind === "unavailable" ? value : { ...value, n, clusters } };
      },
      write: ({ value, ...row }) => ({ ...row, ...measureFields(value) }),
    },
    key: ["model", "phenomenon", "measure"],
  });
}

/** Looks rows of `statistics.csv` up by model, measure and phenomenon (by default all). */
export function lookUp(statistics: readonly Statistic[]) {
  const keyOf = (...parts: readonly string[]) => JSON.stringify(parts);
  const rows = new Map(
    statistics.map((row) => [keyOf(row.model, row.measure, row.phenomenon), row]),
  );
  return {
    /** Returns the row. @throws RangeError where the table has no such row. */
    row(model: string, measure: string, phenomenon = ALL): Statistic {
      const row = rows.get(keyOf(model, measure, phenomenon));
      if (row) return row;
      throw new RangeError(`Cannot find ${measure} of ${model} for ${phenomenon}: no such row.`);
    },
    /** Returns the row's value; unavailable if the row states so or is absent. */
    measure: (model: string, measure: string, phenomenon = ALL): Measure =>
      rows.get(keyOf(model, measure, phenomenon))?.value ??
        { kind: "unavailable", reason: "not measured" },
  };
}

export type StatisticLookup = ReturnType<typeof lookUp>;

/**
 * Describes a model's standing against chance, claiming no more than the interval does.
 *
 * Of choices d′ decides, which invalid answers do not move: counted as wrong they pull an accuracy
 * below a half. Where there is no d′, as for parts, such an accuracy is never called below chance.
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

/** Method of a model that names one letter in both orders of every pair. */
export const ONE_LETTER = "half by construction: one letter in both orders of every pair";

/** Method of a rule that prefers neither member of any pair. */
export const NO_PREFERENCE = "half by construction: it prefers neither member of any pair";

/** Returns true if a value is fixed by construction, whatever the pairs are. */
export const isConstructed = (value: Measure): boolean =>
  value.kind === "value" && [ONE_LETTER, NO_PREFERENCE].some((why) => value.reason?.endsWith(why));

/** Describes how often a model chose right, also among its valid answers, and the verdict. */
export function choiceInWords(found: StatisticLookup, model: string): string {
  const percent = (measure: string) => shown(found.measure(model, measure), "percent");
  if (isConstructed(found.measure(model, "accuracy"))) {
    return "the same letter in both orders of every pair";
  }
  const invalid = found.measure(model, "invalid_rate");
  const isWhole = invalid.kind === "unavailable" || invalid.estimate === 0;
  const ofValid = isWhole ? "" : `, ${percent("accuracy_valid")} % of its valid answers`;
  return `${percent("accuracy")} % right${ofValid} (${againstChance(found, model, "accuracy")})`;
}

/** A p-value with three decimals; what would round to zero is `< 0.001`, for no p-value is 0. */
export function pValue(measure: Measure): string {
  if (measure.kind === "unavailable") return "–";
  return measure.estimate < 0.0005 ? "< 0.001" : measure.estimate.toFixed(3);
}

/** Counts by name; a group's are the sums of its members'. */
export type Tally<Name extends string> = Readonly<Record<Name, number>>;

export interface CountedItem<Name extends string> {
  readonly lemma: string;
  /** The sentence it was made of, where items share sentences. */
  readonly sentence?: string;
  /** Changed word and its change, where items of several lemmas share it: _mér_, _ek_. */
  readonly form?: string;
  readonly counts: Tally<Name>;
}

/** A measure of counts that can be added up over lemmas. */
export interface CountStatistic<Counts> {
  readonly name: string;
  /** In words: what is counted, and how undefined cases are treated. */
  readonly method: string;
  /** The figure, or nothing where the counts do not determine it. */
  readonly of: (counts: Counts) => number | undefined;
  /** Number of items that it is a share or mean of. */
  readonly n: (counts: Counts) => number;
  /** A count of what happened, not an estimate: it gets no interval. */
  readonly descriptive?: boolean;
  /** The least and greatest value: 0 and 1 of a share, −1 and 1 of a difference of shares. */
  readonly bounds?: Bounds;
  /** Reason why the value is fixed on these counts, if so: it gets no interval. */
  readonly constructed?: (counts: Counts) => string | undefined;
}

/**
 * Returns one row per measure over all items, with clustered intervals.
 *
 * The clusters are lemmas and, where pairs of several lemmas share a sentence or a form, these as
 * well ({@link measureOf}).
 */
export function clusteredStatistics<Name extends string>(
  place: Pick<Statistic, "model" | "phenomenon">,
  items: readonly CountedItem<Name>[],
  measures: readonly CountStatistic<Tally<Name>>[],
): readonly Statistic[] {
  if (items.length === 0) {
    return measures.map(({ name }) => (
      { ...place, measure: name, n: 0, clusters: 0, ...withoutValue("no items") }
    ));
  }
  const ways = waysOf(items);
  const by = ways.join(" and ");
  const clusterings = sumClusterings(items.map((item) => (
    { counts: item.counts, cluster: ways.map((way) => keyOf(item, way)) }
  )));
  const { total } = clusterings[0]!;
  const clusters = new Set(items.map(({ lemma }) => lemma)).size;
  const estimated = (measure: CountStatistic<Tally<Name>>): Pick<Statistic, "value" | "method"> => {
    const { of, n, bounds, method } = measure;
    const estimate = of(total);
    if (estimate === undefined) return withoutValue("not defined on these answers");
    const point = (why: string) => {
      return { value: { kind: "value", estimate, reason: why } as const, method: why };
    };
    if (measure.descriptive) return { value: { kind: "value", estimate }, method };
    const constructed = measure.constructed?.(total);
    if (constructed !== undefined) return point(`${method}; ${constructed}`);
    const value = measureOf(clusterings, of, { n, bounds });
    if (value.kind === "unavailable") return withoutValue(value.reason);
    if (value.kind === "value") return point(`${method}; no interval: ${value.reason}`);
    return { value, method: `${method}; ${value.method} by ${by}` };
  };
  return measures.map((measure) => (
    { ...place, measure: measure.name, n: measure.n(total), clusters, ...estimated(measure) }
  ));
}

/** Value and method of a row without a value. */
export const withoutValue = (method: string): Pick<Statistic, "value" | "method"> => (
  { value: { kind: "unavailable", reason: method }, method }
);

type Way = "lemma" | "sentence" | "form";

const keyOf = <Name extends string>(item: CountedItem<Name>, way: Way) =>
  item[way] ?? `of ${item.lemma}`;

/** By what the items are clustered: by lemma, and by sentence and form where several lemmas share one. */
function waysOf<Name extends string>(items: readonly CountedItem<Name>[]): readonly Way[] {
  // Clusters that lie within the lemmas' add nothing to these, and a single one says nothing.
  const shared = (["sentence", "form"] as const).filter((way) => {
    const lemmas = [...Map.groupBy(items, (item) => keyOf(item, way)).values()]
      .map((own) => new Set(own.map(({ lemma }) => lemma)).size);
    return lemmas.length > 1 && Math.max(...lemmas) > 1;
  });
  return ["lemma", ...shared];
}
