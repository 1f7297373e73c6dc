import { parse } from "csv-parse/sync";
import { z } from "zod";
import type { DamagedLine } from "../../files/csv.ts";
import { damageReason } from "../../files/damage_reason.ts";
import { collected, type LoadedCases, type RowCases } from "./load_cases.ts";

/** A row by its columns, and the line that it ends on: a field in quotes may hold line breaks. */
export interface CsvRecord {
  readonly record: Readonly<Record<string, string>>;
  readonly line: number;
}

/** What csv-parse gives with `info`. */
const RECORD = z.object({
  record: z.record(z.string(), z.string()),
  info: z.object({ lines: z.int() }),
});

/**
 * The rows of somebody else's CSV (RFC 4180, with or without a byte order mark), and the lines that
 * are no row.
 * @param columnsOf the columns' names, made of the header; throws where one is missing.
 * @throws {Error} where the file cannot be read, and whatever `columnsOf` throws.
 */
export function readCsvRecords(path: string, columnsOf: (header: string[]) => string[]) {
  const damaged: DamagedLine[] = [];
  const records = parse(Deno.readFileSync(path), {
    bom: true,
    info: true,
    columns: columnsOf,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error) damaged.push(damagedRecord(Number(error.lines), "", error));
      return undefined;
    },
  });
  const rows = z.array(RECORD).parse(records)
    .map(({ record, info }): CsvRecord => ({ record, line: info.lines }));
  return { records: rows, damaged };
}

/** The cases of such rows; a row that the schema refuses is damaged. */
export function casesOfRecords<Row>(
  { records, damaged }: ReturnType<typeof readCsvRecords>,
  schema: z.ZodType<Row>,
  casesOf: (row: Row, line: number) => readonly RowCases[],
): LoadedCases {
  const made: RowCases[] = [];
  for (const { record, line } of records) {
    const row = schema.safeParse(record);
    if (row.success) made.push(...casesOf(row.data, line));
    else damaged.push(damagedRecord(line, JSON.stringify(record), row.error));
  }
  return collected(made, damaged);
}

/** A row that is none of the format, and why. */
function damagedRecord(line: number, text: string, error: unknown): DamagedLine {
  return { line, text, reason: damageReason(error) };
}
