import { ALL, type Statistic } from "./statistics_row.ts";

/** A statistic in the form that figures draw. */
export type DrawnMeasure =
  | {
    readonly kind: "interval";
    readonly estimate: number;
    readonly low: number;
    readonly high: number;
  }
  | { readonly kind: "value"; readonly estimate: number }
  | { readonly kind: "unavailable"; readonly reason: string };

/** Finds statistics by model, measure and phenomenon (all of them unless told). */
export interface StatisticLookup {
  /** @throws RangeError where the table has no such row. */
  readonly row: (model: string, measure: string, phenomenon?: string) => Statistic;
  /** The row's value to be drawn; unavailable where the row says so or is not there. */
  readonly measure: (model: string, measure: string, phenomenon?: string) => DrawnMeasure;
}

/** Looks rows of `statistics.csv` up. */
export function lookUp(statistics: readonly Statistic[]): StatisticLookup {
  const keyOf = (...parts: readonly string[]) => JSON.stringify(parts);
  const rows = new Map(
    statistics.map((row) => [keyOf(row.model, row.measure, row.phenomenon), row]),
  );
  return {
    row(model, measure, phenomenon = ALL) {
      const row = rows.get(keyOf(model, measure, phenomenon));
      if (row) return row;
      throw new RangeError(`Cannot find ${measure} of ${model} for ${phenomenon}: no such row.`);
    },
    measure(model, measure, phenomenon = ALL) {
      const row = rows.get(keyOf(model, measure, phenomenon));
      if (row === undefined) return { kind: "unavailable", reason: "not measured" };
      if (row.value.kind === "unavailable") return { kind: "unavailable", reason: row.method };
      return row.value.kind === "point" ? { ...row.value, kind: "value" } : row.value;
    },
  };
}

/** A share with its interval in per cent: `51.3 [48.0, 54.6]`; a dash where there is none. */
export function percentWithInterval(measure: DrawnMeasure): string {
  const percent = (share: number) => (100 * share).toFixed(1);
  if (measure.kind === "unavailable") return "–";
  if (measure.kind === "value") return percent(measure.estimate);
  return `${percent(measure.estimate)} [${percent(measure.low)}, ${percent(measure.high)}]`;
}

/** A p-value with three decimals; what would round to nought is `< 0.001`, for no p-value is 0. */
export function pValue(measure: DrawnMeasure): string {
  if (measure.kind === "unavailable") return "–";
  return measure.estimate < 0.0005 ? "< 0.001" : measure.estimate.toFixed(3);
}

/** A number with its interval: `0.21 [-0.02, 0.44]`; a dash where there is none. */
export function decimalWithInterval(measure: DrawnMeasure, digits = 2): string {
  if (measure.kind === "unavailable") return "–";
  // A bias of −0.004 is 0.00, not "-0.00".
  const write = (value: number) => (0 + Number(value.toFixed(digits))).toFixed(digits);
  if (measure.kind === "value") return write(measure.estimate);
  return `${write(measure.estimate)} [${write(measure.low)}, ${write(measure.high)}]`;
}
