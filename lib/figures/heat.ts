/** Heat maps: a value in each cell, coloured by a scale or by the side of an edge. */
import * as Plot from "@observablehq/plot";
import { escapeXml, linesHeight, type TextStyle, widest, wrapText } from "./fonts.ts";
import { type Figure, type FigureText, type LegendEntry, renderPng } from "./frame.ts";
import {
  EDGE,
  INK,
  inkOn,
  isDrawable,
  LINE_HEIGHT,
  type Measure,
  type NumberFormat,
  SIZE,
  WIDTH,
  writeNumber,
  writeTick,
} from "./theme.ts";

/** How values become colours. */
export interface HeatScale {
  readonly domain: readonly [number, number];
  /** The value of no effect, drawn in the palest colour of a two-sided scale; one-sided without. */
  readonly centre?: number;
}

/** Two colours, for values of which only the side of an edge matters. */
export interface HeatClasses {
  /** Values up to this one, itself included, are pale, those above it dark. */
  readonly edge: number;
  /** What it means to be at or below the edge, and above it. */
  readonly meanings: readonly [string, string];
}

/** What a heat map shows. */
interface Heatmap extends FigureText {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** A measure for each row and column, `cells[row][column]`. */
  readonly cells: readonly (readonly Measure[])[];
  readonly scale: HeatScale | HeatClasses;
  readonly format: NumberFormat;
  /** What the colours mean, e.g. `Accuracy (%)`. */
  readonly scaleLabel: string;
}

/** In points. */
const CELL_HEIGHT = 18;
const LABEL: TextStyle = { size: SIZE.label };
/** Row labels wider than this share of the figure go above their cells. */
const MOST_BESIDE = 0.33;

/** The pattern of a cell without a value. */
const HATCH_DEFS = `<pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse" ` +
  `patternTransform="rotate(45)"><rect width="4" height="4" fill="${INK.paper}"/>` +
  `<rect width="1" height="4" fill="${INK.grid}"/></pattern>`;

/**
 * Rows × columns with each value written in its cell; a cell without one is hatched and holds a
 * dash. Throws RangeError if it is empty or if the cells do not fit the rows and columns.
 */
export function heatmap(map: Heatmap): Figure {
  const { rows, columns, cells, scale, format, scaleLabel, ...text } = map;
  requireShape(map);
  const beside = widest(rows, LABEL);
  const above = beside > MOST_BESIDE * WIDTH;
  const left = above ? EDGE : EDGE + beside + 5;
  const cellWidth = (WIDTH - EDGE - left) / columns.length;
  const headings = columns.map((column) => wrapText(column, cellWidth - 2, LABEL));
  const headHeight = linesHeight(Math.max(...headings.map((lines) => lines.length)), LABEL) +
    (above ? 5 : 3);
  const labels: { label: string; y: number }[] = [];
  const drawn: { x: number; y: number; fill: string; ink: string; text: string }[] = [];
  const colour = "edge" in scale ? classColours(scale) : heatColours(scale);
  let y = headHeight;
  for (const [r, label] of rows.entries()) {
    const lines = above ? wrapText(label, WIDTH - 2 * EDGE, LABEL) : [label];
    const labelHeight = above ? linesHeight(lines.length, LABEL) + 2 : 0;
    const top = y + labelHeight;
    const labelY = above ? top - labelHeight / 2 : top + CELL_HEIGHT / 2;
    labels.push({ label: lines.join("\n"), y: labelY });
    for (const [c, measure] of cells[r]!.entries()) {
      const place = { x: left + c * cellWidth, y: top };
      if (!isDrawable(measure)) {
        drawn.push({ ...place, fill: "url(#hatch)", ink: "#000000", text: "–" });
        continue;
      }
      const fill = colour(measure.estimate);
      const written = writeNumber(measure.estimate, format);
      drawn.push({ ...place, fill, ink: inkOn(fill), text: written });
    }
    y = top + CELL_HEIGHT + (above ? 3 : 0);
  }
  const height = y + 2;
  const setting = { fontSize: SIZE.label, lineHeight: LINE_HEIGHT };
  const atLeft = { x: () => EDGE, y: "y", textAnchor: "start", ...setting } as const;
  const plot: Plot.PlotOptions = {
    margin: 0,
    x: { type: "linear", domain: [0, WIDTH], range: [0, WIDTH], axis: null },
    y: { type: "linear", domain: [0, height], range: [0, height], axis: null },
    color: { type: "identity" },
    marks: [
      Plot.rect(drawn, {
        x1: (cell) => cell.x + 0.5,
        x2: (cell) => cell.x + cellWidth - 0.5,
        y1: (cell) => cell.y + 0.5,
        y2: (cell) => cell.y + CELL_HEIGHT - 0.5,
        fill: "fill",
      }),
      Plot.text(drawn, {
        x: (cell) => cell.x + cellWidth / 2,
        y: (cell) => cell.y + CELL_HEIGHT / 2,
        ...{ text: "text", fill: "ink", fontSize: SIZE.label },
      }),
      Plot.text(labels, { text: "label", ...atLeft }),
      Plot.text(headings, {
        x: (_, c) => left + (c + 0.5) * cellWidth,
        y: () => headHeight - 2,
        text: (lines: readonly string[]) => lines.join("\n"),
        ...{ lineAnchor: "bottom", ...setting },
      }),
    ],
  };
  const write = (value: number) => writeTick(value, format);
  const frame = { ...text, height, defs: HATCH_DEFS };
  if ("edge" in scale) {
    return renderPng(plot, { ...frame, legend: classLegend(scale, scaleLabel, write) });
  }
  const footer = { height: RAMP_HEIGHT, svg: rampSvg(scale, scaleLabel, write, left + 8) };
  return renderPng(plot, { ...frame, footer });
}

