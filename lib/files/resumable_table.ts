import { existsSync } from "node:fs";
import { writeTextAtomic } from "./atomic.ts";
import { formatCsv, type ParseRow, readCsv } from "./csv.ts";
import { type CsvAppender, openCsvAppender } from "./csv_appender.ts";
import { readWhole } from "./whole_table.ts";

/** A table of one's own: where it is, what is in it, who writes it. */
export interface TableShape<Row extends Readonly<Record<string, string | number>>> {
  readonly path: string;
  readonly columns: readonly (keyof Row & string)[];
  readonly parseRow: ParseRow<keyof Row & string, Row>;
  /** The command that writes it, for errors. */
  readonly maker: string;
}

/** All rows of a finished table. Throws as `readWhole` does. */
export function readTable<Row extends Readonly<Record<string, string | number>>>(
  { path, columns, parseRow, maker }: TableShape<Row>,
): readonly Row[] {
  return readWhole(path, columns, parseRow, maker);
}

/**
 * Opens a table to go on with it. Rows that are no longer what would be written now (of other
 * settings, of another text) are taken out first, all in one write.
 */
export function resumeTable<Row extends Readonly<Record<string, string | number>>>(
  { path, columns, parseRow }: TableShape<Row>,
  isCurrent: (row: Row) => boolean,
): CsvAppender<keyof Row & string, Row> {
  if (existsSync(path)) {
    // Opening sets damaged lines aside, so that what is read then is whole.
    openCsvAppender(path, columns, parseRow)[Symbol.dispose]();
    const { rows } = readCsv(path, columns, parseRow);
    const current = rows.filter(isCurrent);
    if (current.length < rows.length) writeTextAtomic(path, formatCsv(columns, current));
  }
  return openCsvAppender(path, columns, parseRow);
}
