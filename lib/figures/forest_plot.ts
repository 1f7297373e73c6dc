import * as Plot from "@observablehq/plot";
import { isDrawable, type Measure, writeEstimate } from "./measure.ts";
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
import { PALETTE } from "./theme.ts";

/** What a forest plot shows. */
export interface ForestPlot extends FigureText {
  readonly rows: readonly MeasuredRow[];
  readonly axis: ValueAxis;
}

/**
 * A point and its interval for each row, rows under their groups' names, with a line of no effect;
 * the numbers stand at the right. Throws RangeError without rows or
 * for a measure off the axis.
 */
export function forestPlot({ rows, axis, ...text }: ForestPlot): Figure {
  requireRows(text.title, rows, axis);
  const layout = layoutRows(rows, axis.reference !== undefined);
  const written = ({ measure }: MeasuredRow) => estimateText(measure, axis);
  const right = rightRoom(rows, written);
  const points = drawableRows(layout);
  const { plot, height } = rowPlot(layout, axis, right, {
    over: [
      ...whiskers(points),
      Plot.dot(points, {
        x: (point) => point.measure.estimate,
        y: "middle",
        r: 2.4,
        fill: PALETTE.blue,
      }),
      rightColumn(layout.rows, right, written),
    ],
  });
  return renderPng(plot, { ...text, height });
}

function estimateText(measure: Measure, { format }: ValueAxis): string {
  return isDrawable(measure) ? writeEstimate(measure, format) : missingText(measure);
}
