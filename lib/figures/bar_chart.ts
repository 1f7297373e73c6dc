import * as Plot from "@observablehq/plot";
import { isDrawable, writeNumber } from "./measure.ts";
import { type Figure, type FigureText, renderPng } from "./render.ts";
import type { ValueAxis } from "./axis.ts";
import {
  drawableRows,
  type MeasuredRow,
  missingText,
  requireRows,
  rightColumn,
  rightRoom,
  whiskers,
} from "./measured_rows.ts";
import { rowPlot } from "./row_plot.ts";
import { layoutRows } from "./rows.ts";
import { INK, PALETTE } from "./theme.ts";

/** One bar. */
export interface Bar extends MeasuredRow {
  /** Number of answers or items behind it; written beside the value. */
  readonly n?: number;
  /** Grey: there for comparison, such as a baseline. */
  readonly muted?: boolean;
}

/** What a bar chart shows. */
export interface BarChart extends FigureText {
  readonly rows: readonly Bar[];
  readonly axis: ValueAxis;
}

/**
 * Horizontal bars from the axis' start, with intervals, a line of no effect, and the value and n of
 * each at the right. Without intervals and line it is a tally. Throws RangeError without rows or
 * for a measure off the axis.
 */
export function barChart({ rows, axis, ...text }: BarChart): Figure {
  requireRows(text.title, rows, axis);
  const layout = layoutRows(rows, axis.reference !== undefined);
  const written = (row: Bar) => valueText(row, axis);
  const right = rightRoom(rows, written);
  const bars = drawableRows(layout);
  const { plot, height } = rowPlot(layout, axis, right, {
    under: [Plot.rect(bars, {
      x1: () => axis.domain[0],
      x2: (bar) => bar.measure.estimate,
      y1: "top",
      y2: "bottom",
      fill: (bar) => bar.row.muted ? INK.muted : PALETTE.sky,
    })],
    over: [...whiskers(bars), rightColumn(layout.rows, right, written)],
  });
  return renderPng(plot, { ...text, height });
}

function valueText({ measure, n }: Bar, { format }: ValueAxis): string {
  if (!isDrawable(measure)) return missingText(measure);
  const value = writeNumber(measure.estimate, format) + (format === "percent" ? " %" : "");
  return n === undefined ? value : `${value} (n = ${writeNumber(n, "count")})`;
}
