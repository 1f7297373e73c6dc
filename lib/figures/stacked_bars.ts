import * as Plot from "@observablehq/plot";
import { textWidth } from "./fonts.ts";
import { type NumberFormat, writeNumber } from "./measure.ts";
import { type Figure, type FigureText, renderPng } from "./render.ts";
import { inkOn } from "./contrast.ts";
import { type LabelledRow, layoutRows, type Reference, rowPlot } from "./rows.ts";
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

/**
 * Horizontal bars of parts, a key above, each part's number inside where it has room. A bar whose
 * amounts are all 0 stays empty and says so. Throws RangeError for no rows or an amount that does not fit.
 */
export function stackedBars(chart: StackedBars): Figure {
  const { parts, rows, axisLabel, stack, reference, ...text } = chart;
  requireAmounts(chart);
  const layout = layoutRows(rows, reference);
  const format: NumberFormat = stack === "share" ? "percent" : "count";
  const end = stack === "share" ? 1 : Math.max(1, ...rows.map((row) => sum(row.amounts)));
  const right = EDGE + 8;
  const pointsPerUnit = (WIDTH - layout.left - right) / end;
  const segments = layout.rows.flatMap(({ row, top, middle, bottom }) =>
    stackUp(row.amounts, stack).map(({ from, to }, i) => ({
      from,
      to,
      first: i === 0,
      top,
      middle,
      bottom,
      fill: parts[i]!.color,
      ink: inkOn(parts[i]!.color),
      text: fitting(writeNumber(to - from, format), (to - from) * pointsPerUnit),
    }))
  );
  const empty = layout.rows.filter(({ row }) => sum(row.amounts) === 0);
  const axis = { label: axisLabel, format, domain: [0, end], reference } as const;
  const { plot, height } = rowPlot(layout, axis, right, {
    under: [
      Plot.rect(segments, { x1: "from", x2: "to", y1: "top", y2: "bottom", fill: "fill" }),
    ],
    over: [
      // At the outer ends, clear of a reference line in the middle.
      numbers(segments.filter((segment) => segment.first), "from", "start"),
      numbers(segments.filter((segment) => !segment.first), "to", "end"),
      Plot.text(empty, {
        frameAnchor: "left",
        dx: 2,
        y: "middle",
        text: () => "– (none)",
        fontSize: SIZE.value,
      }),
    ],
  });
  return renderPng({ ...plot, color: { type: "identity" } }, { ...text, height, legend: parts });
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
