/**
 * Heat maps whose cells are coloured by the position of a value or interval relative to a
 * threshold.
 */
import {
  type KnownMeasure,
  type Measure,
  type NumberFormat,
  shownNumber,
} from "../stats/measure.ts";
import * as Plot from "@observablehq/plot";
import { linesHeight, type TextStyle, widestLine, wrapText } from "./fonts.ts";
import { type Figure, type FigureText, renderPng } from "./frame.ts";
import { contrastingInk, EDGE, INK, LINE_HEIGHT, SIZE, WIDTH, writeTick } from "./theme.ts";

/** Two-colour scale: values up to a threshold, and above it. */
export interface HeatClasses {
  /** Maximum value drawn in the pale colour. */
  readonly edge: number;
  /** Labels of values up to the threshold, and above it. */
  readonly meanings: readonly [string, string];
  /** Formats a value in its cell; the number by default. */
  readonly write?: (value: number) => string;
}

/** Three-colour scale: intervals below, containing, or above a reference value. */
export interface IntervalClasses {
  /** Reference value in data units, e.g. 0.5 for chance between two sentences. */
  readonly reference: number;
  /** Name of the reference, e.g. `chance`. */
  readonly label: string;
  /**
   * Measures beyond the reference after adjustment for multiple comparisons. By default the
   * intervals decide.
   */
  readonly adjusted?: ReadonlySet<Measure>;
}

/** Data and text of a heat map. */
interface Heatmap extends FigureText {
  readonly rows: readonly string[];
  /** Group of each row. Its name is above its rows. */
  readonly groups?: readonly string[];
  readonly columns: readonly string[];
  /** A measure for each row and column, `cells[row][column]`. */
  readonly cells: readonly (readonly Measure[])[];
  readonly scale: HeatClasses | IntervalClasses;
  readonly format: NumberFormat;
  /** Label of the scale, e.g. `Adjusted p`. */
  readonly scaleLabel: string;
}

/** Two shades of blue that differ in black-and-white print. */
const [PALE, DARK] = ["#E3EEF9", "#1864AA"];
/** Sand and dark blue, distinct in print and for colour-blind readers. */
const [BELOW, WITHIN, ABOVE] = ["#E8B36A", "#F2F2F2", DARK];

/** Cell height in points. */
const CELL_HEIGHT = 18;
const LABEL: TextStyle = { size: SIZE.label };
const GROUP: TextStyle = { size: SIZE.label, weight: "bold" };
/**
 * Maximum width of row labels at the left, as a share of the figure's width. Wider ones go above
 * their cells.
 */
const MAX_LABEL_SHARE = 0.33;

/** Hatching of cells without a value. */
const HATCH_DEFS = `<pattern id="hatch" width="4" height="4" patternUnits="userSpaceOnUse" ` +
  `patternTransform="rotate(45)"><rect width="4" height="4" fill="${INK.paper}"/>` +
  `<rect width="1" height="4" fill="${INK.grid}"/></pattern>`;

/** Returns the colours of a scale: fill and text of cells, and the key. */
function colouring(
  { scale, format, scaleLabel }: Pick<Heatmap, "scale" | "format" | "scaleLabel">,
) {
  const number = (measure: KnownMeasure) => shownNumber(measure.estimate, format);
  if ("edge" in scale) {
    const { edge, meanings, write } = scale;
    return {
      paint(measure: KnownMeasure) {
        const written = write?.(measure.estimate) ?? number(measure);
        return [measure.estimate <= edge ? PALE : DARK, written] as const;
      },
      legend: [
        { label: `${scaleLabel} up to ${writeTick(edge, format)}: ${meanings[0]}`, color: PALE },
        { label: `above: ${meanings[1]}`, color: DARK },
      ],
    };
  }
  const { reference, label, adjusted } = scale;
  const isBeyond = (measure: KnownMeasure) =>
    adjusted !== undefined
      ? adjusted.has(measure)
      : measure.kind === "interval" && (measure.low > reference || measure.high < reference);
  const undecided = adjusted ? `${label} not excluded` : `interval contains ${label}`;
  return {
    paint(measure: KnownMeasure) {
      if (!isBeyond(measure)) return [WITHIN, `(${number(measure)})`] as const;
      return [measure.estimate > reference ? ABOVE : BELOW, number(measure)] as const;
    },
    legend: [
      { label: `${scaleLabel} in parentheses: ${undecided}`, color: WITHIN },
      { label: "below", color: BELOW },
      { label: "above", color: ABOVE },
    ],
  };
}

/**
 * Draws a table of cells, each with its value.
 *
 * Cells without a value are hatched and show a dash. Values whose interval contains the reference
 * are in parentheses. Throws RangeError for an empty map, cells that do not match rows and columns,
 * and text wider than its cell.
 */
export function heatmap(map: Heatmap): Figure {
  const { rows, groups, columns, cells, scale, format, scaleLabel, ...text } = map;
  requireShape(map);
  const { paint, legend } = colouring({ scale, format, scaleLabel });
  const labelWidth = widestLine(rows, LABEL);
  const above = labelWidth > MAX_LABEL_SHARE * WIDTH;
  const left = above ? EDGE : EDGE + labelWidth + 5;
  const cellWidth = (WIDTH - EDGE - left) / columns.length;
  const headings = columns.map((column) => wrapText(column, cellWidth - 2, LABEL));
  const headHeight = linesHeight(Math.max(...headings.map((lines) => lines.length)), LABEL) +
    (above ? 5 : 3);
  const labels: { label: string; y: number }[] = [];
  const groupNames: { label: string; y: number }[] = [];
  const drawn: { x: number; y: number; fill: string; ink: string; text: string }[] = [];
  let y = headHeight;
  for (const [r, label] of rows.entries()) {
    const group = groups?.[r];
    if (group !== undefined && group !== groups?.[r - 1]) {
      const lines = wrapText(group, WIDTH - 2 * EDGE, GROUP);
      const height = linesHeight(lines.length, GROUP) + 3;
      groupNames.push({ label: lines.join("\n"), y: y + height / 2 });
      y += height;
    }
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
      const [fill, written] = paint(measure);
      if (widestLine([written], LABEL) > cellWidth) {
        throw new RangeError(`Cannot draw "${text.title}": "${written}" is wider than its cell.`);
      }
      drawn.push({ ...place, fill, ink: contrastingInk(fill), text: written });
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
      Plot.text(groupNames, { text: "label", ...atLeft, fontWeight: "bold" }),
      Plot.text(headings, {
        x: (_, c) => left + (c + 0.5) * cellWidth,
        y: () => headHeight - 2,
        text: (lines: readonly string[]) => lines.join("\n"),
        lineAnchor: "bottom",
        ...setting,
      }),
    ],
  };
  return renderPng(plot, { ...text, height, defs: HATCH_DEFS, legend });
}

function requireShape({ title, rows, groups = rows, columns, cells }: Heatmap): void {
  const refuse = (why: string) => new RangeError(`Cannot draw "${title}": ${why}.`);
  const [r, c] = [rows.length, columns.length];
  if (r === 0 || c === 0) throw refuse("it has no rows or no columns");
  if (cells.length !== r || cells.some((row) => row.length !== c)) {
    throw refuse(`its cells do not fit ${r} rows × ${c} columns`);
  }
  if (groups.length !== r) throw refuse(`it has ${groups.length} groups for ${r} rows`);
}
