/** Charts of labelled rows: layout, axis, whiskers, and values at the right. */
import { type KnownMeasure, type Measure, type NumberFormat } from "../stats/measure.ts";
import * as Plot from "@observablehq/plot";
import { linesHeight, type TextStyle, widestLine, wrapText } from "./fonts.ts";
import { type Figure, type FigureText, type LegendEntry, renderPng } from "./frame.ts";
import {
  EDGE,
  HALO,
  INK,
  LINE_HEIGHT,
  REFERENCE_CASING,
  REFERENCE_LINE,
  SIZE,
  WIDTH,
  writeTick,
} from "./theme.ts";

/** Reference line of a chart, which marks no effect. */
export interface Reference {
  readonly value: number;
  readonly label: string;
}

/** An axis of values. */
export interface ValueAxis {
  readonly label: string;
  readonly format: NumberFormat;
  /** Ends of the axis in data units. */
  readonly domain: readonly [number, number];
  readonly reference?: Reference;
}

/** A row of a horizontal chart. */
export interface LabelledRow {
  readonly label: string;
  /** Group of the row; rows of one group follow each other under its name. */
  readonly group?: string;
}

/** A row that shows one measure. */
export interface MeasuredRow extends LabelledRow {
  readonly measure: Measure;
  /** True for a grey row, for example of a baseline. */
  readonly muted?: boolean;
}

/** Data and text of a chart of rows. */
export interface RowsChart<Row> extends FigureText {
  readonly rows: readonly Row[];
  readonly axis: ValueAxis;
}

/** A row with its position in the plot, in points from the top. */
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

/** Vertical space between rows in points. */
export const GAP = 4;
/** Space in points above the rows (name of the reference line) and below (ticks, axis label). */
const [HEAD, FOOT] = [11, 22];
const LABEL: TextStyle = { size: SIZE.label };
const HEADING: TextStyle = { size: SIZE.label, weight: "bold" };
const ROOM = WIDTH - 2 * EDGE;
/** Left end of bars with labels above them. It leaves room for half of the first tick's label. */
const INDENT = EDGE + 3;
const THICKNESS = 9;
/**
 * Maximum width of labels at the left, as a share of the figure's width. Wider ones go above their
 * bars.
 */
const MAX_LABEL_SHARE = 0.36;

/** Top of the first row, in points. */
export const firstRowTop = ({ reference }: ValueAxis) => reference === undefined ? 2 : HEAD;

/**
 * Places rows from `top` down, each group's name above its first row. `place` returns where the
 * next row begins.
 * @returns the headings and the total height
 */
export function placeUnderHeadings<Row extends { readonly group?: string }>(
  rows: readonly Row[],
  top: number,
  place: (row: Row, y: number) => number,
): { readonly headings: RowLayout<Row>["headings"]; readonly height: number } {
  const headings: { text: string; y: number }[] = [];
  let y = top;
  for (const [i, row] of rows.entries()) {
    if (row.group !== undefined && row.group !== rows[i - 1]?.group) {
      const lines = wrapText(row.group, ROOM, HEADING);
      const height = linesHeight(lines.length, HEADING);
      y += i > 0 ? GAP : 0;
      headings.push({ text: lines.join("\n"), y: y + height / 2 });
      y += height + 2;
    }
    y = place(row, y);
  }
  return { headings, height: y };
}

/** Places every row; labels are left of the rows if short, else above. */
export function layoutRows<Row extends LabelledRow>(
  rows: readonly Row[],
  axis: ValueAxis,
): RowLayout<Row> {
  const labelWidth = widestLine(rows.map((row) => row.label), LABEL);
  const above = labelWidth > MAX_LABEL_SHARE * WIDTH;
  const placed: PlacedRow<Row>[] = [];
  const { headings, height } = placeUnderHeadings(rows, firstRowTop(axis), (row, y) => {
    const lines = above ? wrapText(row.label, ROOM, LABEL) : [row.label];
    const labelHeight = above ? linesHeight(lines.length, LABEL) + 1.5 : 0;
    const top = y + labelHeight;
    const [middle, bottom] = [top + THICKNESS / 2, top + THICKNESS];
    const labelY = above ? y + labelHeight / 2 : middle;
    placed.push({ row, label: lines.join("\n"), labelY, top, middle, bottom });
    return bottom + GAP + (above ? 2 : 0);
  });
  const [left, labelLeft] = above ? [INDENT, INDENT] : [EDGE + labelWidth + 5, EDGE];
  return { rows: placed, headings, height, left, labelLeft };
}

/** Marks of a chart of rows, drawn over its layout. */
interface RowMarks<Row> {
  /** Marks under and over the reference line. */
  readonly under?: readonly Plot.Markish[];
  readonly over: readonly Plot.Markish[];
  /** Width of the right margin, and the text of each row in it. */
  readonly right: number;
  readonly written?: (row: Row) => string;
}

