import type { CsvValue } from "../../files/csv.ts";
import type { Interval } from "../../stats/intervals.ts";
import type { Unavailable } from "../../stats/unavailable.ts";
import type { Correlation } from "../../stats/rank_correlation.ts";
import type { PointEstimate } from "../analysis/results.ts";

/** A figure as it stands in a table: empty cells where there is none, and the reason why. */
export interface LongRow {
  readonly estimate: number | "";
  readonly low: number | "";
  readonly high: number | "";
  readonly n: number | "";
  /** Why there is no figure, or a figure without the interval it should have; else empty. */
  readonly unavailable: string;
}

/** A figure with or without an interval, or the reason why there is none. */
export type LongFigure =
  | Interval
  | Correlation
  | PointEstimate
  | Unavailable
  | { readonly value: number; readonly n: number };

/** The cells of a figure. */
export function longRow(figure: LongFigure): LongRow {
  if (!("kind" in figure)) return row(figure.value, "", "", figure.n);
  if (figure.kind === "unavailable") {
    return { ...row("", "", "", ""), unavailable: figure.reason };
  }
  if (figure.kind === "point") {
    return { ...row(figure.estimate, "", "", figure.n), unavailable: figure.reason };
  }
  if (figure.kind === "correlation") return row(figure.coefficient, "", "", figure.n);
  return row(figure.estimate, figure.low, figure.high, figure.n);
}

function row(
  estimate: LongRow["estimate"],
  low: LongRow["low"],
  high: LongRow["high"],
  n: LongRow["n"],
): LongRow {
  return { estimate: tidy(estimate), low: tidy(low), high: tidy(high), n, unavailable: "" };
}

/** Six decimal places: more would promise a precision that no resampling has. */
export function tidy<Value extends CsvValue>(value: Value): Value | number {
  return typeof value === "number" ? Number(value.toFixed(6)) : value;
}
