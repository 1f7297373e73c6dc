import { markdownTable, type TableCell } from "../../figures/table.ts";
import type { Kappa, Unavailable } from "../../stats/agreement.ts";
import type { Correlation } from "../../stats/correlation.ts";
import { type Measure, measureFields, shown, shownNumber } from "../../stats/measure.ts";
import type { PermutationTest } from "../../stats/paired_tests.ts";
import type { Quartiles } from "../session/summary.ts";

/** A measure, or a coefficient of which no interval is made. */
export type Figure = Measure | Correlation | Kappa;

const measureOfFigure = (figure: Figure): Measure => {
  if (figure.kind === "correlation") {
    return { kind: "value", estimate: figure.coefficient, n: figure.n };
  }
  return figure.kind === "kappa" ? { kind: "value", estimate: figure.kappa, n: figure.n } : figure;
};

/** Returns the cells of a figure: empty where there is none, with the reason in `unavailable`. */
export function cellsOf(figure: Figure) {
  const measure = measureOfFigure(figure);
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
export function shownFigure(figure: Figure, digits = 1): string {
  return shown(measureOfFigure(figure), digits, { reasons: true });
}

/** A test's p, or one that was adjusted: four decimal places, and never zero. */
export function shownP(p: number | PermutationTest | Unavailable): string {
  if (typeof p !== "number") return p.kind === "test" ? shownP(p.p) : shownFigure(p);
  return p < 0.0001 ? "< 0.0001" : p.toFixed(4);
}

/** Median with the quartiles in brackets: `70.2 (66.1–74.0)`. */
export function shownQuartiles(found: Quartiles | Unavailable): string {
  if (found.kind === "unavailable") return shownFigure(found);
  const [median, low, high] = [found.median, found.lowerQuartile, found.upperQuartile]
    .map((value) => shownNumber(value, 1));
  return `${median} (${low}–${high})`;
}
