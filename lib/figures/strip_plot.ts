import * as Plot from "@observablehq/plot";
import { median } from "simple-statistics";
import type { ValueAxis } from "./axis.ts";
import { widest } from "./fonts.ts";
import { rightColumn } from "./measured_rows.ts";
import { writeNumber } from "./measure.ts";
import { type Figure, type FigureText, renderPng } from "./render.ts";
import { rowPlot } from "./row_plot.ts";
import { type LabelledRow, layoutRows, type PlacedRow } from "./rows.ts";
import { EDGE, INK, SIZE } from "./theme.ts";

/** A row that shows every value of a sample. */
export interface StripRow extends LabelledRow {
  readonly values: readonly number[];
  /** Of its strokes, `#rrggbb`. */
  readonly color: string;
}

/** What a strip plot shows. */
export interface StripPlot extends FigureText {
  readonly rows: readonly StripRow[];
  readonly axis: ValueAxis;
}

/** Strokes that lie on one another are darker. */
const STROKE = { strokeWidth: 1, strokeOpacity: 0.6 };

/**
 * A thin stroke for each value, rows under their groups' names; a dot at the median, which stands at
 * the right with the number of values. A row without values says so.
 *
 * @throws {RangeError} without rows or for a value off the axis.
 */
export function stripPlot({ rows, axis, ...text }: StripPlot): Figure {
  requireValues(text.title, rows, axis);
  const layout = layoutRows(rows, axis.reference !== undefined);
  const written = (row: StripRow) => medianText(row, axis);
  const filled = rows.filter(({ values }) => values.length > 0);
  const right = widest(filled.map(written), { size: SIZE.value }) + 2 * EDGE + 2;
  const { plot, height } = rowPlot(layout, axis, right, {
    over: [
      ...strokes(layout.rows),
      ...medians(layout.rows),
      rightColumn(layout.rows, right, written),
    ],
  });
  return renderPng(plot, { ...text, height });
}

function strokes(placed: readonly PlacedRow<StripRow>[]): Plot.Markish[] {
  const all = placed.flatMap(({ row, top, bottom }) =>
    row.values.map((value) => ({ value, top, bottom, color: row.color }))
  );
  const place = { x1: "value", x2: "value", y1: "top", y2: "bottom" } as const;
  return [Plot.link(all, { ...place, stroke: (one) => one.color, ...STROKE })];
}

function medians(placed: readonly PlacedRow<StripRow>[]): Plot.Markish[] {
  const filled = placed.filter(({ row }) => row.values.length > 0);
  return [
    Plot.dot(filled, {
      x: ({ row }) => median([...row.values]),
      y: "middle",
      r: 2.6,
      fill: INK.text,
      stroke: INK.paper,
      strokeWidth: 0.8,
    }),
  ];
}

function medianText({ values }: StripRow, { format }: ValueAxis): string {
  if (values.length === 0) return "– (none)";
  return `${writeNumber(median([...values]), format)} (n = ${writeNumber(values.length, "count")})`;
}

function requireValues(title: string, rows: readonly StripRow[], { domain }: ValueAxis): void {
  if (rows.length === 0) throw new RangeError(`Cannot draw "${title}": it has no rows.`);
  const [low, high] = domain;
  for (const { label, values } of rows) {
    const lost = values.find((value) => !(value >= low && value <= high));
    if (lost === undefined) continue;
    throw new RangeError(`Cannot draw "${title}": ${label} is at ${lost}, off ${low} … ${high}.`);
  }
}
