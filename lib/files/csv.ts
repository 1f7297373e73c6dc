/** CSV files with one row per line, so that damage is limited to its line. */
import { Buffer } from "node:buffer";
import { type CsvError, parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { z } from "zod";
import {
  readInput,
  readTextIfThere,
  type Refusal,
  writeBytesAtomic,
  writeTextAtomic,
} from "./atomic.ts";

/** Value of a field. "Unknown" is not a value: rows state it in words. */
export type CsvValue = string | number | boolean;

/** A line that is not a valid row, with the reason. */
export interface DamagedLine {
  /** Line number; the header is line 1. */
  readonly line: number;
  /** Line without its end. Backslashes are doubled; unprintable bytes are `\xNN`. */
  readonly text: string;
  readonly reason: string;
}

/** Valid rows of a table, and its damaged lines. */
export interface ParsedCsv<Row> {
  readonly rows: readonly Row[];
  readonly damaged: readonly DamagedLine[];
}

/** Parses a line's fields to a row, or throws the reason. */
type ParseRow<Column extends string, Row> = (
  record: Readonly<Record<Column, string>>,
) => Row;

/**
 * Formats a table as CSV (RFC 4180, LF): the header, then one line per row. Booleans are `True` and
 * `False`.
 * @throws {RangeError} for a field with a control character or line break, a lone surrogate, NaN or
 * infinity, so that every line is one row.
 */
export function formatCsv<Column extends string>(
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, CsvValue>>[],
): string {
  return formatFields(columns) + rows.map((row) => formatCsvRow(columns, row)).join("");
}

/** Formats a row as a complete line. Throws as {@link formatCsv} does. */
export function formatCsvRow<Column extends string>(
  columns: readonly Column[],
  row: Readonly<Record<Column, CsvValue>>,
): string {
  return formatFields(columns.map((column) => fieldText(column, row[column])));
}

function formatFields(fields: readonly string[]): string {
  // An empty line would look like a lost one.
  return stringify([[...fields]], { quoted_empty: fields.length === 1 });
}

function fieldText(column: string, value: CsvValue): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  const refuse = (why: string) => `Cannot write column ${column}: ${why}`;
  if (typeof value === "number") throw new RangeError(refuse(`${value} is no finite number.`));
  const shown = JSON.stringify(value);
  if (typeof value !== "string") {
    throw new TypeError(refuse(`${shown} is no text, number or boolean.`));
  }
  if (!hasControl(value) && value.isWellFormed()) return value;
  throw new RangeError(
    refuse(`${shown} holds a line break or control character. `) +
      "Replace it first: one line is one row.",
  );
}

/** Detects the delimiter of a foreign table: the most frequent one in its header. */
export function delimiterOf(table: string): "," | ";" | "\t" {
  const header = table.slice(0, table.search(/[\r\n]|$/)).replace(/"[^"]*"/g, "");
  const count = (mark: string) => header.split(mark).length;
  return ([",", ";", "\t"] as const)
    .reduce((best, mark) => count(mark) > count(best) ? mark : best);
}

/** A record of a foreign table with its fields by column, and its last line. */
interface ForeignRecord {
  readonly line: number;
  readonly record: Readonly<Record<string, string>>;
}

/**
 * Reads the records of a foreign table with a header.
 *
 * Delimiters are commas, semicolons or tabs. A byte order mark is optional; empty lines are
 * skipped.
 * @param columns Maps the header to field names, or throws where one is missing.
 * @param refuse Receives each invalid record, which is left out. By default the first one throws.
 * @throws {CsvError} for an invalid record, and whatever `refuse` throws.
 */
export function foreignRecords(
  table: string,
  { columns = (header) => header, refuse, isRagged = false }: {
    readonly columns?: (header: string[]) => string[];
    readonly refuse?: (line: number, error: CsvError) => void;
    /** True if a record may have more or fewer fields than the header. */
    readonly isRagged?: boolean;
  } = {},
): readonly ForeignRecord[] {
  const records = parse(table, {
    delimiter: delimiterOf(table),
    bom: true,
    info: true,
    columns,
    relax_column_count: isRagged,
    skip_empty_lines: true,
    skip_records_with_error: refuse !== undefined,
    on_skip(error) {
      if (error) refuse?.(Number(error.lines), error);
      return undefined;
    },
  }) as unknown as readonly { record: Record<string, string>; info: { lines: number } }[];
  return records.map(({ record, info }) => ({ line: info.lines, record }));
}

/** Maximum number of characters of an invalid header in a message. */
const LONGEST_HEADER = 200;

/** Number of lines parsed at once. csv-parse takes ten times longer for single lines. */
const BATCH_LINES = 256;

