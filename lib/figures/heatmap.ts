import * as Plot from "@observablehq/plot";
import { inkOn } from "./contrast.ts";
import { CELL_HEIGHT, type Grid, layOutGrid } from "./heat_grid.ts";
import {
  classColours,
  classLegend,
  HATCH,
  HATCH_DEFS,
  type HeatClasses,
  heatColours,
  type HeatScale,
  RAMP_HEIGHT,
  rampSvg,
} from "./heat_scale.ts";
import { isDrawable, type Measure, type NumberFormat, writeNumber, writeTick } from "./measure.ts";
import { type Figure, type FigureText, renderPng } from "./render.ts";
import { EDGE, SIZE, WIDTH } from "./theme.ts";

/** What a heat map shows. */
export interface Heatmap extends FigureText {
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
