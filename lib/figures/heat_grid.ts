import { linesHeight, type TextStyle, widest, wrapText } from "./fonts.ts";
import { EDGE, SIZE, WIDTH } from "./theme.ts";

/** Where everything of a heat map stands, in points. */
export interface Grid {
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
export const CELL_HEIGHT = 18;

const LABEL: TextStyle = { size: SIZE.label };
const GROUP: TextStyle = { size: SIZE.label, weight: "bold" };
/** Room over a group's name. */
const GROUP_GAP = 4;
/** Row labels wider than this share of the figure go above their cells. */
const MOST_BESIDE = 0.33;

/** Gives headings, groups and rows their places; long row labels stand above their cells. */
export function layOutGrid({ rows, columns, groups = [] }: GridNames): Grid {
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
