/** Charts with two value axes: labelled points, and lines. */
import { type Measure } from "../stats/measure.ts";
import * as Plot from "@observablehq/plot";
import { escapeXml, textWidth } from "./fonts.ts";
import { type Figure, type FigureText, renderPng } from "./frame.ts";
import { axisOptions, GRID, numbersOf, type ValueAxis } from "./rows.ts";
import { EDGE, HALO, INK, REFERENCE_LINE, SERIES, SIZE, WIDTH, writeTick } from "./theme.ts";

/** One point. */
export interface ScatterPoint {
  readonly x: number;
  readonly y: number;
  /** Short name written next to the point. */
  readonly label: string;
  /** Series of the point, with colour and shape in the legend. At most seven. */
  readonly series: string;
  /** Intervals on both axes, drawn as a cross. */
  readonly intervals?: Readonly<Record<"x" | "y", readonly [low: number, high: number]>>;
}

/** Data and text of a scatter chart. */
interface ScatterChart extends FigureText {
  readonly points: readonly ScatterPoint[];
  readonly x: ValueAxis;
  readonly y: ValueAxis;
  /** True to draw the diagonal x = y. */
  readonly identity?: boolean;
  /** Name of the other diagonal, e.g. `preference alone`. It is drawn if named. */
  readonly opposite?: string;
}

/** Shapes by series, distinguishable in black and white: SVG paths centred on 0,0. */
export const SHAPES = [
  "M-2.7,0A2.7,2.7,0,1,1,2.7,0A2.7,2.7,0,1,1,-2.7,0Z",
  "M-2.5,-2.5H2.5V2.5H-2.5Z",
  "M0,-3.3L3.1,2.3H-3.1Z",
  "M0,-3.5L3.5,0L0,3.5L-3.5,0Z",
  "M0,3.3L3.1,-2.3H-3.1Z",
  "M-1,-3H1V-1H3V1H1V3H-1V1H-3V-1H-1Z",
  "M0,-3.4L1,-1.1L3.3,-1L1.5,0.5L2.1,2.9L0,1.5L-2.1,2.9L-1.5,0.5L-3.3,-1L-1,-1.1Z",
] as const;

/**
 * Draws labelled points in a square with reference lines on both axes.
 *
 * Labels do not overlap; the diagonal is optional. Throws RangeError without points, with more than
 * seven series, or for a point off the axes.
 */
export function scatterChart(
  { points, x, y, identity = false, opposite, ...text }: ScatterChart,
): Figure {
  const refuse = (why: string) => new RangeError(`Cannot draw "${text.title}": ${why}.`);
  const series = [...new Set(points.map((point) => point.series))];
  if (points.length === 0) throw refuse("it has no points");
  if (series.length > SHAPES.length) {
    throw refuse(`${series.length} series; 7 can be distinguished`);
  }
  const within = (value: number, { domain }: ValueAxis) => value >= domain[0] && value <= domain[1];
  const lost = points.find((point) => !within(point.x, x) || !within(point.y, y));
  if (lost !== undefined) {
    throw refuse(`${lost.series}, ${lost.label} (${lost.x}, ${lost.y}) is off the axes`);
  }
  // A mark of our own, for names can only be set clear of each other once positions are known.
  const named = svgMark((at, bounds) => {
    const placed = points.map(({ x, y, label, series: own }) => (
      { x: at.x(x), y: at.y(y), label, shape: series.indexOf(own) }
    ));
    const labels = placeLabels(placed, bounds, SIZE.value);
    const crosses = points.flatMap(({ intervals }, i) => {
      if (intervals === undefined) return [];
      const { x, y, shape } = placed[i]!;
      const [[left, right], [low, high]] = [intervals.x.map(at.x), intervals.y.map(at.y)] as const;
      return `<path d="M${left},${y}H${right}M${x},${low}V${high}" stroke="${SERIES[shape]}" ` +
        `stroke-width="0.6" fill="none" opacity="0.6"></path>`;
    });
    return [
      ...crosses,
      ...placed.map((point, i) => leaderSvg(point, labels[i]!)),
      ...placed.map(({ x, y, shape }) => shapeSvg(x, y, shape)),
      ...placed.map(({ label }, i) => nameSvg(label, labels[i]!)),
    ];
  });
  const side = WIDTH - MARGIN.left - MARGIN.right;
  const keys = series.map((label, i) => ({ label, color: SERIES[i]!, shape: SHAPES[i]! }));
  // One series needs no key.
  const legend = keys.length > 1 ? keys : [];
  const marks = [
    Plot.gridX(GRID),
    ...planeMarks({ x, y, identity }),
    ...(opposite === undefined ? [] : oppositeMarks(x, y, opposite)),
    named,
  ];
  return planeChart({ ...text, legend }, side, { x, y }, marks);
}

