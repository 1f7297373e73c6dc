/** CSV line by line: one line is one row, and damage stays where it happens. */
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

/** Value of a field. "Unknown" is no value: the row states in words that it is unknown. */
export type CsvValue = string | number | boolean;

/** A line that is no row of the table, and why. */
export interface DamagedLine {
  /** 1-based, the header being line 1. */
  readonly line: number;
  /** The line without its end; a backslash is doubled, what is no printable text is `\xNN`. */
  readonly text: string;
  readonly reason: string;
}

/** Rows of a table: the valid ones, and every damaged line. */
export interface ParsedCsv<Row> {
  readonly rows: readonly Row[];
  readonly damaged: readonly DamagedLine[];
}

/** Parses the fields of a line to a row, or throws with the reason. */
type ParseRow<Column extends string, Row> = (
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

/** A record of a foreign table by its columns, and the line that it ends on. */
interface ForeignRecord {
  readonly line: number;
  readonly record: Readonly<Record<string, string>>;
}

/**
 * Reads the records of a foreign table with a header.
 *
 * Delimiters are commas, semicolons or tabs; a byte order mark is optional; empty lines are
 * skipped.
 * @param columns Maps the header's names to the names of the record's fields; throws where one is
 * missing.
 * @param refuse Called with a record that cannot be read, which is left out; without it the first
 * one throws.
 * @throws {CsvError} for a record that cannot be read, and for anything that `refuse` throws.
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

/** Characters of a wrong header that a message quotes. */
const LONGEST_HEADER = 200;

/** Lines that are parsed in one go: csv-parse takes ten times longer for a line alone. */
const BATCH_LINES = 256;

/**
 * Parses a table line by line; damaged lines are set apart.
 *
 * Damage is a wrong number of fields, a stray quote, control characters, broken UTF-8, or a row
 * that `parseRow` refuses. A last line without a line break counts as damaged where a longer line
 * would be valid too: it may have been cut short. @param source Names the table in errors.
 * @throws {SyntaxError} where the header is not exactly `columns`, in this order.
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

/** {@link parseCsv} for a file. @throws {SyntaxError} naming one with other columns. */
export function readCsv<Column extends string, Row>(
  path: string,
  columns: readonly Column[],
  parseRow: ParseRow<Column, Row>,
): ParsedCsv<Row> {
  return parseCsv(Deno.readFileSync(path), columns, parseRow, path);
}

/** Returns the fields of each line, or undefined if a line may be damaged. */
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

/** Parses one line on its own: a quote that never closes cannot swallow the next line. */
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

/** One line of a file, as bytes: what a line holds may be no text any more. */
interface ByteLine {
  /** Bytes of the line without its end (LF or CR LF). */
  readonly bytes: Uint8Array;
  /** False for a last line that lacks its end: a write that was cut, or an editor's habit. */
  readonly terminated: boolean;
}

/** The lines of a file. What follows the last line's end is no line when it is empty. */
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

/** The text of bytes, a byte order mark included; nothing where they are no UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Explains bytes that are UTF-16 and not UTF-8, as some spreadsheets save text. */
export function utf16Problem(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  const isMarked = first === 0xff && second === 0xfe || first === 0xfe && second === 0xff;
  if (!isMarked && (second === undefined || (first === 0) === (second === 0))) return undefined;
  return "it is text in UTF-16; save it as UTF-8";
}

/**
 * Reads a user's text in UTF-8, without its byte order mark.
 * @throws {SyntaxError} in the words of `refuse` for other encodings; {RangeError} where it cannot
 * be read.
 */
export function readInputText(path: string, refuse: Refusal): string {
  const bytes = readInput(path, refuse);
  const text = decodeUtf8(bytes);
  const utf16 = utf16Problem(bytes);
  if (text !== undefined && utf16 === undefined) return text.replace(/^\ufeff/, "");
  throw new SyntaxError(refuse(utf16 ?? "it is no text in UTF-8; save it as such"));
}

/**
 * A line as one line of text that loses nothing: a backslash is doubled; bytes that are no
 * UTF-8, and control characters other than the tab, become `\xNN`.
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

/** Returns true if a text holds a control character other than the tab. */
const hasControl = (text: string) => /(?!\t)\p{Cc}/u.test(text);

/**
 * Returns in one line why a line is no row: an error's message, or a zod error's, field by field.
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

/** Path of a table's damaged lines: `x.csv` → `x.damaged.csv`. */
export const damagedPath = (path: string) => path.replace(/(\.csv)?$/i, ".damaged.csv");

/**
 * Moves damaged lines of a table into `<name>.damaged.csv`, with line and reason.
 *
 * The last line is ended. The lines are written there before they leave the table, both files are
 * replaced atomically, and a second call changes nothing: whenever the process dies, no line is
 * lost and none is kept twice.
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
 * Protects text from being read as a formula by spreadsheets.
 *
 * Text that begins, possibly after white space, with = + - @ or their full-width forms, or with a
 * tab or a line break, gets an apostrophe in front (OWASP, CSV Injection). Line breaks become
 * spaces and other control characters but the tab are left out, for one line is one row. Only for
 * CSV: in a workbook, text cells are text, and a changed text would no longer match its hash. Not
 * for numbers.
 */
export function withoutFormulas(text: string): string {
  // First, so that nothing dangerous comes to the front by it.
  const printable = text.replace(/(?![\t\r\n])\p{Cc}/gu, "").toWellFormed();
  const guarded = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/.test(printable) ? `'${printable}` : printable;
  return guarded.replace(/\r\n?|\n/g, " ");
}
