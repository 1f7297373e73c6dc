import * as Plot from "@observablehq/plot";
import type { ValueAxis } from "./axis.ts";
import { widest } from "./fonts.ts";
import { type Drawable, isDrawable, type Measure } from "./measure.ts";
import type { LabelledRow, PlacedRow, RowLayout } from "./rows.ts";
import { EDGE, HALO, INK, SIZE } from "./theme.ts";

/** A row that shows one measure. */
export interface MeasuredRow extends LabelledRow {
  readonly measure: Measure;
}

/** Throws RangeError if there are no rows, or if a measure would be drawn beyond the axis. */
export function requireRows(
  title: string,
  rows: readonly MeasuredRow[],
  { domain: [low, high] }: ValueAxis,
): void {
  if (rows.length === 0) throw new RangeError(`Cannot draw "${title}": it has no rows.`);
  for (const { label, measure } of rows) {
    if (!isDrawable(measure)) continue;
    const ends = measure.kind === "interval" ? [measure.low, measure.high] : [];
    const lost = [measure.estimate, ...ends].find((value) => !(value >= low && value <= high));
    if (lost === undefined) continue;
    throw new RangeError(`Cannot draw "${title}": ${label} is at ${lost}, off ${low} … ${high}.`);
  }
}

/** A placed row whose measure can be drawn. */
export type DrawableRow<Row> = PlacedRow<Row> & { readonly measure: Drawable };

/** The rows that can be drawn; the others show only their reason. */
export function drawableRows<Row extends MeasuredRow>(layout: RowLayout<Row>): DrawableRow<Row>[] {
  return layout.rows.flatMap((placed) => {
    const { measure } = placed.row;
    return isDrawable(measure) ? [{ ...placed, measure }] : [];
  });
}

/** Interval whiskers with caps. */
export function whiskers<Row>(rows: readonly DrawableRow<Row>[]): Plot.Markish[] {
  const ends = rows.flatMap(({ middle, measure }) =>
    measure.kind === "interval" ? [{ middle, low: measure.low, high: measure.high }] : []
  );
  const caps = ends.flatMap(({ middle, low, high }) => [low, high].map((end) => ({ middle, end })));
  const stroke = { stroke: INK.text, strokeWidth: 0.9 };
  return [
    Plot.link(ends, { x1: "low", x2: "high", y1: "middle", y2: "middle", ...stroke }),
    Plot.link(caps, {
      x1: "end",
      x2: "end",
      y1: (cap) => cap.middle - 2,
      y2: (cap) => cap.middle + 2,
      ...stroke,
    }),
  ];
}

/** Text at the right edge, one a row. */
export function rightColumn<Row>(
  rows: readonly PlacedRow<Row>[],
  right: number,
  text: (row: Row) => string,
): Plot.Markish {
  return Plot.text(rows, {
    text: (placed: PlacedRow<Row>) => text(placed.row),
    y: "middle",
    frameAnchor: "right",
    dx: right - EDGE,
    textAnchor: "end",
    fontSize: SIZE.value,
    ...HALO,
  });
}

/** Room at the right for such texts. A row without a measure may write across the empty plot. */
export function rightRoom<Row extends MeasuredRow>(
  rows: readonly Row[],
  text: (row: Row) => string,
): number {
  const lines = rows.filter((row) => isDrawable(row.measure)).map(text);
  return widest(lines, { size: SIZE.value }) + 2 * EDGE + 2;
}

/** What stands where a number would. */
export function missingText({ reason }: { readonly reason: string }): string {
  return `– (${reason})`;
}
