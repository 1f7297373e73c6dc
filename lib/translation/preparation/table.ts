import { parse } from "csv-parse/sync";
import { inOneLine } from "./faults.ts";

/** A line of a table: its cells as text, and where it stands. */
export interface TableLine {
  /** As an editor or Excel counts: 1 is the heading. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A table as it stands in a file. Cells are not trimmed: a space may belong to a translation. */
export interface Table {
  readonly headings: readonly string[];
  readonly lines: readonly TableLine[];
}

/** How a text file holds its table. */
export interface TextTableOptions {
  readonly delimiter: "," | "\t";
  /**
   * Whether a field may stand in quotation marks (RFC 4180). False for files such as WMT's, where
   * a quotation mark is part of the text and a field cannot hold a tab or a line break.
   */
  readonly quotes: boolean;
}

/**
 * Reads a table from text; lines without any text are left out.
 *
 * Throws SyntaxError naming the file and line for a stray quotation mark or another number of cells
 * than there are headings, and for a file without headings.
 */
export function parseTable(text: string, file: string, options: TextTableOptions): Table {
  const [heading, ...rows] = rawRows(text, file, options);
  if (heading === undefined) throw new SyntaxError(`Cannot read ${file}: it has no headings.`);
  const headings = heading.cells.map((cell) => cell.trim());
  const faults = rows.filter(({ cells }) => cells.length !== headings.length).map((row) =>
    `line ${row.line} has ${row.cells.length} cells, the heading has ${headings.length}`
  );
  if (faults.length > 0) {
    throw new SyntaxError(`Cannot read ${file}: ${inOneLine(faults)}.${quoteHint(text, options)}`);
  }
  return { headings, lines: rows };
}

function rawRows(text: string, file: string, options: TextTableOptions): TableLine[] {
  try {
    return options.quotes ? quotedRows(text, options.delimiter) : plainRows(text, options);
  } catch (error) {
    const reason = (error as Error).message;
    throw new SyntaxError(`Cannot read ${file}: ${reason}.${quoteHint(text, options)}`);
  }
}

function quotedRows(text: string, delimiter: string): TableLine[] {
  const rowEnds = { record_delimiter: ["\r\n", "\n", "\r"], skip_empty_lines: true };
  const options = { delimiter, bom: true, relax_column_count: true, ...rowEnds };
  const rows: TableLine[] = [];
  parse(text, {
    ...options,
    on_record: (cells: string[], { lines }: { lines: number }) => {
      // The parser counts to the end of a row; line breaks within its cells go back to the start.
      rows.push({ line: lines - cells.join("").split(/\r\n|\n|\r/).length + 1, cells });
    },
  });
  return rows;
}

function plainRows(text: string, { delimiter }: TextTableOptions): TableLine[] {
  return text.replace(/^\ufeff/, "").split(/\r\n|\n|\r/)
    .map((line, index) => ({ line: index + 1, cells: line.split(delimiter) }))
    .filter(({ cells }) => cells.length > 1 || cells[0] !== "");
}

function quoteHint(text: string, { quotes }: TextTableOptions): string {
  return quotes && text.includes('"')
    ? ' If quotation marks are part of the text here, read it with "quotes: false".'
    : "";
}
