/** Heat maps: a value in each cell, coloured by the side of an edge that it is on. */
import { type Measure, type NumberFormat, shownNumber } from "../stats/measure.ts";
import * as Plot from "@observablehq/plot";
import { linesHeight, type TextStyle, widest, wrapText } from "./fonts.ts";
import { type Figure, type FigureText, renderPng } from "./frame.ts";
import { EDGE, INK, inkOn, LINE_HEIGHT, SIZE, WIDTH, writeTick } from "./theme.ts";

/** Two colours: only the side of an edge matters. */
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
  readonly scale: HeatClasses;
  readonly format: NumberFormat;
  /** What the values are, e.g. `Adjusted p`. */
  readonly scaleLabel: string;
}

/** Two blues that a black-and-white printer tells apart, too. */
const [PALE, DARK] = ["#E3EEF9", "#1864AA"];

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
  const { rows, columns, cells, scale: { edge, meanings }, format, scaleLabel, ...text } = map;
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
  let y = headHeight;
  for (const [r, label] of rows.entries()) {
    const lines = above ? wrapText(label, WIDTH - 2 * EDGE, LABEL) : [label];
    const labelHeight = above ? linesHeight(lines.length, LABEL) + 2 : 0;
    const top = y + labelHeight;
    const labelY = above ? top - labelHeight / 2 : top + CELL_HEIGHT / 2;
    labels.push({ label: lines.join("\n"), y: labelY });
    for (const [c, measure] of cells[r]!.entries()) {
      const place = { x: left + c * cellWidth, y: top };
      if (measure.kind === "unavailable") {
        drawn.push({ ...place, fill: "url(#hatch)", ink: "#000000", text: "–" });
        continue;
      }
      const fill = measure.estimate <= edge ? PALE : DARK;
      const written = shownNumber(measure.estimate, format);
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
        text: "text",
        fill: "ink",
        fontSize: SIZE.label,
      }),
      Plot.text(labels, { text: "label", ...atLeft }),
      Plot.text(headings, {
        x: (_, c) => left + (c + 0.5) * cellWidth,
        y: () => headHeight - 2,
        text: (lines: readonly string[]) => lines.join("\n"),
        lineAnchor: "bottom",
        ...setting,
      }),
    ],
  };
  const legend = [
    { label: `${scaleLabel} up to ${writeTick(edge, format)}: ${meanings[0]}`, color: PALE },
    { label: `above: ${meanings[1]}`, color: DARK },
  ];
  return renderPng(plot, { ...text, height, defs: HATCH_DEFS, legend });
}

function requireShape({ title, rows, columns, cells }: Heatmap): void {
  const refuse = (why: string) => new RangeError(`Cannot draw "${title}": ${why}.`);
  const [r, c] = [rows.length, columns.length];
  if (r === 0 || c === 0) throw refuse("it has no rows or no columns");
  if (cells.length !== r || cells.some((row) => row.length !== c)) {
    throw refuse(`its cells do not fit ${r} rows × ${c} columns`);
  }
}
