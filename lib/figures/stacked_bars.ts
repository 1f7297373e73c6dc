import * as Plot from "@observablehq/plot";
import { textWidth } from "./fonts.ts";
import { writeNumber } from "./measure.ts";
import { type Figure, type FigureText, renderPng } from "./render.ts";
import { inkOn } from "./contrast.ts";
import type { Reference } from "./axis.ts";
import { rowPlot } from "./row_plot.ts";
import { type LabelledRow, layoutRows, type RowLayout } from "./rows.ts";
import { EDGE, SIZE, WIDTH } from "./theme.ts";

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
export interface StackedBars extends FigureText {
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
export function stackUp(
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
export function requireAmounts(
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