/** Draws rows with axis, grid, reference line, labels and the given marks. */
export function rowChart<Row extends LabelledRow>(
  text: FigureText & { readonly legend?: readonly LegendEntry[] },
  layout: RowLayout<Row>,
  { label, format, domain, reference }: ValueAxis,
  { under = [], over, right, written }: RowMarks<Row>,
): Figure {
  const { rows, headings, height, left, labelLeft } = layout;
  const labels = {
    ...{ frameAnchor: "left", textAnchor: "start", dx: labelLeft - left } as const,
    fontSize: SIZE.label,
    lineHeight: LINE_HEIGHT,
    ...HALO,
  };
  const column = { frameAnchor: "right", textAnchor: "end", dx: right - EDGE } as const;
  const plot: Plot.PlotOptions = {
    marginTop: 0,
    marginBottom: FOOT,
    marginLeft: left,
    marginRight: right,
    x: { domain, axis: null, label: null },
    y: { type: "linear", domain: [0, height], range: [0, height], axis: null },
    color: { type: "identity" },
    marks: [
      Plot.gridX(GRID),
      Plot.axisX({
        ...axisOptions(FOOT, label),
        ticks: 5,
        tickFormat: (value: number) => writeTick(value, format),
      }),
      Plot.text(rows, { text: "label", y: "labelY", ...labels }),
      Plot.text(headings, { text: "text", y: "y", ...labels, fontWeight: "bold" }),
      ...under,
      ...(reference === undefined ? [] : referenceMarks(rows, reference)),
      ...over,
      ...(written === undefined ? [] : [Plot.text(rows, {
        text: (placed: PlacedRow<Row>) => written(placed.row),
        y: "middle",
        ...column,
        fontSize: SIZE.value,
        ...HALO,
      })]),
    ],
  };
  return renderPng(plot, { ...text, height: height + FOOT });
}

/** Style of every grid. */
export const GRID = { ticks: 5, stroke: INK.grid, strokeOpacity: 1, strokeWidth: 0.5 } as const;

/** Options of the axis below a plot, `foot` points high. */
export const axisOptions = (foot: number, label: string) => ({
  fontSize: SIZE.tick,
  tickSize: 3,
  tickPadding: 2,
  label,
  labelOffset: foot - 3,
  ...{ labelAnchor: "center", labelArrow: "none" } as const,
});

/** Draws the reference line row by row, so that it crosses no label above a bar. */
function referenceMarks<Row>(rows: readonly PlacedRow<Row>[], { value, label }: Reference) {
  const place = {
    x1: () => value,
    x2: () => value,
    y1: (placed: PlacedRow<Row>) => placed.top - GAP / 2,
    y2: (placed: PlacedRow<Row>) => placed.bottom + GAP / 2,
  };
  const name = { x: () => value, y: () => HEAD / 2 - 1, fontSize: SIZE.tick };
  return [
    Plot.link(rows, { ...place, ...REFERENCE_CASING }),
    Plot.link(rows, { ...place, ...REFERENCE_LINE }),
    Plot.text([label], { ...name, fill: REFERENCE_LINE.stroke }),
  ];
}

/** Checks that there are rows and that all values are on the axis. @throws {RangeError} */
export function requireOnAxis<Row extends LabelledRow>(
  title: string,
  rows: readonly Row[],
  { domain: [low, high] }: ValueAxis,
  values: (row: Row) => readonly number[],
): void {
  if (rows.length === 0) throw new RangeError(`Cannot draw "${title}": it has no rows.`);
  for (const row of rows) {
    const lost = values(row).find((value) => !(value >= low && value <= high));
    if (lost === undefined) continue;
    throw new RangeError(
      `Cannot draw "${title}": ${row.label} is at ${lost}, off ${low} … ${high}.`,
    );
  }
}

/** Returns the estimate and interval of a measure; empty if it is unavailable. */
export function numbersOf(measure: Measure): readonly number[] {
  if (measure.kind === "unavailable") return [];
  const { estimate } = measure;
  return measure.kind === "interval" ? [estimate, measure.low, measure.high] : [estimate];
}

/** A placed row whose measure can be drawn. */
type DrawableRow<Row> = PlacedRow<Row> & { readonly measure: KnownMeasure };

/** Returns the rows with a value. The other rows show only their reason. */
export function drawableRows<Row extends MeasuredRow>(layout: RowLayout<Row>): DrawableRow<Row>[] {
  return layout.rows.flatMap((placed) => {
    const { measure } = placed.row;
    return measure.kind !== "unavailable" ? [{ ...placed, measure }] : [];
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

/**
 * Returns the width for values at the right. Reasons of missing values may cross the empty plot.
 */
export function rightLabelWidth<Row>(drawn: readonly Row[], written: (row: Row) => string): number {
  return widestLine(drawn.map(written), { size: SIZE.value }) + 2 * EDGE + 2;
}

/** Text shown instead of a missing number, with its reason. */
export const missingText = ({ reason }: { readonly reason: string }) => `– (${reason})`;
