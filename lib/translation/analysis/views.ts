import { markdownTable, type TableCell } from "../../figures/table.ts";
import type { Kappa, Unavailable } from "../../stats/agreement.ts";
import type { Correlation } from "../../stats/correlation.ts";
import type { BootstrapInterval, Interval } from "../../stats/intervals.ts";
import type { PermutationTest } from "../../stats/paired_tests.ts";
import type { Quartiles } from "../session/summary.ts";
import type { PointEstimate } from "./reliability.ts";

/** A figure with or without an interval, or the reason why there is none. */
export type Figure =
  | Interval
  | BootstrapInterval
  | PointEstimate
  | Correlation
  | Kappa
  | Unavailable;

/** The cells of a figure: empty where there is none, with the reason in `unavailable`. */
export function cellsOf(figure: Figure) {
  type Cell = number | "";
  const cells = (estimate: Cell, low: Cell, high: Cell, n: Cell, unavailable = "") => {
    const units: Cell = "clusters" in figure ? figure.clusters : "";
    return { estimate, low, high, n, units, unavailable };
  };
  switch (figure.kind) {
    case "unavailable":
      return cells("", "", "", "", figure.reason);
    case "point":
      return cells(figure.estimate, "", "", figure.n, figure.reason);
    case "correlation":
      return cells(figure.coefficient, "", "", figure.n);
    case "kappa":
      return cells(figure.kappa, "", "", figure.n);
    case "interval":
      return cells(figure.estimate, figure.low, figure.high, figure.n);
  }
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

/** A number as it stands in a sentence or table, with a true minus sign. */
export function shownNumber(value: number, digits = 1): string {
  return value.toFixed(digits).replace(/^-(0(?:\.0+)?)$/, "$1").replace("-", "−");
}

/** A figure with its interval where it has one: `70.2 [66.1, 74.0]`; else the reason, in brackets. */
export function shown(figure: Figure, digits = 1): string {
  if (figure.kind === "interval") return shownInterval(figure, digits);
  const { estimate, unavailable } = cellsOf(figure);
  const text = estimate === "" ? "–" : shownNumber(estimate, digits);
  return unavailable === "" ? text : `${text} (${unavailable})`;
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
  const estimate = 100 * figure.estimate;
  if (figure.kind === "point") return shown({ ...figure, estimate });
  return shownInterval({ estimate, low: 100 * figure.low, high: 100 * figure.high });
}

/** A test's p, or one that was adjusted: four decimal places, and never zero. */
export function shownP(p: number | PermutationTest | Unavailable): string {
  if (typeof p !== "number") return p.kind === "test" ? shownP(p.p) : shown(p);
  return p < 0.0001 ? "< 0.0001" : p.toFixed(4);
}

/** Median with the quartiles in brackets: `70.2 (66.1–74.0)`. */
export function shownQuartiles(found: Quartiles | Unavailable): string {
  if (found.kind === "unavailable") return shown(found);
  const [median, low, high] = [found.median, found.lowerQuartile, found.upperQuartile]
    .map((value) => shownNumber(value));
  return `${median} (${low}–${high})`;
}
