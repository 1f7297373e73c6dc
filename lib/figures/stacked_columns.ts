import * as Plot from "@observablehq/plot";
import { textWidth } from "./fonts.ts";
import { writeTick } from "./measure.ts";
import { type Figure, type FigureText, renderPng } from "./render.ts";
import { type Part, requireAmounts, type StackedBar, stackUp } from "./stacked_bars.ts";
import { EDGE, INK, SIZE, WIDTH } from "./theme.ts";

/** What a chart of stacked columns shows. */
export interface StackedColumns extends FigureText {
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
