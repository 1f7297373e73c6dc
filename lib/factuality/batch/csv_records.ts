import { CsvError, type Info, parse } from "csv-parse/sync";
import type { RefusedLine } from "./refused_line.ts";

/** A record by the names of the header, and the line on which it ends, the header's being 1. */
export interface CsvRecord {
  readonly line: number;
  readonly record: Readonly<Record<string, string>>;
}

/**
 * The records of a CSV text with a header, whose fields may hold line ends, as files from a
 * spreadsheet do. A record with too many or too few fields is told and passed over.
 * @throws {SyntaxError} for a quote that does not close: what follows it cannot be told apart.
 */
export function csvRecords(
  text: string,
  onDamage: (damage: RefusedLine) => void,
): readonly CsvRecord[] {
  const onSkip = (error: CsvError | undefined): undefined => {
    if (error?.code !== "CSV_RECORD_INCONSISTENT_COLUMNS") throw error;
    onDamage({ line: Number(error.lines), reason: error.message });
  };
  const options = { bom: true, columns: true, info: true, skip_empty_lines: true } as const;
  try {
    const records: unknown = parse(text, {
      ...options,
      skip_records_with_error: true,
      on_skip: onSkip,
    });
    return (records as readonly { readonly record: CsvRecord["record"]; readonly info: Info }[])
      .map(({ record, info }) => ({ line: info.lines, record }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new SyntaxError(`Cannot read the batch: ${error.message}`);
  }
}
