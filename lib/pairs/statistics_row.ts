import type { TableShape } from "./keyed_table.ts";

export const STATISTIC_COLUMNS = [
  "model",
  "phenomenon",
  "measure",
  "estimate",
  "low",
  "high",
  "n",
  "clusters",
  "method",
] as const;
type StatisticColumn = (typeof STATISTIC_COLUMNS)[number];

/** A figure with its interval, without one, or the fact that the data give none. */
export type StatisticValue =
  | {
    readonly kind: "interval";
    readonly estimate: number;
    readonly low: number;
    readonly high: number;
  }
  | { readonly kind: "point"; readonly estimate: number }
  | { readonly kind: "unavailable" };

/** One row of `statistics.csv`. */
export interface Statistic {
  /** A model, `first vs second`, or {@link DESIGN} for what depends on the data set alone. */
  readonly model: string;
  /** A phenomenon or {@link ALL}. */
  readonly phenomenon: string;
  readonly measure: string;
  readonly value: StatisticValue;
  /** What the estimate is a share or mean of: answers or pairs, as the method says. */
  readonly n: number;
  /** Different lemmas among them. */
  readonly clusters: number;
  /** How it was computed; where the value is unavailable, why. */
  readonly method: string;
}

/** All phenomena together. */
export const ALL = "ALL";
/** In place of a model: a property of the data set. */
export const DESIGN = "(design)";

/** Decimals of every figure: more than any interval warrants, fewer than machines differ in. */
const DECIMALS = 6;

/** The shape of `statistics.csv`; what is not available is an empty field, never 0. */
export const STATISTIC_TABLE: TableShape<StatisticColumn, Statistic> = {
  columns: STATISTIC_COLUMNS,
  format: ({ model, phenomenon, measure, value, n, clusters, method }) => ({
    model,
    phenomenon,
    measure,
    estimate: value.kind === "unavailable" ? "" : rounded(value.estimate),
    low: value.kind === "interval" ? rounded(value.low) : "",
    high: value.kind === "interval" ? rounded(value.high) : "",
    n,
    clusters,
    method,
  }),
  parse: (record) => ({
    model: record.model,
    phenomenon: record.phenomenon,
    measure: record.measure,
    value: parseValue(record),
    n: parseNumber(record.n),
    clusters: parseNumber(record.clusters),
    method: record.method,
  }),
  keyOf: ({ model, phenomenon, measure }) => JSON.stringify([model, phenomenon, measure]),
};

function rounded(value: number): number {
  return 0 + Number(value.toFixed(DECIMALS));
}

/** A figure and the ends of its interval as read; empty fields are a value that is not there. */
export function parseValue(
  { estimate, low, high }: Readonly<Record<"estimate" | "low" | "high", string>>,
): StatisticValue {
  if (estimate === "" && low === "" && high === "") return { kind: "unavailable" } as const;
  if (low === "" && high === "") {
    return { kind: "point", estimate: parseNumber(estimate) } as const;
  }
  const [middle, from, to] = [parseNumber(estimate), parseNumber(low), parseNumber(high)];
  return { kind: "interval", estimate: middle, low: from, high: to } as const;
}

/** A finite number as read. Throws SyntaxError for anything else, the empty field too. */
export function parseNumber(text: string): number {
  if (text.trim() === "" || !Number.isFinite(Number(text))) {
    throw new SyntaxError(`"${text}" is no number`);
  }
  return Number(text);
}
