import * as Plot from "@observablehq/plot";
import { type Figure, type FigureText, renderPng } from "./frame.ts";
import type { ValueAxis } from "./rows.ts";
import { identityLine } from "./scatter.ts";
import {
  EDGE,
  HALO,
  INK,
  isDrawable,
  type Measure,
  REFERENCE_LINE,
  SERIES,
  SIZE,
  writeTick,
} from "./theme.ts";

/** A point of a line, with or without an interval. */
interface LinePoint {
  readonly x: number;
  readonly measure: Measure;
}

/** Points that belong together, joined in the order of x. */
export interface Line {
  /** Named in the key. */
  readonly label: string;
  readonly points: readonly LinePoint[];
}

/** What a line chart shows. */
export interface LineChart extends FigureText {
  /** At most seven. */
  readonly lines: readonly Line[];
  readonly x: ValueAxis & {
    /** `log` for amounts that double; the domain must then be over 0. */
    readonly scale?: "linear" | "log";
    /** Where ticks stand; five or so by themselves where left out. */
    readonly ticks?: readonly number[];
  };
  readonly y: ValueAxis;
  /** Draws the line on which y equals x, as a reliability diagram needs it. */
  readonly identity?: boolean;
}

const MARGIN = { top: 14, right: EDGE + 8, bottom: 23, left: 24 };
const HEIGHT = 130;

/** Points by which neighbouring lines stand apart, so that their whiskers do not cover each other. */
const APART = 2.2;

interface Drawn {
  readonly line: string;
  readonly color: string;
  readonly dash: string | undefined;
  readonly x: number;
  readonly shift: number;
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/** Dashes by series, so that the chart survives a black-and-white printer. */
const DASHES = [undefined, "4,2", "1.5,1.5", "6,2,1.5,2", "8,3", "3,1", "1,3"] as const;

/**
 * Lines over an axis of amounts, each point with its interval, and a line of no effect. A point that
 * is unavailable is left out, and the line goes on from its neighbours. Throws RangeError without a
 * point, beyond seven lines or for a measure off the axis.
 */
export function lineChart({ lines, x, y, identity = false, ...text }: LineChart): Figure {
  const drawn = lines.map((line, i) => drawnPoints(line, i, lines.length));
  requireLines(text.title, drawn, x.domain, y.domain);
  const plot: Plot.PlotOptions = {
    marginTop: MARGIN.top,
    marginRight: MARGIN.right,
    marginBottom: MARGIN.bottom,
    marginLeft: MARGIN.left,
    x: { type: x.scale ?? "linear", domain: x.domain, label: null },
    y: { domain: y.domain, label: null },
    marks: [
      ...axisMarks(x, y),
      ...(identity ? [identityLine(x, y)] : []),
      ...referenceMarks(y),
      ...drawn.flatMap(lineMarks),
    ],
  };
  const legend = lines.map(({ label }, i) => ({ label, color: SERIES[i]! }));
  return renderPng(plot, { ...text, height: MARGIN.top + HEIGHT + MARGIN.bottom, legend });
}

function drawnPoints({ label, points }: Line, index: number, lines: number): readonly Drawn[] {
  const shift = (index - (lines - 1) / 2) * APART;
  return points.flatMap(({ x, measure }) => {
    if (!isDrawable(measure)) return [];
    const { estimate } = measure;
    const [low, high] = measure.kind === "interval"
      ? [measure.low, measure.high]
      : [estimate, estimate];
    const look = { line: label, color: SERIES[index]!, dash: DASHES[index] };
    return [{ ...look, x, shift, estimate, low, high }];
  }).toSorted((a, b) => a.x - b.x);
}

function axisMarks(x: LineChart["x"], y: ValueAxis): Plot.Markish[] {
  const grid = { stroke: INK.grid, strokeOpacity: 1, strokeWidth: 0.5 };
  const axis = { fontSize: SIZE.tick, tickSize: 3, tickPadding: 2 };
  return [
    Plot.gridY({ ...grid, ticks: 5 }),
    Plot.axisX({
      ...axis,
      ticks: x.ticks ?? 5,
      // No `tickFormat`: on a logarithmic axis it would pass over some of the ticks.
      text: (value: number) => writeTick(value, x.format),
      label: x.label,
      labelAnchor: "center",
      labelArrow: "none",
      labelOffset: MARGIN.bottom - 3,
    }),
    Plot.axisY({
      ...axis,
      ticks: 5,
      tickFormat: (value: number) => writeTick(value, y.format),
      label: null,
    }),
    Plot.text([y.label], {
      frameAnchor: "top-left",
      textAnchor: "start",
      dx: EDGE - MARGIN.left,
      dy: 2 - MARGIN.top,
      fontSize: SIZE.tick,
    }),
  ];
}

function referenceMarks({ reference }: ValueAxis): Plot.Markish[] {
  if (reference === undefined) return [];
  return [
    Plot.ruleY([reference.value], REFERENCE_LINE),
    Plot.text([reference], {
      y: "value",
      frameAnchor: "right",
      text: "label",
      textAnchor: "end",
      dy: -5,
      fill: REFERENCE_LINE.stroke,
      fontSize: SIZE.tick,
    }),
  ];
}

function lineMarks(points: readonly Drawn[]): Plot.Markish[] {
  const [first] = points;
  if (first === undefined) return [];
  const { color: stroke, dash, shift: dx } = first;
  const dashed = dash === undefined ? {} : { strokeDasharray: dash };
  return [
    Plot.line(points, { x: "x", y: "estimate", dx, stroke, strokeWidth: 1.2, ...dashed }),
    Plot.link(points, { x1: "x", x2: "x", y1: "low", y2: "high", dx, stroke, strokeWidth: 0.8 }),
    Plot.dot(points, {
      x: "x",
      y: "estimate",
      dx,
      r: 1.9,
      fill: stroke,
      stroke: HALO.stroke,
      strokeWidth: 0.4,
    }),
  ];
}

function requireLines(
  title: string,
  lines: readonly (readonly Drawn[])[],
  [left, right]: readonly [number, number],
  [bottom, top]: readonly [number, number],
): void {
  if (lines.flat().length === 0) throw new RangeError(`Cannot draw "${title}": it has no points.`);
  if (lines.length > SERIES.length) {
    throw new RangeError(
      `Cannot draw "${title}": ${lines.length} lines, ${SERIES.length} at most.`,
    );
  }
  const lost = lines.flat().find(({ x, low, high }) =>
    !(x >= left && x <= right && low >= bottom && high <= top)
  );
  if (lost === undefined) return;
  throw new RangeError(
    `Cannot draw "${title}": ${lost.line} at ${lost.x} is ${lost.low} … ${lost.high}, off the axes ` +
      `${left} … ${right} and ${bottom} … ${top}.`,
  );
}