function requireShape({ title, rows, columns, cells }: Heatmap): void {
  const refuse = (why: string) => new RangeError(`Cannot draw "${title}": ${why}.`);
  const [r, c] = [rows.length, columns.length];
  if (r === 0 || c === 0) throw refuse("it has no rows or no columns");
  if (cells.length !== r || cells.some((row) => row.length !== c)) {
    throw refuse(`its cells do not fit ${r} rows × ${c} columns`);
  }
}

/**
 * The colour of a value: orange above the centre and purple below (both told apart in every common
 * colour blindness), or pale to dark blue without a centre. Values beyond the domain take its ends.
 *
 * Throws RangeError unless low < centre < high.
 */
export function heatColours({ domain, centre }: HeatScale): (value: number) => string {
  const [low, high] = domain;
  if (!(low < high) || (centre !== undefined && !(low < centre && centre < high))) {
    throw new RangeError(`Cannot colour: ${low}, ${centre ?? "no centre"}, ${high} do not ascend.`);
  }
  const scale = Plot.scale({
    color: centre === undefined
      ? { type: "linear", domain, scheme: "Blues", clamp: true }
      : { type: "diverging", domain, pivot: centre, symmetric: false, scheme: "PuOr", clamp: true },
  });
  return (value) => String(scale.apply(value));
}

const [PALE, DARK] = [0.1, 0.8].map(heatColours({ domain: [0, 1] })) as [string, string];

/** The colour of a value's class. */
const classColours = ({ edge }: HeatClasses) => (value: number) => value <= edge ? PALE : DARK;

/** The key of two classes, e.g. `p up to 0.05: told apart` and `above: not told apart`. */
function classLegend(
  { edge, meanings: [below, above] }: HeatClasses,
  title: string,
  write: (value: number) => string,
): readonly LegendEntry[] {
  return [
    { label: `${title} up to ${write(edge)}: ${below}`, color: PALE },
    { label: `above: ${above}`, color: DARK },
  ];
}

/** Measures of a scale's key, with as many steps as it has colours. */
const [RAMP_HEIGHT, RAMP_WIDTH, STEPS] = [31, 120, 40];

/** The key of the colours from x on: its title, a ramp, and the ends and centre under it. */
function rampSvg(
  scale: HeatScale,
  title: string,
  write: (value: number) => string,
  x: number,
): string {
  const width = Math.min(RAMP_WIDTH, WIDTH - x - 8);
  const y = SIZE.tick + 6;
  const [low, high] = scale.domain;
  const colour = heatColours(scale);
  const strip = Array.from(
    { length: STEPS },
    (_, i) =>
      `<rect x="${x + width * i / STEPS}" y="${y}" width="${width / STEPS + 0.05}" height="5" ` +
      `shape-rendering="crispEdges" fill="${colour(low + (high - low) * (i + 0.5) / STEPS)}"/>`,
  );
  const marked = scale.centre === undefined ? [low, high] : [low, scale.centre, high];
  const labels = marked.map((value) => {
    const at = x + width * (value - low) / (high - low);
    return `<text x="${at}" y="${y + 5 + SIZE.tick + 1}" font-size="${SIZE.tick}" ` +
      `text-anchor="middle">${escapeXml(write(value))}</text>`;
  });
  const heading = `<text x="${x}" y="${y - 3}" font-size="${SIZE.tick}">${escapeXml(title)}</text>`;
  return [heading, ...strip, ...labels].join("");
}
