import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { type CsvValue, formatCsv, type ParseRow, readCsv } from "../../lib/files/csv.ts";
import { openCsvAppender } from "../../lib/files/csv_appender.ts";

/** A table whose rows may have been made with other settings. */
export interface TableForm<Column extends string, Row> {
  readonly columns: readonly Column[];
  readonly parse: ParseRow<Column, Row>;
}

/** What is known of a row of scores. */
interface StatedRow {
  readonly status: string;
}

/**
 * What is to be asked anew: rows that are not current, and rows that were asked together with one that
 * ran out of time, for that tells of the machine and not of the component.
 */
export function staleBy<Row extends StatedRow>(
  group: (row: Row) => string,
  isCurrent: (row: Row) => boolean,
): (rows: readonly Row[]) => (row: Row) => boolean {
  return (rows) => {
    const late = new Set(rows.filter(({ status }) => status === "time-out").map(group));
    return (row) => !isCurrent(row) || late.has(group(row));
  };
}

/**
 * Moves rows that are to be asked anew out of a table, into the cache: kept, mixed with none. First
 * written there, then taken out here, so that a kill loses nothing. @returns how many.
 */
export function setRowsAside<
  Column extends string,
  Row extends Readonly<Record<Column, CsvValue>>,
>(
  path: string,
  { columns, parse }: TableForm<Column, Row>,
  staleAmong: (rows: readonly Row[]) => (row: Row) => boolean,
  folder = join(FACTUALITY_PATHS.cache, "robustness"),
): number {
  if (!existsSync(path)) return 0;
  // Opening sets damaged lines aside, so that none is lost when the rest is written.
  openCsvAppender(path, columns, parse)[Symbol.dispose]();
  const { rows } = readCsv(path, columns, parse);
  const isStale = staleAmong(rows);
  const stale = rows.filter(isStale);
  if (stale.length === 0) return 0;
  Deno.mkdirSync(folder, { recursive: true });
  {
    using aside = openCsvAppender(join(folder, `other_${basename(path)}`), columns, parse);
    for (const row of stale) aside.append(row);
  }
  writeTextAtomic(path, formatCsv(columns, rows.filter((row) => !isStale(row))));
  return stale.length;
}
