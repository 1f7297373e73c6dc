import * as Plot from "@observablehq/plot";
import { escapeXml, linesHeight, type TextStyle, widest, wrapText } from "./fonts.ts";
import { type Figure, type FigureText, type LegendEntry, renderPng } from "./frame.ts";
import {
  EDGE,
  INK,
  inkOn,
  isDrawable,
  type Measure,
  type NumberFormat,
  SIZE,
  WIDTH,
  writeNumber,
  writeTick,
} from "./theme.ts";

/** Where everything of a heat map stands, in points. */
interface Grid {
  readonly left: number;
  readonly cellWidth: number;
  readonly headings: readonly (readonly string[])[];
  readonly headHeight: number;
  readonly rows: readonly {
    readonly label: string;
    readonly top: number;
    readonly labelY: number;
  }[];
  readonly groups: readonly { readonly text: string; readonly y: number }[];
  readonly height: number;
}

/** What is named in a heat map; `groups` has one name a row. */
interface GridNames {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly groups?: readonly string[];
}

/** Height of a cell in points. */
const CELL_HEIGHT = 18;
const LABEL: TextStyle = { size: SIZE.label };
const GROUP: TextStyle = { size: SIZE.label, weight: "bold" };

/** Room over a group's name. */
const GROUP_GAP = 4;

/** Row labels wider than this share of the figure go above their cells. */
const MOST_BESIDE = 0.33;

/** Gives headings, groups and rows their places; long row labels stand above their cells. */
function layOutGrid({ rows, columns, groups = [] }: GridNames): Grid {
  const beside = widest(rows, LABEL);
  const above = beside > MOST_BESIDE * WIDTH;
  const left = above ? EDGE : EDGE + beside + 5;
  const cellWidth = (WIDTH - EDGE - left) / columns.length;
  const headings = columns.map((column) => wrapText(column, cellWidth - 2, LABEL));
  const headHeight = linesHeight(Math.max(...headings.map((lines) => lines.length)), LABEL) +
    (above ? 5 : 3);
  const named: { text: string; y: number }[] = [];
  let y = headHeight;
  const placed = rows.map((row, index) => {
    const group = groups[index];
    if (group !== undefined && group !== groups[index - 1]) {
      const lines = wrapText(group, WIDTH - 2 * EDGE, GROUP);
      const height = linesHeight(lines.length, GROUP);
      named.push({ text: lines.join("\n"), y: y + GROUP_GAP + height / 2 });
      y += GROUP_GAP + height + 2;
    }
    const lines = above ? wrapText(row, WIDTH - 2 * EDGE, LABEL) : [row];
    const labelHeight = above ? linesHeight(lines.length, LABEL) + 2 : 0;
    const top = y + labelHeight;
    y = top + CELL_HEIGHT + (above ? 3 : 0);
    const labelY = above ? top - labelHeight / 2 : top + CELL_HEIGHT / 2;
    return { label: lines.join("\n"), top, labelY };
  });
  return { left, cellWidth, headings, headHeight, rows: placed, groups: named, height: y + 2 };
}

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

/** Name by which cells refer to {@link HATCH_DEFS}. */
const HATCH = "url(#hatch)";

/** The pattern of a cell without a value. */
const HATCH_DEFS = `<pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse" ` +
  `patternTransform="rotate(45)"><rect width="4" height="4" fill="${INK.paper}"/>` +
  `<rect width="1" height="4" fill="${INK.grid}"/></pattern>`;

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
  const scale = centre === undefined
    ? Plot.scale({ color: { type: "linear", domain, scheme: "Blues", clamp: true } })
    : Plot.scale({
      color: {
        type: "diverging",
        domain,
        pivot: centre,
        symmetric: false,
        scheme: "PuOr",
        clamp: true,
      },
    });
  return (value) => String(scale.apply(value));
}

const [PALE, DARK] = [0.1, 0.8].map(heatColours({ domain: [0, 1] })) as [string, string];

/** The colour of a value's class. */
export function classColours({ edge }: HeatClasses): (value: number) => string {
  return (value) => value <= edge ? PALE : DARK;
}

/** The key of two classes, e.g. `p up to 0.05: told apart` and `above: not told apart`. */
export function classLegend(
  { edge, meanings: [below, above] }: HeatClasses,
  title: string,
  write: (value: number) => string,
): readonly LegendEntry[] {
  return [
    { label: `${title} up to ${write(edge)}: ${below}`, color: PALE },
    { label: `above: ${above}`, color: DARK },
  ];
}

/** Height of the key that {@link rampSvg} draws. */
const RAMP_HEIGHT = 31;

/** The key of the colours: its title, a ramp, and the ends and centre under it. */
export function rampSvg(
  scale: HeatScale,
  title: string,
  write: (value: number) => string,
  { x, width }: { readonly x: number; readonly width: number },
): string {
  const y = SIZE.tick + 6;
  const [low, high] = scale.domain;
  const colour = heatColours(scale);
  const steps = 40;
  const strip = Array.from({ length: steps }, (_, i) => {
    const fill = colour(low + (high - low) * (i + 0.5) / steps);
    return `<rect x="${x + width * i / steps}" y="${y}" width="${
      width / steps + 0.05
    }" height="5" ` +
      `shape-rendering="crispEdges" ` +
      `fill="${fill}"/>`;
  });
  const marked = scale.centre === undefined ? [low, high] : [low, scale.centre, high];
  const labels = marked.map((value) => {
    const at = x + width * (value - low) / (high - low);
    return `<text x="${at}" y="${y + 5 + SIZE.tick + 1}" font-size="${SIZE.tick}" ` +
      `text-anchor="middle">${escapeXml(write(value))}</text>`;
  });
  const heading = `<text x="${x}" y="${y - 3}" font-size="${SIZE.tick}">${escapeXml(title)}</text>`;
  return [heading, ...strip, ...labels].join("");
}

