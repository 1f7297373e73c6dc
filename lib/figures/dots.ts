import * as Plot from "@observablehq/plot";
import { median } from "simple-statistics";
import { linesHeight, type TextStyle, textWidth, widest, wrapText } from "./fonts.ts";
import { type Figure, type FigureText, renderPng } from "./frame.ts";
import {
  type DrawableRow,
  drawableRows,
  GAP,
  HEAD,
  type LabelledRow,
  layoutRows,
  type MeasuredRow,
  missingText,
  type PlacedRow,
  requireRows,
  rightColumn,
  rightRoom,
  type RowLayout,
  rowPlot,
  type ValueAxis,
  whiskers,
} from "./rows.ts";
import { SHAPES } from "./scatter.ts";
import {
  EDGE,
  INK,
  isDrawable,
  type Measure,
  PALETTE,
  SERIES,
  SIZE,
  WIDTH,
  writeEstimate,
  writeNumber,
} from "./theme.ts";

/** One measure of every series. */
interface DotRow {
  readonly label: string;
  /** Rows of one group stand together under its name. */
  readonly group?: string;
  /** One a series, in their order. */
  readonly measures: readonly Measure[];
}

/** What a dot plot shows. */
interface DotPlot extends FigureText {
  /** At most seven: a colour and a shape each, named in the key. */
  readonly series: readonly string[];
  readonly rows: readonly DotRow[];
  readonly axis: ValueAxis;
}

/** One series of one row. */
interface Dot extends MeasuredRow {
  readonly series: number;
}

const LABEL: TextStyle = { size: SIZE.label };
const HEADING: TextStyle = { size: SIZE.label, weight: "bold" };

/** Of one series, its number included; two dashes of a reference line. */
const LINE = 26 / 3;

/** Labels wider than this share of the figure are wrapped. */
const LABEL_SHARE = 0.3;

/**
 * Several series' estimates and intervals under one another in each row, with the numbers at the
 * right; a series without a number shows why. It stands in for a radar, whose area depends on the
 * order of its axes and which has no room for intervals.
 *
 * @throws {RangeError} without rows or series, beyond seven series, for a row with another number of
 * measures than series, and for a measure off the axis.
 */
export function dotPlot({ series, rows, axis, ...text }: DotPlot): Figure {
  requireSeries(text.title, series, rows);
  const dots = rows.flatMap(dotsOf);
  requireRows(text.title, dots, axis);
  const layout = layoutDots(rows, axis.reference !== undefined);
  const written = ({ measure }: Dot) => measureText(measure, axis, WIDTH - layout.left);
  const right = rightRoom(dots, written);
  const points = drawableRows(layout);
  const { plot, height } = rowPlot(layout, axis, right, {
    over: [...whiskers(points), shapesOf(points), rightColumn(layout.rows, right, written)],
  });
  const legend = series.map((label, index) => ({
    ...{ label, color: SERIES[index]!, shape: SHAPES[index]! },
  }));
  return renderPng(plot, { ...text, height, legend });
}

function dotsOf({ label, measures }: DotRow): readonly Dot[] {
  return measures.map((measure, series) => ({ label, measure, series }));
}

/** Labels beside the middle of their row's series. */
function layoutDots(rows: readonly DotRow[], hasReference: boolean): RowLayout<Dot> {
  const most = LABEL_SHARE * WIDTH;
  const labels = rows.map(({ label }) => wrapText(label, most, LABEL));
  const placed: PlacedRow<Dot>[] = [];
  const headings: { text: string; y: number }[] = [];
  let y = hasReference ? HEAD : 2;
  for (const [index, row] of rows.entries()) {
    if (row.group !== undefined && row.group !== rows[index - 1]?.group) {
      const height = linesHeight(1, HEADING);
      if (index > 0) y += GAP;
      headings.push({ text: row.group, y: y + height / 2 });
      y += height + 2;
    }
    const lines = labels[index]!;
    const height = Math.max(row.measures.length * LINE, linesHeight(lines.length, LABEL));
    placed.push(...placeDots(row, lines.join("\n"), y, height));
    y += height + GAP;
  }
  const left = EDGE + widest(labels.flat(), LABEL) + 5;
  return { rows: placed, headings, height: y, left, labelLeft: EDGE };
}

function placeDots(
  row: DotRow,
  label: string,
  y: number,
  height: number,
): readonly PlacedRow<Dot>[] {
  const first = y + (height - row.measures.length * LINE) / 2;
  return dotsOf(row).map((dot, index) => {
    const top = first + index * LINE;
    return {
      row: dot,
      // The row's label is written once.
      label: index === 0 ? label : "",
      labelY: y + height / 2,
      top: top + GAP / 2,
      middle: top + LINE / 2,
      bottom: top + LINE - GAP / 2,
    };
  });
}

/** A mark of our own: Plot's symbols are not those of the key. */
function shapesOf(points: readonly DrawableRow<Dot>[]): Plot.Markish {
  return (_index, scales, _values, _dimensions, context) => {
    const group = context.document.createElementNS("http://www.w3.org/2000/svg", "g");
    // Closed with end tags: linkedom reads innerHTML as HTML, where `<path/>` would stay open.
    group.innerHTML = points.map(({ middle, measure, row }) => {
      const [x, y] = [Number(scales.x!(measure.estimate)), Number(scales.y!(middle))];
      return `<path transform="translate(${x},${y})" d="${SHAPES[row.series]}" ` +
        `fill="${SERIES[row.series]}"></path>`;
    }).join("");
    return group;
  };
}

/** A reason that has no room stays in the table beside the figure. */
function measureText(measure: Measure, { format }: ValueAxis, room: number): string {
  if (isDrawable(measure)) return writeEstimate(measure, format);
  const missing = missingText(measure);
  return textWidth(missing, { size: SIZE.value }) + 2 * EDGE <= room ? missing : "– (not computed)";
}

function requireSeries(
  title: string,
  series: readonly string[],
  rows: readonly DotRow[],
): void {
  if (series.length < 1 || series.length > SHAPES.length) {
    throw new RangeError(
      `Cannot draw "${title}": it has ${series.length} series; 1 to 7 can be told apart.`,
    );
  }
  const odd = rows.find(({ measures }) => measures.length !== series.length);
  if (odd === undefined) return;
  throw new RangeError(
    `Cannot draw "${title}": ${odd.label} has ${odd.measures.length} measures of ` +
      `${series.length} series; say of each why there is none.`,
  );
}

/** What a forest plot shows. */
interface ForestPlot extends FigureText {
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

/** A row that shows every value of a sample. */
interface StripRow extends LabelledRow {
  readonly values: readonly number[];
  /** Of its strokes, `#rrggbb`. */
  readonly color: string;
}

/** What a strip plot shows. */
interface StripPlot extends FigureText {
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
