import * as Plot from "@observablehq/plot";
import { linesHeight, type TextStyle, widest, wrapText } from "./fonts.ts";
import {
  type Drawable,
  EDGE,
  HALO,
  INK,
  isDrawable,
  LINE_HEIGHT,
  type Measure,
  type NumberFormat,
  REFERENCE_CASING,
  REFERENCE_LINE,
  SIZE,
  WIDTH,
  writeTick,
} from "./theme.ts";

/** A row of a horizontal chart. */
export interface LabelledRow {
  readonly label: string;
  /** Rows of one group stand together under its name. */
  readonly group?: string;
}

/** A row with its place in the plot, in points from the top. */
export interface PlacedRow<Row> {
  readonly row: Row;
  /** The label, wrapped. */
  readonly label: string;
  readonly labelY: number;
  readonly top: number;
  readonly middle: number;
  readonly bottom: number;
}

/** Rows laid out under one another. */
export interface RowLayout<Row> {
  readonly rows: readonly PlacedRow<Row>[];
  readonly headings: readonly { readonly text: string; readonly y: number }[];
  readonly height: number;
  /** Left end of the data area. */
  readonly left: number;
  /** Left end of the labels. */
  readonly labelLeft: number;
}

/** Room between rows. */
export const GAP = 4;

/** Room above the rows for the reference line's name. */
export const HEAD = 11;
const LABEL: TextStyle = { size: SIZE.label };
const HEADING: TextStyle = { size: SIZE.label, weight: "bold" };
const ROOM = WIDTH - 2 * EDGE;

/** Left end of bars with labels above them: leaves room for half of the first tick's label. */
const INDENT = EDGE + 3;
const THICKNESS = 9;

/** Labels wider than this share of the figure go above their bars, where there is room for them. */
const MOST_BESIDE = 0.36;

/**
 * Gives every row its place; labels stand beside their rows if all are short, otherwise above.
 * `hasReference` leaves room over the rows for the name of a reference line.
 */
export function layoutRows<Row extends LabelledRow>(
  rows: readonly Row[],
  hasReference: boolean,
): RowLayout<Row> {
  const beside = widest(rows.map((row) => row.label), LABEL);
  const above = beside > MOST_BESIDE * WIDTH;
  const place = above ? placeUnderLabel : placeBesideLabel;
  const placed: PlacedRow<Row>[] = [];
  const headings: { text: string; y: number }[] = [];
  let y = hasReference ? HEAD : 2;
  for (const [i, row] of rows.entries()) {
    if (row.group !== undefined && row.group !== rows[i - 1]?.group) {
      const lines = wrapText(row.group, ROOM, HEADING);
      const height = linesHeight(lines.length, HEADING);
      if (i > 0) y += GAP;
      headings.push({ text: lines.join("\n"), y: y + height / 2 });
      y += height + 2;
    }
    const next = place(row, y);
    placed.push(next);
    y = next.bottom + GAP + (above ? 2 : 0);
  }
  const [left, labelLeft] = above ? [INDENT, INDENT] : [EDGE + beside + 5, EDGE];
  return { rows: placed, headings, height: y, left, labelLeft };
}

function placeBesideLabel<Row extends LabelledRow>(row: Row, top: number): PlacedRow<Row> {
  const middle = top + THICKNESS / 2;
  return { row, label: row.label, labelY: middle, top, middle, bottom: top + THICKNESS };
}

function placeUnderLabel<Row extends LabelledRow>(row: Row, y: number): PlacedRow<Row> {
  const lines = wrapText(row.label, ROOM, LABEL);
  const labelHeight = linesHeight(lines.length, LABEL) + 1.5;
  const place = placeBesideLabel(row, y + labelHeight);
  return { ...place, label: lines.join("\n"), labelY: y + labelHeight / 2 };
}

/** Marks under and over the reference line. */
interface RowMarks {
  readonly under?: readonly Plot.Markish[];
  readonly over: readonly Plot.Markish[];
}

/** Room below the rows for ticks and the axis label. */
const FOOT = 22;

/** Plot options common to charts of rows: axis, grid, reference line, labels and the marks. */
export function rowPlot<Row extends LabelledRow>(
  layout: RowLayout<Row>,
  axis: ValueAxis,
  right: number,
  { under = [], over }: RowMarks,
): { readonly plot: Plot.PlotOptions; readonly height: number } {
  const { height } = layout;
  const plot: Plot.PlotOptions = {
    marginTop: 0,
    marginBottom: FOOT,
    marginLeft: layout.left,
    marginRight: right,
    x: { domain: axis.domain, axis: null, label: null },
    y: { type: "linear", domain: [0, height], range: [0, height], axis: null },
    marks: [
      ...axisMarks(axis),
      ...labelMarks(layout),
      ...under,
      ...referenceMarks(layout, axis.reference),
      ...over,
    ],
  };
  return { plot, height: height + FOOT };
}

function axisMarks({ label, format }: ValueAxis): Plot.Markish[] {
  return [
    Plot.gridX({ ticks: 5, stroke: INK.grid, strokeOpacity: 1, strokeWidth: 0.5 }),
    Plot.axisX({
      ticks: 5,
      tickFormat: (value: number) => writeTick(value, format),
      fontSize: SIZE.tick,
      label,
      labelAnchor: "center",
      labelArrow: "none",
      labelOffset: FOOT - 3,
      tickSize: 3,
      tickPadding: 2,
    }),
  ];
}

function labelMarks<Row>(layout: RowLayout<Row>): Plot.Markish[] {
  const text = {
    frameAnchor: "left",
    dx: layout.labelLeft - layout.left,
    textAnchor: "start",
    fontSize: SIZE.label,
    lineHeight: LINE_HEIGHT,
    ...HALO,
  } as const;
  return [
    Plot.text(layout.rows, { text: "label", y: "labelY", ...text }),
    Plot.text(layout.headings, { text: "text", y: "y", ...text, fontWeight: "bold" }),
  ];
}

/** Drawn row by row, so that the line never runs through a label above a bar. */
function referenceMarks<Row>(layout: RowLayout<Row>, reference?: Reference): Plot.Markish[] {
  if (reference === undefined) return [];
  const place = {
    x1: () => reference.value,
    x2: () => reference.value,
    y1: (placed: PlacedRow<Row>) => placed.top - GAP / 2,
    y2: (placed: PlacedRow<Row>) => placed.bottom + GAP / 2,
  };
  return [
    Plot.link(layout.rows, { ...place, ...REFERENCE_CASING }),
    Plot.link(layout.rows, { ...place, ...REFERENCE_LINE }),
    Plot.text([reference], {
      x: "value",
      text: "label",
      y: () => HEAD / 2 - 1,
      fill: REFERENCE_LINE.stroke,
      fontSize: SIZE.tick,
    }),
  ];
}

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

/** A line that marks no effect. */
export interface Reference {
  readonly value: number;
  readonly label: string;
}

/** An axis of values. */
export interface ValueAxis {
  readonly label: string;
  readonly format: NumberFormat;
  /** Ends of the axis, in the data's own units. */
  readonly domain: readonly [number, number];
  readonly reference?: Reference;
}
