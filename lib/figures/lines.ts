/** Lines over an axis of amounts. */
import { type Measure } from "../stats/measure.ts";
import * as Plot from "@observablehq/plot";
import type { Figure, FigureText } from "./frame.ts";
import { numbersOf, type ValueAxis } from "./rows.ts";
import { planeChart, planeMarks } from "./scatter.ts";
import { HALO, SERIES } from "./theme.ts";

/** Points that belong together, joined in the order of x. */
export interface Line {
  /** Named in the key. */
  readonly label: string;
  readonly points: readonly { readonly x: number; readonly measure: Measure }[];
}

/** What a line chart shows. */
export interface LineChart extends FigureText {
  /** At most seven. */
  readonly lines: readonly Line[];
  readonly x: ValueAxis;
  readonly y: ValueAxis;
  /** Draws the line on which y equals x, as a reliability diagram needs it. */
  readonly identity?: boolean;
}

const HEIGHT = 130;
/** Dashes by series, so that the chart survives a black-and-white printer. */
const DASHES = [undefined, "4,2", "1.5,1.5", "6,2,1.5,2", "8,3", "3,1", "1,3"] as const;

/**
 * Lines over an axis of amounts, each point with its interval, and a line of no effect. A point that
 * is unavailable is left out, and the line goes on from its neighbours. Throws RangeError without a
 * point, beyond seven lines or for a measure off the axis.
 */
export function lineChart({ lines, x, y, identity = false, ...text }: LineChart): Figure {
  const refuse = (why: string) => new RangeError(`Cannot draw "${text.title}": ${why}.`);
  if (lines.length > SERIES.length) {
    throw refuse(`${lines.length} lines, ${SERIES.length} at most`);
  }
  const drawn = lines.map(({ points }) =>
    points.flatMap(({ x, measure }) => {
      if (measure.kind === "unavailable") return [];
      const [estimate = NaN, low = estimate, high = estimate] = numbersOf(measure);
      return [{ x, estimate, low, high }];
    }).toSorted((a, b) => a.x - b.x)
  );
  if (drawn.flat().length === 0) throw refuse("it has no points");
  const [[left, right], [bottom, top]] = [x.domain, y.domain];
  for (const [i, points] of drawn.entries()) {
    const lost = points.find(({ x, low, high }) =>
      !(x >= left && x <= right && low >= bottom && high <= top)
    );
    if (lost === undefined) continue;
    throw refuse(
      `${lines[i]!.label} at ${lost.x} is ${lost.low} … ${lost.high}, off the axes ` +
        `${left} … ${right} and ${bottom} … ${top}`,
    );
  }
  const marks = drawn.flatMap((points, i) => {
    if (points.length === 0) return [];
    const [stroke, dash] = [SERIES[i]!, DASHES[i]];
    const look = { strokeWidth: 1.2, ...(dash === undefined ? {} : { strokeDasharray: dash }) };
    const dot = { r: 1.9, fill: stroke, stroke: HALO.stroke, strokeWidth: 0.4 };
    return [
      Plot.line(points, { x: "x", y: "estimate", stroke, ...look }),
      Plot.link(points, { x1: "x", x2: "x", y1: "low", y2: "high", stroke, strokeWidth: 0.8 }),
      Plot.dot(points, { x: "x", y: "estimate", ...dot }),
    ];
  });
  const legend = lines.map(({ label }, i) => ({ label, color: SERIES[i]! }));
  const plane = planeMarks({ x, y, identity });
  return planeChart({ ...text, legend }, HEIGHT, { x, y }, [...plane, ...marks]);
}
