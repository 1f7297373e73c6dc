/** Bar charts: one measure per row, stacked parts per row, and stacked columns. */
import { shownNumber } from "../stats/measure.ts";
import * as Plot from "@observablehq/plot";
import { textWidth } from "./fonts.ts";
import { type Figure, type FigureText, renderPng } from "./frame.ts";
import {
  axisOptions,
  drawableRows,
  GRID,
  type LabelledRow,
  layoutRows,
  type MeasuredRow,
  missingText,
  numbersOf,
  type Reference,
  requireOnAxis,
  rightLabelWidth,
  rowChart,
  type RowsChart,
  whiskers,
} from "./rows.ts";
import { contrastingInk, EDGE, INK, PALETTE, SIZE, WIDTH, writeTick } from "./theme.ts";

/** One bar. */
interface Bar extends MeasuredRow {
  /** Number of answers or items; written next to the value. */
  readonly n?: number;
}

/**
 * Draws horizontal bars with intervals, reference line, value and n.
 *
 * Intervals and reference line are optional. Throws RangeError without rows or for a measure off
 * the axis.
 */
export function barChart({ rows, axis, ...text }: RowsChart<Bar>): Figure {
  requireOnAxis(text.title, rows, axis, ({ measure }) => numbersOf(measure));
  const layout = layoutRows(rows, axis);
  const written = ({ measure, n }: Bar) => {
    if (measure.kind === "unavailable") return missingText(measure);
    const value = shownNumber(measure.estimate, axis.format) +
      (axis.format === "percent" ? " %" : "");
    return n === undefined ? value : `${value} (n = ${shownNumber(n, "count")})`;
  };
  const drawn = drawableRows(layout);
  const bars = Plot.rect(drawn, {
    x1: () => axis.domain[0],
    x2: (bar) => bar.measure.estimate,
    y1: "top",
    y2: "bottom",
    fill: (bar) => bar.row.muted ? INK.muted : PALETTE.sky,
  });
  const right = rightLabelWidth(drawn.map(({ row }) => row), written);
  return rowChart(text, layout, axis, { under: [bars], over: whiskers(drawn), right, written });
}

/** A stacked category. */
interface Part {
  readonly label: string;
  /** Colour as `#rrggbb`. */
  readonly color: string;
}

/** A bar with one amount ≥ 0 per part, in order. */
export interface StackedBar extends LabelledRow {
  readonly amounts: readonly number[];
}

/** Data and text of a stacked bar chart. */
interface StackedBars extends FigureText {
  readonly parts: readonly Part[];
  readonly rows: readonly StackedBar[];
  readonly axisLabel: string;
  /** Scale: `share` fills every bar to 100 %, `count` keeps the amounts. */
  readonly stack: "share" | "count";
  /** Reference line in axis units, for example 0.5 for shares. */
  readonly reference?: Reference;
}

const RIGHT = EDGE + 8;

/**
 * Draws horizontal stacked bars with a legend, and each part's number where it fits.
 *
 * A bar with amounts of 0 stays empty, with a remark. Throws RangeError without rows, or for an
 * invalid amount.
 */
export function stackedBars(chart: StackedBars): Figure {
  const { parts, rows, axisLabel: label, stack, reference, ...text } = chart;
  requireAmounts(text.title, parts, rows);
  const format = stack === "share" ? "percent" : "count";
  const end = stack === "share" ? 1 : Math.max(1, ...rows.map((row) => sum(row.amounts)));
  const axis = { label, format, domain: [0, end], reference } as const;
  const layout = layoutRows(rows, axis);
  const pointsPerUnit = (WIDTH - layout.left - RIGHT) / end;
  const segments = layout.rows.flatMap(({ row: { amounts }, top, middle, bottom }) =>
    stackUp(amounts, stack === "share" ? sum(amounts) : 1).map(({ from, to }, i) => {
      const written = shownNumber(to - from, format);
      const fits = textWidth(written, { size: SIZE.value }) + 4 <= (to - from) * pointsPerUnit;
      const { color: fill } = parts[i]!;
      const place = { from, to, top, middle, bottom, first: i === 0 };
      return { ...place, fill, ink: contrastingInk(fill), text: fits ? written : "" };
    })
  );
  /** Numbers at the outer ends, away from a reference line in the middle. */
  const numbers = (first: boolean) =>
    Plot.text(segments.filter((segment) => segment.first === first), {
      x: first ? "from" : "to",
      y: "middle",
      text: "text",
      dx: first ? 2 : -2,
      textAnchor: first ? "start" : "end",
      fill: "ink",
      fontSize: SIZE.value,
    });
  const empty = layout.rows.filter(({ row }) => sum(row.amounts) === 0);
  const none = { text: () => "– (none)", frameAnchor: "left", dx: 2, y: "middle" } as const;
  const legend = { ...text, legend: parts };
  return rowChart(legend, layout, axis, {
    under: [Plot.rect(segments, { x1: "from", x2: "to", y1: "top", y2: "bottom", fill: "fill" })],
    over: [numbers(true), numbers(false), Plot.text(empty, { ...none, fontSize: SIZE.value })],
    right: RIGHT,
  });
}

