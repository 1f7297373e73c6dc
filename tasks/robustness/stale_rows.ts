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

/**
 * Moves rows that were made with other settings out of a table, into the cache: kept, mixed with none.
 * First written there, then taken out here, so that a kill loses nothing. @returns how many.
 */
export function setRowsAside<
  Column extends string,
  Row extends Readonly<Record<Column, CsvValue>>,
>(
  path: string,
  { columns, parse }: TableForm<Column, Row>,
  isStale: (row: Row) => boolean,
  folder = join(FACTUALITY_PATHS.cache, "robustness"),
): number {
  if (!existsSync(path)) return 0;
  const { rows } = readCsv(path, columns, parse);
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
