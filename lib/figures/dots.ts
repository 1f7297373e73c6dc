/** Dot plots of estimates with intervals, one or several per row. */
import { type Measure, shown } from "../stats/measure.ts";
import * as Plot from "@observablehq/plot";
import { linesHeight, textWidth, widestLine, wrapText } from "./fonts.ts";
import type { Figure } from "./frame.ts";
import {
  drawableRows,
  firstRowTop,
  GAP,
  type LabelledRow,
  layoutRows,
  type MeasuredRow,
  missingText,
  numbersOf,
  type PlacedRow,
  placeUnderHeadings,
  requireOnAxis,
  rightLabelWidth,
  rowChart,
  type RowLayout,
  type RowsChart,
  type ValueAxis,
  whiskers,
} from "./rows.ts";
import { SHAPES, shapeSvg, svgMark } from "./scatter.ts";
import { EDGE, INK, PALETTE, SERIES, SIZE, WIDTH } from "./theme.ts";

/**
 * Draws a forest plot: one estimate with interval per row, by group, with reference line.
 *
 * Numbers are at the right. Throws RangeError without rows or for a measure off the axis.
 */
export function forestPlot({ rows, axis, ...text }: RowsChart<MeasuredRow>): Figure {
  requireOnAxis(text.title, rows, axis, ({ measure }) => numbersOf(measure));
  const layout = layoutRows(rows, axis);
  const written = ({ measure }: MeasuredRow) =>
    measure.kind !== "unavailable" ? shown(measure, axis.format) : missingText(measure);
  const points = drawableRows(layout);
  const dots = Plot.dot(points, {
    y: "middle",
    r: 2.4,
    x: (point) => point.measure.estimate,
    fill: (point) => point.row.muted ? INK.muted : PALETTE.blue,
  });
  const right = rightLabelWidth(points.map(({ row }) => row), written);
  return rowChart(text, layout, axis, { over: [...whiskers(points), dots], right, written });
}

/** A row with one measure per series. */
interface DotRow extends LabelledRow {
  /** Measures in the order of the series. */
  readonly measures: readonly Measure[];
}

/** A measure of one series in one row. */
interface Dot extends MeasuredRow {
  readonly series: number;
}

/** Height in points of one series with its number: two dashes of a reference line. */
const LINE = 26 / 3;
/** Maximum width of unwrapped labels, as a share of the figure's width. */
const LABEL_SHARE = 0.3;

/**
 * Draws several series' estimates and intervals per row, numbers at the right.
 *
 * A series without a number shows the reason. This replaces a radar chart, whose area depends on
 * the order of its axes and which has no room for intervals.
 *
 * @throws {RangeError} without rows or series, beyond seven series, for a row with another number
 * of measures than series, and for a measure off the axis.
 */
export function dotPlot(
  { series, rows, axis, ...text }: RowsChart<DotRow> & {
    /** Series, at most seven, each with a colour and shape in the key. */
    readonly series: readonly string[];
  },
): Figure {
  const refuse = (why: string) => new RangeError(`Cannot draw "${text.title}": ${why}.`);
  if (series.length < 1 || series.length > SHAPES.length) {
    throw refuse(`it has ${series.length} series; 1 to 7 can be distinguished`);
  }
  const odd = rows.find(({ measures }) => measures.length !== series.length);
  if (odd !== undefined) {
    throw refuse(
      `${odd.label} has ${odd.measures.length} measures of ${series.length} series; ` +
        "say of each why there is none",
    );
  }
  requireOnAxis(text.title, rows, axis, ({ measures }) => measures.flatMap(numbersOf));
  const layout = layoutDots(rows, axis);
  /** Returns the number of a measure. A reason that does not fit is only in the figure's table. */
  const written = ({ measure }: Dot) => {
    if (measure.kind !== "unavailable") return shown(measure, axis.format);
    const missing = missingText(measure);
    const fits = textWidth(missing, { size: SIZE.value }) + 2 * EDGE <= WIDTH - layout.left;
    return fits ? missing : "– (not computed)";
  };
  const points = drawableRows(layout);
  // A mark of our own: Plot's symbols are not those of the key.
  const shapes = svgMark(({ x, y }) =>
    points.map(({ middle, measure, row }) => shapeSvg(x(measure.estimate), y(middle), row.series))
  );
  const right = rightLabelWidth(points.map(({ row }) => row), written);
  const legend = series.map((label, i) => ({ label, color: SERIES[i]!, shape: SHAPES[i]! }));
  const over = [...whiskers(points), shapes];
  return rowChart({ ...text, legend }, layout, axis, { over, right, written });
}

/** Places labels beside the middle of their row's series. */
function layoutDots(rows: readonly DotRow[], axis: ValueAxis): RowLayout<Dot> {
  const style = { size: SIZE.label };
  const labels = new Map(rows.map((row) => [row, wrapText(row.label, LABEL_SHARE * WIDTH, style)]));
  const placed: PlacedRow<Dot>[] = [];
  const { headings, height } = placeUnderHeadings(rows, firstRowTop(axis), (row, y) => {
    const { label, measures } = row;
    const lines = labels.get(row)!;
    const height = Math.max(measures.length * LINE, linesHeight(lines.length, style));
    const first = y + (height - measures.length * LINE) / 2;
    for (const [series, measure] of measures.entries()) {
      const top = first + series * LINE;
      placed.push({
        row: { label, measure, series },
        // The row's label is written once.
        label: series === 0 ? lines.join("\n") : "",
        labelY: y + height / 2,
        top: top + GAP / 2,
        middle: top + LINE / 2,
        bottom: top + LINE - GAP / 2,
      });
    }
    return y + (height + GAP);
  });
  const left = EDGE + widestLine([...labels.values()].flat(), style) + 5;
  return { rows: placed, headings, height, left, labelLeft: EDGE };
}
