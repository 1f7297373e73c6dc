/** Statistics of pairs for `statistics.csv`, clustered by lemma, sentence and form. */
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
  /** Model, `first vs second`, or {@link DESIGN} for properties of the data set. */
  readonly model: string;
  readonly phenomenon: string;
  readonly measure: string;
  /** Value. If it is unavailable, the reason is in `method`. */
  readonly value: Measure;
  /** Number of answers or pairs, as defined by the method. */
  readonly n: number;
  readonly clusters: number;
  /** Method of the computation, or the reason for a missing value. */
  readonly method: string;
}

export const ALL = "ALL";

/** Placeholder for the model in rows about the data set. */
export const DESIGN = "(design)";

/** Defines `statistics.csv`. Unavailable values are empty, never 0. */
export function statisticsTable(
  {
    path,
    about = "measures of models",
    maker = "the metrics",
    model = "name of the model",
    phenomenon = "a phenomenon or ALL",
    cluster = "lemma",
  }: TableMetadata & {
    /** Study-specific descriptions of the columns `model`, `phenomenon` and `cluster`. */
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

/** Indexes rows of `statistics.csv` by model, measure and phenomenon (all by default). */
export function lookUp(statistics: readonly Statistic[]) {
  const keyOf = (...parts: readonly string[]) => JSON.stringify(parts);
  const rows = new Map(
    statistics.map((row) => [keyOf(row.model, row.measure, row.phenomenon), row]),
  );
  return {
    /** Returns a row. @throws RangeError without such a row. */
    row(model: string, measure: string, phenomenon = ALL): Statistic {
      const row = rows.get(keyOf(model, measure, phenomenon));
      if (row) return row;
      throw new RangeError(`Cannot find ${measure} of ${model} for ${phenomenon}: no such row.`);
    },
    /** Returns a row's value; unavailable if it is missing. */
    measure: (model: string, measure: string, phenomenon = ALL): Measure =>
      rows.get(keyOf(model, measure, phenomenon))?.value ??
        { kind: "unavailable", reason: "not measured" },
  };
}

export type StatisticLookup = ReturnType<typeof lookUp>;

/**
 * Describes a model's accuracy relative to chance, as far as its interval permits.
 *
 * For forced choice d′ decides, because invalid answers count as incorrect and lower the accuracy.
 * Without d′ (for subsets) such an accuracy is never described as below chance.
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

/**
 * Reason for the fixed value of a model that names the same letter in both orders of every pair.
 */
export const ONE_LETTER = "half by construction: one letter in both orders of every pair";

/** Reason for the fixed value of a baseline without any preference. */
export const NO_PREFERENCE = "half by construction: it prefers neither member of any pair";

/** Tests whether a value is fixed by construction. */
export const isConstructed = (value: Measure): boolean =>
  value.kind === "value" && [ONE_LETTER, NO_PREFERENCE].some((why) => value.reason?.endsWith(why));

/** Formats a model's accuracy by forced choice, also among valid answers, relative to chance. */
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

/** Formats a p value with three decimals, or `< 0.001`. */
export function pValue(measure: Measure): string {
  if (measure.kind === "unavailable") return "–";
  return measure.estimate < 0.0005 ? "< 0.001" : measure.estimate.toFixed(3);
}

/** Counts by name, which add up over items. */
export type Tally<Name extends string> = Readonly<Record<Name, number>>;

export interface CountedItem<Name extends string> {
  readonly lemma: string;
  /** Source sentence of the item, if items share sentences. */
  readonly sentence?: string;
  /** Changed word with its change, if items of several lemmas share it (_mér_, _ek_). */
  readonly form?: string;
  readonly counts: Tally<Name>;
}

/** A measure computed from counts that add up over items. */
export interface CountStatistic<Counts> {
  readonly name: string;
  /** Description of what is counted and of undefined cases. */
  readonly method: string;
  /** Returns the value; undefined where the counts do not determine it. */
  readonly of: (counts: Counts) => number | undefined;
  /** Returns the number of items of which it is a share or mean. */
  readonly n: (counts: Counts) => number;
  /** True for a descriptive count, which has no interval. */
  readonly descriptive?: boolean;
  /** Minimum and maximum: 0 and 1 for a share, −1 and 1 for a difference of shares. */
  readonly bounds?: Bounds;
  /** Returns the reason for a value that is fixed by construction, which has no interval. */
  readonly constructed?: (counts: Counts) => string | undefined;
}

/**
 * Returns one row per measure over all items, with clustered intervals.
 *
 * Clusters are lemmas. If pairs of several lemmas share a sentence or form, these are clusters too
 * ({@link measureOf}).
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

/** Returns the value and method of a row without a value. */
export const withoutValue = (method: string): Pick<Statistic, "value" | "method"> => (
  { value: { kind: "unavailable", reason: method }, method }
);

type Way = "lemma" | "sentence" | "form";

const keyOf = <Name extends string>(item: CountedItem<Name>, way: Way) =>
  item[way] ?? `of ${item.lemma}`;

/** Returns the clusterings of items: by lemma; also by sentence and form, if lemmas share one. */
function waysOf<Name extends string>(items: readonly CountedItem<Name>[]): readonly Way[] {
  // Clusters that lie within the lemmas' add nothing to these, and a single one says nothing.
  const shared = (["sentence", "form"] as const).filter((way) => {
    const lemmas = [...Map.groupBy(items, (item) => keyOf(item, way)).values()]
      .map((own) => new Set(own.map(({ lemma }) => lemma)).size);
    return lemmas.length > 1 && Math.max(...lemmas) > 1;
  });
  return ["lemma", ...shared];
}