/**
 * Parses a table line by line and separates damaged lines.
 *
 * Damage is a wrong number of fields, a stray quote, control characters, invalid UTF-8, or a row
 * that `parseRow` refuses. A last line without line break is damaged if a longer one would be
 * valid, since it may be truncated.
 * @param source Name of the table in errors.
 * @throws {SyntaxError} unless the header is exactly `columns`, in order.
 */
export function parseCsv<Column extends string, Row>(
  text: string | Uint8Array,
  columns: readonly Column[],
  parseRow: ParseRow<Column, Row>,
  source = "the table",
): ParsedCsv<Row> {
  const [header, ...lines] = splitLines(Buffer.from(text));
  const [expected, found] = [
    formatFields(columns).trimEnd(),
    header ? escapeLine(header.bytes) : "",
  ];
  if (found.replace(/^\ufeff/, "") !== expected) {
    const shown = found.length > LONGEST_HEADER ? `${found.slice(0, LONGEST_HEADER)}…` : found;
    throw new SyntaxError(
      `Cannot read ${source}: its header is "${shown}", expected "${expected}". ` +
        "Nothing was written; move the file away, or correct its first line.",
    );
  }
  const check = (fields: readonly string[]) => {
    const pairs = columns.map((column, index) => [column, fields[index]]);
    return parseRow(Object.fromEntries(pairs) as Record<Column, string>);
  };
  const [rows, damaged]: [Row[], DamagedLine[]] = [[], []];
  for (let start = 0; start < lines.length; start += BATCH_LINES) {
    const batch = lines.slice(start, start + BATCH_LINES);
    const known = splitBatch(batch);
    for (const [index, line] of batch.entries()) {
      try {
        rows.push(parseLine(line, known?.[index], columns.length, check));
      } catch (error) {
        // The header is line 1.
        const [number, text] = [start + index + 2, escapeLine(line.bytes)];
        damaged.push({ line: number, text, reason: damageReason(error) });
      }
    }
  }
  return { rows, damaged };
}

/** Reads a file as {@link parseCsv} does. @throws {SyntaxError} naming one with other columns. */
export function readCsv<Column extends string, Row>(
  path: string,
  columns: readonly Column[],
  parseRow: ParseRow<Column, Row>,
): ParsedCsv<Row> {
  return parseCsv(Deno.readFileSync(path), columns, parseRow, path);
}

/** Returns the fields of each line; undefined if any line may be damaged. */
function splitBatch(batch: readonly ByteLine[]): readonly string[][] | undefined {
  const texts = batch.map((line) => decodeUtf8(line.bytes));
  if (texts.includes(undefined)) return undefined;
  try {
    const records = parseRecords(texts.join("\n"));
    return records.length === batch.length ? records : undefined;
  } catch {
    return undefined;
  }
}

const parseRecords = (text: string): string[][] =>
  parse(text, { relax_column_count: true, record_delimiter: "\n" });

/** Parses a single line, so that an unclosed quote does not affect the next. */
function parseLine<Row>(
  { bytes, terminated }: ByteLine,
  known: readonly string[] | undefined,
  width: number,
  check: (fields: readonly string[]) => Row,
): Row {
  if (bytes.length === 0) throw new SyntaxError("an empty line");
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new SyntaxError("broken UTF-8");
  const [fields, ...more] = known ? [known] : parseRecords(text);
  if (fields === undefined || more.length > 0) throw new SyntaxError("no single record");
  if (fields.some(hasControl)) throw new SyntaxError("a control character");
  if (fields.length !== width) throw new SyntaxError(`${fields.length} fields, expected ${width}`);
  const row = check(fields);
  if (terminated) return row;
  for (const longer of ["0", "a"]) {
    // Where a longer last field would pass, too, this one may be the beginning of it.
    try {
      check([...fields.slice(0, -1), `${fields.at(-1)}${longer}`]);
    } catch {
      continue;
    }
    throw new SyntaxError("no line end, so it may be cut short; if it is whole, add the line end");
  }
  return row;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A line of a file in bytes, which may be invalid text. */
interface ByteLine {
  /** Bytes without the line end (LF or CR LF). */
  readonly bytes: Uint8Array;
  /** False for a last line without line end, which may be truncated. */
  readonly terminated: boolean;
}

/** Splits a file into lines. An empty rest after the last line end is no line. */
export function splitLines(bytes: Uint8Array): readonly ByteLine[] {
  const lines: ByteLine[] = [];
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found === -1 ? bytes.length : found;
    const carriage = found !== -1 && end > start && bytes[end - 1] === CARRIAGE_RETURN ? 1 : 0;
    lines.push({ bytes: bytes.subarray(start, end - carriage), terminated: found !== -1 });
    start = end + 1;
  }
  return lines;
}

/** Decodes UTF-8, including a byte order mark; undefined for invalid bytes. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns a message for UTF-16, in which some spreadsheets save text; undefined for others. */
export function utf16Problem(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const isMarked = first === 0xff && second === 0xfe || first === 0xfe && second === 0xff;
  if (!isMarked && (second === undefined || (first === 0) === (second === 0))) return undefined;
  return "it is text in UTF-16; save it as UTF-8";
}