/** Returns cumulative ends of the amounts in a unit; empty for a sum of 0. */
function stackUp(amounts: readonly number[], unit: number) {
  let before = 0;
  const ends = amounts.map((amount) => {
    const from = before;
    before += amount;
    return { from: from / unit, to: before / unit };
  });
  return before === 0 ? [] : ends;
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

/** Checks that bars exist and each has one amount ≥ 0 per part. Throws RangeError. */
function requireAmounts(
  title: string,
  parts: readonly Part[],
  rows: readonly StackedBar[],
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

/** Data and text of a stacked column chart. */
interface StackedColumns extends FigureText {
  readonly parts: readonly Part[];
  /** Columns from left to right. Labels are thinned to fit. */
  readonly columns: readonly StackedBar[];
  readonly xLabel: string;
  readonly yLabel: string;
}

const PLOT_HEIGHT = 130;
const FOOT = 22;

/** Draws upright stacked columns for many short labels in natural order, such as chapters. */
export function stackedColumns(chart: StackedColumns): Figure {
  const { parts, columns, xLabel, yLabel, ...text } = chart;
  requireAmounts(text.title, parts, columns);
  const highest = Math.max(1, ...columns.map((column) => sum(column.amounts)));
  const tick = { fontSize: SIZE.tick, tickSize: 0 };
  const left = EDGE + textWidth(writeTick(highest, "count"), { size: SIZE.tick }) + 6;
  const segments = columns.flatMap(({ label, amounts }) =>
    stackUp(amounts, 1).map((ends, i) => ({ ...ends, label, fill: parts[i]!.color }))
  );
  const labels = columns.map((column) => column.label);
  const plot: Plot.PlotOptions = {
    marginTop: 14,
    marginBottom: FOOT,
    marginLeft: left,
    marginRight: EDGE,
    color: { type: "identity" },
    x: { type: "band", domain: labels, padding: 0.15, label: null },
    y: { domain: [0, highest], nice: true, label: null },
    marks: [
      Plot.gridY(GRID),
      Plot.axisY({
        ...tick,
        // At most five steps, and never a fraction of a thing counted.
        ticks: Math.min(5, highest),
        tickFormat: (value: number) => writeTick(value, "count"),
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
        ...axisOptions(FOOT, xLabel),
        ...tick,
        ticks: readableTicks(labels, left),
        tickPadding: 3,
      }),
      Plot.barY(segments, { x: "label", y1: "from", y2: "to", fill: "fill" }),
      Plot.ruleY([0], { strokeWidth: 0.7 }),
    ],
  };
  return renderPng(plot, { ...text, height: PLOT_HEIGHT + FOOT, legend: parts });
}

/** Thins labels to the last of every 2, 5, 10 …, until neighbours no longer touch. */
function readableTicks(labels: readonly string[], left: number): string[] {
  const step = (WIDTH - left - EDGE) / labels.length;
  const room = Math.max(...labels.map((label) => textWidth(label, { size: SIZE.tick }))) + 4;
  const every = [1, 2, 5, 10, 20, 50, 100].find((n) => n * step >= room) ?? labels.length;
  return labels.filter((_, i) => (i + 1) % every === 0);
}