/** Draws the diagonal from top left to bottom right, with its name at the top. */
function oppositeMarks(x: ValueAxis, y: ValueAxis, label: string): Plot.Markish[] {
  const ends = [[x.domain[0], y.domain[1]], [x.domain[1], y.domain[0]]] as const;
  return [
    Plot.line(ends, { stroke: INK.muted, strokeWidth: 0.9 }),
    Plot.text([ends[0]], {
      text: () => label,
      ...{ textAnchor: "start", dx: 14, dy: 7, fontSize: SIZE.tick, ...HALO } as const,
      fill: INK.faint,
    }),
  ];
}

/** Margins of a plot with two axes, in points. */
const MARGIN = { top: 14, right: EDGE + 8, bottom: 23, left: 24 };

/** Draws a chart with two value axes, `height` points high. */
function planeChart(
  text: Omit<Parameters<typeof renderPng>[1], "height">,
  height: number,
  { x, y }: { readonly x: ValueAxis; readonly y: ValueAxis },
  marks: Plot.Markish[],
): Figure {
  const { top, right, bottom, left } = MARGIN;
  const plot: Plot.PlotOptions = {
    marginTop: top,
    marginRight: right,
    marginBottom: bottom,
    marginLeft: left,
    marks,
    x: { type: "linear", domain: x.domain, label: null },
    y: { domain: y.domain, label: null },
  };
  return renderPng(plot, { ...text, height: top + height + bottom });
}

/** Returns grid, axes, the optional line x = y and the reference lines. */
function planeMarks({ x, y, identity }: {
  readonly x: ValueAxis;
  readonly y: ValueAxis;
  readonly identity: boolean;
}): Plot.Markish[] {
  const ends = [Math.max(x.domain[0], y.domain[0]), Math.min(x.domain[1], y.domain[1])];
  const same = (v: number) => v;
  const name = { text: "label", fill: REFERENCE_LINE.stroke, fontSize: SIZE.tick };
  return [
    Plot.gridY(GRID),
    Plot.axisX({
      ...axisOptions(MARGIN.bottom, x.label),
      ticks: 5,
      text: (value: number) => writeTick(value, x.format),
    }),
    Plot.axisY({
      ticks: 5,
      fontSize: SIZE.tick,
      tickSize: 3,
      tickPadding: 2,
      label: null,
      tickFormat: (value: number) => writeTick(value, y.format),
    }),
    Plot.text([y.label], {
      frameAnchor: "top-left",
      dx: EDGE - MARGIN.left,
      dy: 2 - MARGIN.top,
      fontSize: SIZE.tick,
    }),
    ...(identity
      ? [Plot.line(ends, { x: same, y: same, stroke: INK.muted, strokeWidth: 0.9 })]
      : []),
    ...(x.reference === undefined ? [] : [
      Plot.ruleX([x.reference.value], REFERENCE_LINE),
      Plot.text([x.reference], {
        x: "value",
        frameAnchor: "bottom",
        textAnchor: "start",
        dx: 3,
        dy: -4,
        ...name,
      }),
    ]),
    ...(y.reference === undefined ? [] : [
      Plot.ruleY([y.reference.value], REFERENCE_LINE),
      // One name is enough where both lines mean the same.
      Plot.text(y.reference.label === x.reference?.label ? [] : [y.reference], {
        y: "value",
        frameAnchor: "right",
        textAnchor: "end",
        dy: -5,
        ...name,
      }),
    ]),
  ];
}

/** A series of points, joined in the order of x. */
export interface LineSeries {
  /** Name in the key. */
  readonly label: string;
  readonly points: readonly { readonly x: number; readonly measure: Measure }[];
}

/** Data and text of a line chart. */
export interface LineChart extends FigureText {
  /** Lines, at most seven. */
  readonly lines: readonly LineSeries[];
  readonly x: ValueAxis;
  readonly y: ValueAxis;
  /** True to draw the line y = x, for reliability diagrams. */
  readonly identity?: boolean;
}

const LINES_HEIGHT = 130;
/** Dash patterns by series, distinguishable in black and white. */
const DASHES = [undefined, "4,2", "1.5,1.5", "6,2,1.5,2", "8,3", "3,1", "1,3"] as const;

/**
 * Draws lines with intervals and a reference line.
 *
 * Unavailable points are left out; the line connects their neighbours. Throws RangeError without a
 * point, with more than seven lines, or for a measure off the axis.
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
  return planeChart({ ...text, legend }, LINES_HEIGHT, { x, y }, [...plane, ...marks]);
}

/** Converts an axis value to a coordinate. */
type AxisScale = (value: number) => number;