/**
 * Reads a user's UTF-8 text without byte order mark. @throws {SyntaxError} with the message of
 * `refuse` for other encodings; {RangeError} for an unreadable file.
 */
export function readInputText(path: string, refuse: Refusal): string {
  const bytes = readInput(path, refuse);
  const text = decodeUtf8(bytes);
  const utf16 = utf16Problem(bytes);
  if (text !== undefined && utf16 === undefined) return text.replace(/^\ufeff/, "");
  throw new SyntaxError(refuse(utf16 ?? "it is no text in UTF-8; save it as such"));
}

/**
 * Escapes a line without loss: backslashes are doubled; invalid bytes and control characters except
 * tabs become `\xNN`.
 */
export function escapeLine(bytes: Uint8Array): string {
  const whole = decodeUtf8(bytes);
  if (whole !== undefined) return escapeText(whole);
  let escaped = "";
  for (let at = 0; at < bytes.length;) {
    const characters = [1, 2, 3, 4].map((length) => bytes.subarray(at, at + length));
    const character = characters.find((some) => decodeUtf8(some) !== undefined);
    escaped += character ? escapeText(decodeUtf8(character)!) : hex(bytes[at]!);
    at += character?.length ?? 1;
  }
  return escaped;
}

const escapeText = (text: string) =>
  text.replace(
    /\\|(?!\t)\p{Cc}/gu,
    (sign) => sign === "\\" ? "\\\\" : [...Buffer.from(sign)].map(hex).join(""),
  );

const hex = (byte: number) => `\\x${byte.toString(16).padStart(2, "0")}`;

/** Tests for control characters except tabs. */
const hasControl = (text: string) => /(?!\t)\p{Cc}/u.test(text);

/**
 * Returns the reason for an invalid line in one line: the error's message, or zod's issues by
 * field.
 */
export function damageReason(error: unknown): string {
  // zod's own message is a page of JSON.
  const message = error instanceof z.ZodError
    ? error.issues.map(({ path, message }) =>
      path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`
    ).join("; ")
    : error instanceof Error
    ? error.message
    : String(error);
  return message.replace(/\s+/g, " ").trim() || "refused without a reason";
}

const DAMAGE_COLUMNS = ["line", "reason", "text"] as const;

/** Returns the path of a table's damaged lines: `x.csv` → `x.damaged.csv`. */
export const damagedPath = (path: string) => path.replace(/(\.csv)?$/i, ".damaged.csv");

/**
 * Moves damaged lines of a table into `<name>.damaged.csv`, with line and reason.
 *
 * A missing last line end is added. Lines are written there before they are removed from the table.
 * Both files are replaced atomically, and repetition has no effect. A crash at any time thus
 * neither loses nor duplicates lines.
 */
export function setAsideDamaged(path: string, damaged: readonly DamagedLine[]): void {
  const lines = splitLines(Deno.readFileSync(path));
  // A line number alone could mean another line by now.
  const leaving = damaged.filter(({ line, text }) => {
    const found = lines[line - 1];
    return found !== undefined && escapeLine(found.bytes) === text;
  });
  if (leaving.length === 0 && (lines.at(-1)?.terminated ?? true)) return;
  if (leaving.length > 0) {
    const [place, rows] = [
      damagedPath(path),
      leaving.map((one) => formatCsvRow(DAMAGE_COLUMNS, one)),
    ];
    const before = readTextIfThere(place) || formatCsv(DAMAGE_COLUMNS, []);
    const kept = new Set(before.split("\n"));
    const added = rows.filter((row) => !kept.has(row.trimEnd()));
    if (added.length > 0) writeTextAtomic(place, before + added.join(""));
  }
  const gone = new Set(leaving.map(({ line }) => line - 1));
  const staying = lines.filter((_, index) => !gone.has(index));
  writeBytesAtomic(path, Buffer.concat(staying.flatMap(({ bytes }) => [bytes, END])));
}

const END = Uint8Array.of(LINE_FEED);

/**
 * Prevents spreadsheets from interpreting text as a formula.
 *
 * Text that begins with = + - @ or their full-width forms (possibly after white space), a tab or a
 * line break is prefixed with an apostrophe (OWASP, CSV Injection). Line breaks become spaces, and
 * control characters except tabs are removed. Only for CSV: workbooks have text cells, whose hashes
 * would change. Not for numbers.
 */
export function withoutFormulas(text: string): string {
  // First, so that nothing dangerous comes to the front by it.
  const printable = text.replace(/(?![\t\r\n])\p{Cc}/gu, "").toWellFormed();
  const guarded = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/.test(printable) ? `'${printable}` : printable;
  return guarded.replace(/\r\n?|\n/g, " ");
}
