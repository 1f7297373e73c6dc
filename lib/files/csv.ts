import { stringify } from "csv-stringify/sync";
import { escapeLine, hasControl, splitLines } from "./lines.ts";
import { type CheckedLine, checkLines, type LineCheck } from "./csv_lines.ts";

/** What a field may hold. Unknown is no value: the row says in words that it is unknown. */
export type CsvValue = string | number | boolean;

/** A line that is no row of the table, and why. */
export interface DamagedLine {
  /** 1-based, the header being line 1. */
  readonly line: number;
  /** The line without its end; a backslash is doubled, what is no printable text is `\xNN`. */
  readonly text: string;
  readonly reason: string;
}

/** What a table holds: every valid row, and every line that is none. */
export interface CsvTable<Row> {
  readonly rows: readonly Row[];
  readonly damaged: readonly DamagedLine[];
}

/** Makes a row of a line's fields, or throws with the reason why it is none. */
export type ParseRow<Column extends string, Row> = (
  record: Readonly<Record<Column, string>>,
) => Row;

/**
 * A table as CSV (RFC 4180, lines ended by LF): the header, then one line a row. Booleans are
 * written `True` and `False`.
 * @throws {RangeError} for a field that holds a line break or another control character, a lone
 * surrogate, NaN or an infinity: one line is one row, so that damage stays where it happens.
 */
export function formatCsv<Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, CsvValue>>[],
): string {
  return formatFields(columns) + rows.map((row) => formatCsvRow(columns, row)).join("");
}

/** One row as a whole line with its end. Throws as {@link formatCsv} does. */
export function formatCsvRow<Column extends string>(
  columns: readonly Column[],
  row: Readonly<Record<Column, CsvValue>>,
): string {
  return formatFields(columns.map((column) => fieldText(column, row[column])));
}

function formatFields(fields: readonly string[]): string {
  // An empty line could not be told from a lost one.
  return stringify([[...fields]], { quoted_empty: fields.length === 1 });
}

function fieldText(column: string, value: CsvValue): string {
  const shown = JSON.stringify(value);
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new RangeError(`Cannot write column ${column}: ${value} is no finite number.`);
  }
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") {
    throw new TypeError(`Cannot write column ${column}: ${shown} is no text, number or boolean.`);
  }
  if (hasControl(value) || !value.isWellFormed()) {
    throw new RangeError(
      `Cannot write column ${column}: ${shown} holds a line break or control character. ` +
        "Replace it first: one line is one row.",
    );
  }
  return value;
}

/**
 * Reads a table line by line, so that a damaged line costs no other: a wrong number of fields,
 * a stray quote, control characters, broken UTF-8, a row that `parseRow` refuses. A last line
 * without its end counts as damaged, too, where a longer one would be valid as well: it may be
 * cut short.
 * @param source names the table in errors.
 * @throws {SyntaxError} where the header is not exactly `columns`, in this order.
 */
export function parseCsv<Column extends string, Row>(
  text: string | Uint8Array,
  columns: readonly Column[],
  parseRow: ParseRow<Column, Row>,
  source = "the table",
): CsvTable<Row> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const [header, ...lines] = splitLines(bytes);
  checkHeader(header?.bytes ?? new Uint8Array(), columns, source);
  const check: LineCheck<Row> = (fields) => parseRow(record(columns, fields));
  const checked = checkLines(lines, columns.length, check);
  return {
    rows: checked.filter((line) => line.kind === "row").map((line) => line.row),
    damaged: checked.flatMap(damagedLine),
  };
}

function damagedLine<Row>(line: CheckedLine<Row>, index: number): DamagedLine[] {
  // The header is line 1.
  return line.kind === "row" ? [] : [{ line: index + 2, text: line.text, reason: line.reason }];
}

/**
 * {@link parseCsv} for a file.
 * @throws {SyntaxError} where the header is not exactly `columns`, naming the file.
 * @throws {Deno.errors.NotFound} where there is no such file.
 */
export function readCsv<Column extends string, Row>(
  path: string,
  columns: readonly Column[],
  parseRow: ParseRow<Column, Row>,
): CsvTable<Row> {
  return parseCsv(Deno.readFileSync(path), columns, parseRow, path);
}

/** Columns and fields are equally many by now. */
function record<Column extends string>(
  columns: readonly Column[],
  fields: readonly string[],
): Readonly<Record<Column, string>> {
  const pairs = columns.map((column, index) => [column, fields[index]]);
  return Object.fromEntries(pairs) as Record<Column, string>;
}

function checkHeader(header: Uint8Array, columns: readonly string[], source: string): void {
  const expected = formatFields(columns).trimEnd();
  const found = escapeLine(header).replace(/^\ufeff/, "");
  if (found === expected) return;
  throw new SyntaxError(
    `Cannot read ${source}: its header is "${found}", expected "${expected}". ` +
      "Nothing was written; move the file away, or correct its first line.",
  );
}
