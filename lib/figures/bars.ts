import * as Plot from "@observablehq/plot";
import { textWidth } from "./fonts.ts";
import { type Figure, type FigureText, renderPng } from "./frame.ts";
import {
  drawableRows,
  type LabelledRow,
  layoutRows,
  type MeasuredRow,
  missingText,
  type Reference,
  requireRows,
  rightColumn,
  rightRoom,
  type RowLayout,
  rowPlot,
  type ValueAxis,
  whiskers,
} from "./rows.ts";
import {
  EDGE,
  INK,
  inkOn,
  isDrawable,
  PALETTE,
  SIZE,
  WIDTH,
  writeNumber,
  writeTick,
} from "./theme.ts";

/** One bar. */
export interface Bar extends MeasuredRow {
  /** Number of answers or items behind it; written beside the value. */
  readonly n?: number;
  /** Grey: there for comparison, such as a baseline. */
  readonly muted?: boolean;
}

/** What a bar chart shows. */
interface BarChart extends FigureText {
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

/** One kind of thing that is stacked. */
export interface Part {
  readonly label: string;
  /** `#rrggbb`. */
  readonly color: string;
}

/** One bar: as many amounts ≥ 0 as there are parts, in their order. */
export interface StackedBar extends LabelledRow {
  readonly amounts: readonly number[];
}

/** What a chart of stacked bars shows. */
interface StackedBars extends FigureText {
  readonly parts: readonly Part[];
  readonly rows: readonly StackedBar[];
  readonly axisLabel: string;
  /** `share` fills every bar to 100 %; `count` keeps the amounts. */
  readonly stack: "share" | "count";
  /** In the axis' units: 0.5 for one half of the shares. */
  readonly reference?: Reference;
}

const RIGHT = EDGE + 8;
const FORMAT = { share: "percent", count: "count" } as const;

/**
 * Horizontal bars of parts, a key above, each part's number inside where it has room. A bar whose
 * amounts are all 0 stays empty and says so. Throws RangeError for no rows or an amount that does not fit.
 */
export function stackedBars(chart: StackedBars): Figure {
  const { parts, rows, axisLabel, stack, reference, ...text } = chart;
  requireAmounts(chart);
  const layout = layoutRows(rows, reference !== undefined);
  const end = stack === "share" ? 1 : Math.max(1, ...rows.map((row) => sum(row.amounts)));
  const segments = segmentsOf(layout, chart, (WIDTH - layout.left - RIGHT) / end);
  const empty = layout.rows.filter(({ row }) => sum(row.amounts) === 0);
  const none = { text: () => "– (none)", frameAnchor: "left", dx: 2, y: "middle" } as const;
  const axis = { label: axisLabel, format: FORMAT[stack], domain: [0, end], reference } as const;
  const { plot, height } = rowPlot(layout, axis, RIGHT, {
    under: [Plot.rect(segments, { x1: "from", x2: "to", y1: "top", y2: "bottom", fill: "fill" })],
    over: [
      // At the outer ends, clear of a reference line in the middle.
      numbers(segments.filter((segment) => segment.first), "from", "start"),
      numbers(segments.filter((segment) => !segment.first), "to", "end"),
      Plot.text(empty, { ...none, fontSize: SIZE.value }),
    ],
  });
  return renderPng({ ...plot, color: { type: "identity" } }, { ...text, height, legend: parts });
}

/** Every part of every bar, with its number where it has room. */
function segmentsOf(
  { rows }: RowLayout<StackedBar>,
  { parts, stack }: StackedBars,
  pointsPerUnit: number,
) {
  return rows.flatMap(({ row, top, middle, bottom }) =>
    stackUp(row.amounts, stack).map(({ from, to }, i) => ({
      from,
      to,
      first: i === 0,
      top,
      middle,
      bottom,
      fill: parts[i]!.color,
      ink: inkOn(parts[i]!.color),
      text: fitting(writeNumber(to - from, FORMAT[stack]), (to - from) * pointsPerUnit),
    }))
  );
}

/** The numbers of segments, at their starts or at their ends. */
function numbers<Segment>(
  segments: readonly Segment[],
  x: "from" | "to",
  textAnchor: "start" | "end",
) {
  const dx = textAnchor === "start" ? 2 : -2;
  const place = { x, y: "middle", text: "text", textAnchor, dx };
  return Plot.text(segments, { ...place, fill: "ink", fontSize: SIZE.value });
}

/** Running ends of the amounts, as shares of their sum where wanted; nothing for a sum of 0. */
function stackUp(
  amounts: readonly number[],
  stack: "share" | "count",
): { readonly from: number; readonly to: number }[] {
  const total = sum(amounts);
  if (total === 0) return [];
  const unit = stack === "share" ? total : 1;
  let before = 0;
  return amounts.map((amount) => {
    const from = before;
    before += amount;
    return { from: from / unit, to: before / unit };
  });
}

function fitting(text: string, room: number): string {
  return textWidth(text, { size: SIZE.value }) + 4 <= room ? text : "";
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

/** Throws RangeError unless there are bars and each has one finite amount ≥ 0 for every part. */
function requireAmounts(
  { title, parts, rows }: Pick<StackedBars, "title" | "parts" | "rows">,
): void {
  if (rows.length === 0) throw new RangeError(`Cannot draw "${title}": it has no bars.`);
  for (const { label, amounts } of rows) {
    if (amounts.length !== parts.length || amounts.some((a) => !(a >= 0 && Number.isFinite(a)))) {
      throw new RangeError(
        `Cannot draw "${title}": ${label} has the amounts ${amounts.join(", ")} for ` +
          `${parts.length} parts.`,
      );
    }
  }
}

/** What a chart of stacked columns shows. */
interface StackedColumns extends FigureText {
  readonly parts: readonly Part[];
  /** From left to right; their labels are written as far as there is room. */
  readonly columns: readonly StackedBar[];
  readonly xLabel: string;
  readonly yLabel: string;
}

const PLOT_HEIGHT = 130;
const FOOT = 22;

/** Upright columns of counted parts, for many short labels in a natural order, such as chapters. */
export function stackedColumns(chart: StackedColumns): Figure {
  const { parts, columns, xLabel, yLabel, ...text } = chart;
  requireAmounts({ title: text.title, parts, rows: columns });
  const highest = Math.max(
    1,
    ...columns.map((column) => column.amounts.reduce((a, b) => a + b, 0)),
  );
  const left = EDGE + textWidth(writeTick(highest, "count"), { size: SIZE.tick }) + 6;
  const segments = columns.flatMap((column) =>
    stackUp(column.amounts, "count").map((ends, i) => ({
      ...ends,
      label: column.label,
      fill: parts[i]!.color,
    }))
  );
  const plot: Plot.PlotOptions = {
    marginTop: 14,
    marginBottom: FOOT,
    marginLeft: left,
    marginRight: EDGE,
    color: { type: "identity" },
    x: { type: "band", domain: columns.map((column) => column.label), padding: 0.15, label: null },
    y: { domain: [0, highest], nice: true, label: null },
    marks: [
      Plot.gridY({ ticks: 5, stroke: INK.grid, strokeOpacity: 1, strokeWidth: 0.5 }),
      Plot.axisY({
        ticks: wholeTicks(highest),
        tickFormat: (value: number) => writeTick(value, "count"),
        fontSize: SIZE.tick,
        tickSize: 0,
        tickPadding: 2,
        label: null,
      }),
      Plot.text([yLabel], {
        frameAnchor: "top-left",
        dx: EDGE - left,
        dy: -12,
        fontSize: SIZE.tick,
      }),
      Plot.axisX({
        ticks: readableTicks(columns.map((column) => column.label), left),
        fontSize: SIZE.tick,
        tickSize: 0,
        tickPadding: 3,
        label: xLabel,
        labelAnchor: "center",
        labelArrow: "none",
        labelOffset: FOOT - 3,
      }),
      Plot.barY(segments, { x: "label", y1: "from", y2: "to", fill: "fill" }),
      Plot.ruleY([0], { strokeWidth: 0.7 }),
    ],
  };
  return renderPng(plot, { ...text, height: PLOT_HEIGHT + FOOT, legend: parts });
}

/** At most five steps, and never a fraction of a thing counted. */
function wholeTicks(highest: number): number {
  return Math.min(5, highest);
}

/** Every label, or the last of every 2, 5, 10 …, until neighbours no longer touch. */
function readableTicks(labels: readonly string[], left: number): string[] {
  const step = (WIDTH - left - EDGE) / labels.length;
  const room = Math.max(...labels.map((label) => textWidth(label, { size: SIZE.tick }))) + 4;
  const every = [1, 2, 5, 10, 20, 50, 100].find((n) => n * step >= room) ?? labels.length;
  return labels.filter((_, i) => (i + 1) % every === 0);
}