/** Makes a mark of SVG elements, which is drawn when scales and bounds are known. */
export function svgMark(
  draw: (at: { readonly x: AxisScale; readonly y: AxisScale }, bounds: Box) => readonly string[],
): Plot.Markish {
  return (_index, scales, _values, dimensions, context) => {
    const { width, height, marginTop, marginRight, marginBottom, marginLeft } = dimensions;
    const group = context.document.createElementNS("http://www.w3.org/2000/svg", "g");
    const at = { x: (v: number) => Number(scales.x!(v)), y: (v: number) => Number(scales.y!(v)) };
    const [right, bottom] = [width - marginRight, height - marginBottom];
    const bounds = { left: marginLeft, right, top: marginTop, bottom };
    // Closed with end tags: linkedom reads innerHTML as HTML, where `<path/>` would stay open.
    group.innerHTML = draw(at, bounds).join("");
    return group;
  };
}

/** Returns the shape of a series in its colour. */
export function shapeSvg(x: number, y: number, series: number): string {
  return `<path transform="translate(${x},${y})" d="${SHAPES[series]}" ` +
    `fill="${SERIES[series]}"></path>`;
}

function leaderSvg(point: { readonly x: number; readonly y: number }, label: PlacedLabel): string {
  if (!label.needsLeader) return "";
  // To the nearest place on the name's middle line: names are written over it, on their own paper.
  const end = Math.max(label.x - label.width / 2, Math.min(label.x + label.width / 2, point.x));
  return `<path d="M${point.x},${point.y}L${end},${label.y}" stroke="${INK.faint}" ` +
    `stroke-width="0.4"></path>`;
}

function nameSvg(name: string, { x, y }: PlacedLabel): string {
  return `<text x="${x}" y="${y + SIZE.value * 0.36}" font-size="${SIZE.value}" ` +
    `text-anchor="middle" paint-order="stroke" stroke="${HALO.stroke}" stroke-width="1.5" ` +
    `stroke-linejoin="round">${escapeXml(name)}</text>`;
}

/** A point with a label; all lengths in points. */
interface NamedPoint {
  readonly x: number;
  readonly y: number;
  readonly label: string;
}

/** A rectangle by its edges. */
interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Position of a label: its centre, and whether a line leads to its point. */
interface PlacedLabel {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly needsLeader: boolean;
}

/** Minimum distance between a point and other labels. */
const POINT_RADIUS = 3.5;
/** Distances to try, nearest first. */
const DISTANCES = [1.5, 5, 9, 14, 20, 27, 35, 44];
/** Directions to try at each distance: right, left, above, below, then diagonals. */
const DIRECTIONS = [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [1, 1], [-1, -1], [-1, 1]] as const;

/**
 * Places each label, in order, at the nearest free position within the bounds.
 *
 * A free position overlaps no point and no earlier label. If there is none, the position with the
 * least overlap is used.
 */
export function placeLabels(points: readonly NamedPoint[], bounds: Box, size: number) {
  const around = 2 * POINT_RADIUS;
  const taken = points.map(({ x, y }) => boxAround(x, y, around, around));
  return points.map((point): PlacedLabel => {
    const width = textWidth(point.label, { size });
    let best: { readonly box: Box; readonly cost: number } | undefined;
    for (const box of candidates(point, width, size * 1.1)) {
      const cost = taken.reduce((sum, other) => sum + overlap(box, other), outside(box, bounds));
      if (best === undefined || cost < best.cost) best = { box, cost };
      if (cost === 0) break;
    }
    const { box } = best!;
    taken.push(box);
    // A line where the name is far from its point, or about as near to another one.
    const own = gap(box, point);
    const others = points.filter((other) => other !== point).map((other) => gap(box, other));
    const needsLeader = own > POINT_RADIUS + DISTANCES[0]! + 1 || Math.min(...others) < 1.5 * own;
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    return { x, y, width, needsLeader };
  });
}

/** Returns the distance from a point to a box; 0 inside. */
function gap(box: Box, { x, y }: NamedPoint): number {
  const dx = Math.max(box.left - x, 0, x - box.right);
  const dy = Math.max(box.top - y, 0, y - box.bottom);
  return Math.hypot(dx, dy);
}

function* candidates(point: NamedPoint, width: number, height: number) {
  for (const distance of DISTANCES) {
    for (const [dx, dy] of DIRECTIONS) {
      // On a diagonal the name's corner, not its middle, is to be that far away.
      const reach = (POINT_RADIUS + distance) * (dx !== 0 && dy !== 0 ? Math.SQRT1_2 : 1);
      const x = point.x + dx * (reach + width / 2);
      yield boxAround(x, point.y + dy * (reach + height / 2), width, height);
    }
  }
}

function boxAround(x: number, y: number, width: number, height: number): Box {
  return { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
}

/** Returns the area common to two boxes. */
function overlap(a: Box, b: Box): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

/** Returns the weighted area outside the bounds. A cut label is worse than an overlapping one. */
function outside(box: Box, bounds: Box): number {
  const beyond = Math.max(0, bounds.left - box.left) + Math.max(0, box.right - bounds.right) +
    Math.max(0, bounds.top - box.top) + Math.max(0, box.bottom - bounds.bottom);
  return 1000 * beyond;
}