/** What a heat map shows. */
interface Heatmap extends FigureText {
  readonly rows: readonly string[];
  /** For each row the group that it belongs to, written over its first row; none unless told. */
  readonly groups?: readonly string[];
  readonly columns: readonly string[];
  /** A measure for each row and column, `cells[row][column]`. */
  readonly cells: readonly (readonly Measure[])[];
  readonly scale: HeatScale | HeatClasses;
  readonly format: NumberFormat;
  /** What the colours mean, e.g. `Accuracy (%)`. */
  readonly scaleLabel: string;
}

const RAMP_WIDTH = 120;

/** A cell as it is drawn. */
interface Cell {
  readonly x: number;
  readonly y: number;
  readonly fill: string;
  readonly ink: string;
  readonly text: string;
}

/**
 * Rows × columns with each value written in its cell; a cell without one is hatched and holds a
 * dash. Throws RangeError if it is empty or if the cells do not fit the rows and columns.
 */
export function heatmap(map: Heatmap): Figure {
  requireShape(map);
  const { rows, columns, groups, cells: _, scale, format, scaleLabel, ...text } = map;
  const grid = layOutGrid({ rows, columns, groups });
  const plot: Plot.PlotOptions = {
    margin: 0,
    x: { type: "linear", domain: [0, WIDTH], range: [0, WIDTH], axis: null },
    y: { type: "linear", domain: [0, grid.height], range: [0, grid.height], axis: null },
    color: { type: "identity" },
    marks: [...cellMarks(placeCells(map, grid), grid), ...labelMarks(grid)],
  };
  const write = (value: number) => writeTick(value, format);
  const frame = { ...text, height: grid.height, defs: HATCH_DEFS };
  if ("edge" in scale) {
    return renderPng(plot, { ...frame, legend: classLegend(scale, scaleLabel, write) });
  }
  const ramp = rampSvg(scale, scaleLabel, write, {
    x: grid.left + 8,
    width: Math.min(RAMP_WIDTH, WIDTH - grid.left - 16),
  });
  return renderPng(plot, { ...frame, footer: { height: RAMP_HEIGHT, svg: ramp } });
}

function placeCells({ cells, scale, format }: Heatmap, grid: Grid): Cell[] {
  const colour = "edge" in scale ? classColours(scale) : heatColours(scale);
  return cells.flatMap((row, r) =>
    row.map((measure, c) => {
      const place = { x: grid.left + c * grid.cellWidth, y: grid.rows[r]!.top };
      if (!isDrawable(measure)) return { ...place, fill: HATCH, ink: "#000000", text: "–" };
      const fill = colour(measure.estimate);
      return { ...place, fill, ink: inkOn(fill), text: writeNumber(measure.estimate, format) };
    })
  );
}

function cellMarks(cells: readonly Cell[], { cellWidth }: Grid): Plot.Markish[] {
  return [
    Plot.rect(cells, {
      x1: (cell) => cell.x + 0.5,
      x2: (cell) => cell.x + cellWidth - 0.5,
      y1: (cell) => cell.y + 0.5,
      y2: (cell) => cell.y + CELL_HEIGHT - 0.5,
      fill: "fill",
    }),
    Plot.text(cells, {
      x: (cell) => cell.x + cellWidth / 2,
      y: (cell) => cell.y + CELL_HEIGHT / 2,
      text: "text",
      fill: "ink",
      fontSize: SIZE.label,
    }),
  ];
}

function labelMarks(grid: Grid): Plot.Markish[] {
  const setting = { fontSize: SIZE.label, lineHeight: 1.2 };
  return [
    Plot.text(grid.rows, {
      x: () => EDGE,
      y: "labelY",
      text: "label",
      textAnchor: "start",
      ...setting,
    }),
    Plot.text(grid.groups, {
      x: () => EDGE,
      y: "y",
      text: "text",
      textAnchor: "start",
      fontWeight: "bold",
      ...setting,
    }),
    Plot.text(grid.headings, {
      x: (_, c) => grid.left + (c + 0.5) * grid.cellWidth,
      y: () => grid.headHeight - 2,
      text: (lines: readonly string[]) => lines.join("\n"),
      lineAnchor: "bottom",
      ...setting,
    }),
  ];
}

function requireShape({ title, rows, columns, cells, groups = rows }: Heatmap): void {
  if (rows.length === 0 || columns.length === 0) {
    throw new RangeError(`Cannot draw "${title}": it has no rows or no columns.`);
  }
  if (groups.length !== rows.length) {
    throw new RangeError(
      `Cannot draw "${title}": it names groups for ${groups.length} of ${rows.length} rows.`,
    );
  }
  if (cells.length !== rows.length || cells.some((row) => row.length !== columns.length)) {
    throw new RangeError(
      `Cannot draw "${title}": its cells do not fit ${rows.length} rows × ${columns.length} columns.`,
    );
  }
}
