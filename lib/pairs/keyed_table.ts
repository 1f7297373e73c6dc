import { writeTextAtomic } from "../files/atomic.ts";
import {
  type CsvTable,
  type CsvValue,
  type DamagedLine,
  formatCsv,
  formatCsvRow,
  type ParseRow,
  readCsv,
} from "../files/csv.ts";
import { openCsvAppender } from "../files/csv_appender.ts";

/** A table of which no two rows share a key: what it holds and how it is written. */
export interface TableShape<Column extends string, Row> {
  readonly columns: readonly Column[];
  readonly parse: ParseRow<Column, Row>;
  readonly format: (row: Row) => Readonly<Record<Column, CsvValue>>;
  readonly keyOf: (row: Row) => string;
}

/** A table open for rows that are not in it yet. */
export interface KeyedTable<Row> extends Disposable {
  /** What the table holds now, by key; of rows with the same key the last. */
  readonly rows: ReadonlyMap<string, Row>;
  /** Lines that were set aside when it was opened. */
  readonly damaged: readonly DamagedLine[];
  /** Appends a row at once, unless this very row is there already. */
  put(row: Row): void;
  /**
   * Ends the work: where mended damage, doubled lines or failed calls left other rows than those to
   * `keep` (all unless told), or another order than `compare` gives, the file is replaced
   * atomically. So a run that was killed and resumed ends in the same bytes as one that was not.
   */
  finish(compare: (a: Row, b: Row) => number, keep?: (row: Row) => boolean): void;
}

/**
 * The rows of a table, or none where there is no file yet; nothing is written.
 * @throws {SyntaxError} where the header is another.
 */
export function readTable<Column extends string, Row>(
  path: string,
  shape: TableShape<Column, Row>,
): CsvTable<Row> {
  try {
    return readCsv(path, shape.columns, shape.parse);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || isCutHeader(path, shape.columns)) {
      return { rows: [], damaged: [] };
    }
    throw error;
  }
}

/** Whether a killed process left only the beginning of the header. */
function isCutHeader(path: string, columns: readonly string[]): boolean {
  return formatCsv(columns, []).startsWith(Deno.readTextFileSync(path));
}

/**
 * Opens a table to resume it; damaged lines are set aside, as `openCsvAppender` does it.
 * @throws {SyntaxError} where the header is another; nothing is written then.
 */
export function openKeyedTable<Column extends string, Row>(
  path: string,
  shape: TableShape<Column, Row>,
): KeyedTable<Row> {
  const { columns, parse, format, keyOf } = shape;
  const appender = openCsvAppender(path, columns, parse);
  const rows = new Map(appender.rows.map((row) => [keyOf(row), row]));
  const line = (row: Row) => formatCsvRow(columns, format(row));
  let open = true;
  const close = () => {
    if (open) appender[Symbol.dispose]();
    open = false;
  };
  return {
    rows,
    damaged: appender.damaged,
    put(row) {
      const before = rows.get(keyOf(row));
      if (before !== undefined && line(before) === line(row)) return;
      appender.append(format(row));
      rows.set(keyOf(row), row);
    },
    finish(compare, keep = () => true) {
      close();
      const ordered = [...rows.values()].filter(keep).sort(compare);
      const text = formatCsv(columns, ordered.map(format));
      if (Deno.readTextFileSync(path) !== text) writeTextAtomic(path, text);
    },
    [Symbol.dispose]: close,
  };
}

/** Writes a table whole, atomically, its rows in the order given. */
export function writeTable<Column extends string, Row>(
  path: string,
  { columns, format }: TableShape<Column, Row>,
  rows: readonly Row[],
): void {
  writeTextAtomic(path, formatCsv(columns, rows.map(format)));
}

/** Code-unit order, which is the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
