import { linesHeight, type TextStyle, widest, wrapText } from "./fonts.ts";
import { EDGE, SIZE, WIDTH } from "./theme.ts";

/** A row of a horizontal chart. */
export interface LabelledRow {
  readonly label: string;
  /** Rows of one group stand together under its name. */
  readonly group?: string;
}

/** A row with its place in the plot, in points from the top. */
export interface PlacedRow<Row> {
  readonly row: Row;
  /** The label, wrapped. */
  readonly label: string;
  readonly labelY: number;
  readonly top: number;
  readonly middle: number;
  readonly bottom: number;
}

/** Rows laid out under one another. */
export interface RowLayout<Row> {
  readonly rows: readonly PlacedRow<Row>[];
  readonly headings: readonly { readonly text: string; readonly y: number }[];
  readonly height: number;
  /** Left end of the data area. */
  readonly left: number;
  /** Left end of the labels. */
  readonly labelLeft: number;
}

/** Room between rows. */
export const GAP = 4;
/** Room above the rows for the reference line's name. */
export const HEAD = 11;

const LABEL: TextStyle = { size: SIZE.label };
const HEADING: TextStyle = { size: SIZE.label, weight: "bold" };
const ROOM = WIDTH - 2 * EDGE;
/** Left end of bars with labels above them: leaves room for half of the first tick's label. */
const INDENT = EDGE + 3;
const THICKNESS = 9;
/** Labels wider than this share of the figure go above their bars, where there is room for them. */
const MOST_BESIDE = 0.36;

/**
 * Gives every row its place; labels stand beside their rows if all are short, otherwise above.
 * `hasReference` leaves room over the rows for the name of a reference line.
 */
export function layoutRows<Row extends LabelledRow>(
  rows: readonly Row[],
  hasReference: boolean,
): RowLayout<Row> {
  const beside = widest(rows.map((row) => row.label), LABEL);
  const above = beside > MOST_BESIDE * WIDTH;
  const place = above ? placeUnderLabel : placeBesideLabel;
  const placed: PlacedRow<Row>[] = [];
  const headings: { text: string; y: number }[] = [];
  let y = hasReference ? HEAD : 2;
  for (const [i, row] of rows.entries()) {
    if (row.group !== undefined && row.group !== rows[i - 1]?.group) {
      const lines = wrapText(row.group, ROOM, HEADING);
      const height = linesHeight(lines.length, HEADING);
      if (i > 0) y += GAP;
      headings.push({ text: lines.join("\n"), y: y + height / 2 });
      y += height + 2;
    }
    const next = place(row, y);
    placed.push(next);
    y = next.bottom + GAP + (above ? 2 : 0);
  }
  const [left, labelLeft] = above ? [INDENT, INDENT] : [EDGE + beside + 5, EDGE];
  return { rows: placed, headings, height: y, left, labelLeft };
}

function placeBesideLabel<Row extends LabelledRow>(row: Row, top: number): PlacedRow<Row> {
  const middle = top + THICKNESS / 2;
  return { row, label: row.label, labelY: middle, top, middle, bottom: top + THICKNESS };
}

function placeUnderLabel<Row extends LabelledRow>(row: Row, y: number): PlacedRow<Row> {
  const lines = wrapText(row.label, ROOM, LABEL);
  const labelHeight = linesHeight(lines.length, LABEL) + 1.5;
  const place = placeBesideLabel(row, y + labelHeight);
  return { ...place, label: lines.join("\n"), labelY: y + labelHeight / 2 };
}
