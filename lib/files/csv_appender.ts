import { writeTextAtomic, writeWhole } from "./atomic.ts";
import {
  type CsvValue,
  type DamagedLine,
  formatCsv,
  formatCsvRow,
  type ParseRow,
  readCsv,
} from "./csv.ts";
import { setAsideDamaged } from "./csv_damage.ts";

/** A table open for more rows. One process at a time may hold it. */
export interface CsvAppender<Column extends string, Row> extends Disposable {
  /** The rows that were there already, in order: what need not be done again. */
  readonly rows: readonly Row[];
  /** The lines that were set aside when it was opened; empty for a sound table. */
  readonly damaged: readonly DamagedLine[];
  /**
   * Adds one row as one write of a whole line; when it returns, the row survives the process.
   * @throws {RangeError} for a field that one line cannot hold, before anything is written.
   */
  append(row: Readonly<Record<Column, CsvValue>>): void;
}

/** Options of {@link openCsvAppender}. */
export interface AppendOptions {
  /** Also wait for the disk at each row, against a power cut; some ms each. Default false. */
  readonly sync?: boolean;
}

/**
 * Opens a table to resume it: writes the header where the file is missing; otherwise checks the
 * header, reads the valid rows, and sets damaged lines aside in `<name>.damaged.csv`. A last
 * line that a killed process left without its end is kept if it is whole, set aside if not.
 * @throws {SyntaxError} where the header is not exactly `columns`; nothing is written then.
 */
export function openCsvAppender<Column extends string, Row>(
  path: string,
  columns: readonly Column[],
  parseRow: ParseRow<Column, Row>,
  { sync = false }: AppendOptions = {},
): CsvAppender<Column, Row> {
  const header = formatCsv(columns, []);
  if (isUnbegun(path, header)) writeTextAtomic(path, header);
  const { rows, damaged } = readCsv(path, columns, parseRow);
  setAsideDamaged(path, damaged);
  const file = Deno.openSync(path, { append: true });
  let broken = false;
  return {
    rows,
    damaged,
    append(row) {
      if (broken) throw new Error(`Cannot append to ${path}: a write failed. Open it again.`);
      const line = new TextEncoder().encode(formatCsvRow(columns, row));
      broken = true; // Until the line is whole: half a line must not be written on to.
      writeWhole(file, line);
      if (sync) file.syncDataSync();
      broken = false;
    },
    [Symbol.dispose]() {
      file.close();
    },
  };
}

/** Whether there is no file, or one that breaks off within its header. */
function isUnbegun(path: string, header: string): boolean {
  try {
    return header.startsWith(Deno.readTextFileSync(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return true;
    throw error;
  }
}
