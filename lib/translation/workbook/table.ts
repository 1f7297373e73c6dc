import type { Column } from "./columns.ts";
import type { Problem } from "./read_result.ts";
import type { Sheet, SheetCell, SheetRow } from "./sheet_adapter.ts";

/** A row under the headings of its sheet. */
export interface TableRow {
  /** As Excel counts: 2 is the first under the headings. */
  readonly number: number;
  readonly cells: ReadonlyMap<string, string | number>;
  /** Whether a cell held something that is neither text nor a number. */
  readonly isFaulty: boolean;
}

/** A sheet read by its headings. */
export interface Table {
  readonly sheet: string;
  /** Whether each column is there once, so that whole rows can be hashed. */
  readonly isComplete: boolean;
  /** Headings that stand there exactly once. */
  readonly headings: ReadonlySet<string>;
  readonly rows: readonly TableRow[];
  readonly problems: readonly Problem[];
}

/** Reads a sheet by its headings and lists every heading and cell that is not as it must be. */
export function tableOf(sheet: Sheet, columns: readonly Column[]): Table {
  const headingRow = sheet.rows.find(({ number }) => number === 1);
  const read = headingsOf(sheet.name, headingRow, columns);
  const { headings } = read;
  const problems = [...read.problems];
  const rows: TableRow[] = [];
  for (const row of sheet.rows) {
    if (row.number === 1) continue;
    const { row: found, problems: faults } = rowOf(row, read, sheet.name);
    problems.push(...faults);
    if (found.cells.size > 0 || found.isFaulty) rows.push(found);
  }
  const known = new Set(headings.values());
  return {
    sheet: sheet.name,
    isComplete: columns.every(({ heading }) => known.has(heading)),
    headings: known,
    rows,
    problems,
  };
}

interface Headings {
  /** Heading by column number; only those that are known and stand there once. */
  readonly headings: ReadonlyMap<number, string>;
  /** Columns whose heading is a problem already: their cells need not be 300 more. */
  readonly refused: ReadonlySet<number>;
  readonly problems: readonly Problem[];
}

function headingsOf(
  sheet: string,
  row: SheetRow | undefined,
  columns: readonly Column[],
): Headings {
  const wanted = new Set(columns.map(({ heading }) => heading));
  const headings = new Map<number, string>();
  const refused = new Set<number>();
  const seen = new Set<string>();
  const problems: Problem[] = [];
  for (const { column, value, address } of row?.cells ?? []) {
    const heading = String(value ?? "");
    const fault = !wanted.has(heading)
      ? `Cell ${address} has a heading that does not belong here; delete the column.`
      : seen.has(heading)
      ? `The heading ${heading} is there twice; delete one of the columns.`
      : undefined;
    if (fault !== undefined) {
      problems.push({ sheet, row: 1, column: heading, message: fault });
      refused.add(column);
    } else headings.set(column, heading);
    seen.add(heading);
  }
  for (const heading of wanted) {
    if (seen.has(heading)) continue;
    problems.push({ sheet, row: 1, column: heading, message: `The column ${heading} is missing.` });
  }
  return { headings, refused, problems };
}

function rowOf(row: SheetRow, { headings, refused }: Headings, sheet: string) {
  const cells = new Map<string, string | number>();
  const problems: Problem[] = [];
  for (const cell of row.cells) {
    if (refused.has(cell.column)) continue;
    const heading = headings.get(cell.column);
    const message = cellFault(cell, heading);
    if (message !== undefined) problems.push({ sheet, row: row.number, column: heading, message });
    else if (cell.value !== undefined && cell.value !== "") cells.set(heading!, cell.value);
  }
  return { row: { number: row.number, cells, isFaulty: problems.length > 0 }, problems };
}

function cellFault({ address, fault }: SheetCell, heading: string | undefined): string | undefined {
  if (heading === undefined) {
    return `Cell ${address} stands outside the columns of the sheet; delete it (a remark can be made in the comment, on the rating page).`;
  }
  if (fault === undefined) return undefined;
  return `Cell ${address} holds ${fault}; it must hold plain text or a number.`;
}
