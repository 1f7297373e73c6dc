import type { Bar, Part } from "../../figures/bars.ts";
import type { HeatClasses, HeatScale } from "../../figures/heat.ts";
import type { MeasuredRow } from "../../figures/rows.ts";
import { markdownTable, type TableCell } from "../../figures/table.ts";
import { type Measure, type NumberFormat, PALETTE } from "../../figures/theme.ts";
import type { Kappa, Unavailable } from "../../stats/agreement.ts";
import type { Correlation } from "../../stats/correlation.ts";
import type { Interval } from "../../stats/intervals.ts";
import type { PermutationTest } from "../../stats/permutation.ts";
import type { RunConfig } from "../configuration.ts";
import type { Quartiles } from "../session/summary.ts";
import type { PointEstimate, RaterReliability } from "./reliability.ts";
import type { SystemComparison, SystemResult } from "./systems.ts";

/** A figure with or without an interval, or the reason why there is none. */
export type Figure = Interval | PointEstimate | Correlation | Kappa | Unavailable;

/** The cells of a figure: empty where there is none, with the reason in `unavailable`. */
export function cellsOf(figure: Figure) {
  type Cell = number | "";
  const cells = (estimate: Cell, low: Cell, high: Cell, n: Cell, unavailable = "") => {
    return { estimate, low, high, n, unavailable };
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

/** A Markdown table with a row for each thing and a column for each heading. */
export function shownTable<Thing>(
  things: readonly Thing[],
  columns: Readonly<Record<string, (thing: Thing, index: number) => TableCell>>,
): string {
  const cells = Object.values(columns);
  const rows = things.map((thing, index) => cells.map((cell) => cell(thing, index)));
  return markdownTable(Object.keys(columns), rows);
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

/** A heat map's adjusted p of every two systems, above the diagonal; columns by rank, to fit. */
export function pairCells({ systems, pairs, alpha }: SystemComparison) {
  const found = new Map(pairs.map((pair) => [`${pair.first}\n${pair.second}`, pair.adjustedP]));
  const cell = (row: SystemResult, column: SystemResult): Measure => {
    const p = found.get(`${row.system}\n${column.system}`);
    if (typeof p === "number") return { kind: "value", estimate: p };
    return p ?? { kind: "unavailable", reason: "stands on the other side" };
  };
  const scale: HeatClasses = { edge: alpha, meanings: ["told apart", "not told apart"] };
  return {
    rows: systems.map(({ system }, index) => `${index + 1} ${system}`),
    columns: systems.map((_, index) => String(index + 1)),
    cells: systems.map((row) => systems.map((column) => cell(row, column))),
    scale,
  };
}

const SHADES = [PALETTE.blue, PALETTE.sky, PALETTE.yellow, PALETTE.orange, PALETTE.vermillion];

/** The buckets as parts of a bar, best first. Beyond five, colours come round again. */
export function bucketParts({ buckets }: RunConfig): readonly Part[] {
  return buckets.map(({ label }, index) => ({ label, color: SHADES[index % SHADES.length]! }));
}

/** Share of round scores: chance in grey, then every rater, for each kind of roundness. */
export function heapingBars(raters: readonly RaterReliability[]): readonly Bar[] {
  return (raters[0]?.heaping ?? []).flatMap(({ name: group, chance }, kind): Bar[] => {
    const bars = raters
      .map(({ rater, heaping }) => ({ label: rater, group, measure: heaping[kind]!.share }));
    if (chance === undefined) return bars;
    const measure = { kind: "value", estimate: chance } as const;
    return [{ label: "chance", group, muted: true, measure }, ...bars];
  });
}

/** Mean deviation by position on the screen: a row for each rater, a column for each position. */
export function positionCells(raters: readonly Pick<RaterReliability, "rater" | "position">[]) {
  const cells = raters.map(({ position }) => position.positions.map(({ deviation }) => deviation));
  return {
    rows: raters.map(({ rater }) => rater),
    columns: (cells[0] ?? []).map((_, row) => String(row + 1)),
    cells,
    ...evenScale(cells.flat()),
  };
}

/** Colours as far on either side of zero as the largest value, rounded up to 1, 2 or 5 × 10ⁿ. */
function evenScale(
  measures: readonly Measure[],
): { readonly scale: HeatScale; readonly format: NumberFormat } {
  const sizes = measures.map((it) => it.kind === "unavailable" ? 0 : Math.abs(it.estimate));
  const largest = Math.max(...sizes) || 1;
  const power = 10 ** Math.floor(Math.log10(largest));
  const end = power * [1, 2, 5, 10].find((step) => largest <= step * power)!;
  return { scale: { domain: [-end, end], centre: 0 }, format: end < 5 ? "decimal" : "count" };
}

/** An axis that holds every row with its interval, ends rounded outwards to multiples of `step`. */
export function axisAround(
  rows: readonly MeasuredRow[],
  step: number,
  also: readonly number[] = [],
): readonly [number, number] {
  const ends = rows.flatMap(({ measure }) => {
    if (measure.kind === "interval") return [measure.low, measure.high];
    return measure.kind === "value" ? [measure.estimate] : [];
  }).concat(also);
  if (ends.length === 0) return [0, step];
  const low = step * Math.floor(Math.min(...ends) / step);
  return [low, Math.max(low + step, step * Math.ceil(Math.max(...ends) / step))];
}
