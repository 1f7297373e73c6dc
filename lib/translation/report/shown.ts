import type { Interval } from "../../stats/intervals.ts";
import type { Kappa } from "../../stats/agreement.ts";
import type { Correlation } from "../../stats/rank_correlation.ts";
import type { Unavailable } from "../../stats/unavailable.ts";
import type { PointEstimate } from "../analysis/results.ts";

/** A number as it stands in a sentence or table, with a true minus sign. */
export function shownNumber(value: number, digits = 1): string {
  return value.toFixed(digits).replace(/^-(0(?:\.0+)?)$/, "$1").replace("-", "−");
}

/** A figure with its interval where it has one: `70.2 [66.1, 74.0]`; else the reason, in brackets. */
export function shown(
  figure: Interval | PointEstimate | Correlation | Kappa | Unavailable,
  digits = 1,
): string {
  switch (figure.kind) {
    case "unavailable":
      return `– (${figure.reason})`;
    case "point":
      return `${shownNumber(figure.estimate, digits)} (${figure.reason})`;
    case "correlation":
      return shownNumber(figure.coefficient, digits);
    case "kappa":
      return shownNumber(figure.kappa, digits);
    case "interval":
      return shownInterval(figure, digits);
  }
}

/** An estimate with the ends of its interval: `70.2 [66.1, 74.0]`. */
export function shownInterval(
  { estimate, low, high }: Pick<Interval, "estimate" | "low" | "high">,
  digits = 1,
): string {
  const [middle, from, to] = [estimate, low, high].map((value) => shownNumber(value, digits));
  return `${middle} [${from}, ${to}]`;
}

/** A share in per cent, `41.0 [35.2, 47.1]`. */
export function shownPercent(figure: Interval | PointEstimate | Unavailable): string {
  if (figure.kind === "unavailable") return shown(figure);
  if (figure.kind === "point") return shown({ ...figure, estimate: 100 * figure.estimate });
  const { estimate, low, high } = figure;
  return shown({ ...figure, estimate: 100 * estimate, low: 100 * low, high: 100 * high });
}

/** A p as it is written: four decimal places, and never nought. */
export function shownP(p: number): string {
  return p < 0.0001 ? "< 0.0001" : p.toFixed(4);
}
