import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { readTextIfThere, writeBytesAtomic, writeTextAtomic } from "./atomic.ts";

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

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** One line of a file, as bytes: what a line holds may be no text any more. */
interface Line {
  /** Without the line's end, be it LF or CR LF. */
  readonly bytes: Uint8Array;
  /** False for a last line that lacks its end: a write that was cut, or an editor's habit. */
  readonly terminated: boolean;
}

/** The lines of a file. What follows the last line's end is no line when it is empty. */
export function splitLines(bytes: Uint8Array): readonly Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found === -1 ? bytes.length : found;
    const carriage = found !== -1 && end > start && bytes[end - 1] === CARRIAGE_RETURN ? 1 : 0;
    lines.push({ bytes: bytes.subarray(start, end - carriage), terminated: found !== -1 });
    start = end + 1;
  }
  return lines;
}

/** The text of a line, or nothing where it is no UTF-8. */
export function decodeLine(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * A line as one line of text that loses nothing: a backslash is doubled; bytes that are no
 * UTF-8, and control characters other than the tab, become `\xNN`.
 */
export function escapeLine(bytes: Uint8Array): string {
  const whole = decodeLine(bytes);
  if (whole !== undefined) return escapeText(whole);
  let escaped = "";
  for (let position = 0; position < bytes.length;) {
    const length = characterLength(bytes, position);
    const character = bytes.subarray(position, position + Math.max(length, 1));
    escaped += length > 0 ? escapeText(decodeLine(character) ?? "") : hex(character[0] ?? 0);
    position += character.length;
  }
  return escaped;
}

/** Bytes of the UTF-8 character that begins here; 0 where none does. */
function characterLength(bytes: Uint8Array, position: number): number {
  return [1, 2, 3, 4].find((length) =>
    position + length <= bytes.length &&
    decodeLine(bytes.subarray(position, position + length)) !== undefined
  ) ?? 0;
}

function escapeText(text: string): string {
  return text.replace(
    /\\|(?!\t)\p{Cc}/gu,
    (character) =>
      character === "\\" ? "\\\\" : [...new TextEncoder().encode(character)].map(hex).join(""),
  );
}

function hex(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, "0")}`;
}

/** Whether a text holds a control character other than the tab: a line break among them. */
function hasControl(text: string): boolean {
  return /(?!\t)\p{Cc}/u.test(text);
}

/** A line that was looked at: a row, or damage. */
type CheckedLine<Row> =
  | { readonly kind: "row"; readonly row: Row }
  | { readonly kind: "damaged"; readonly text: string; readonly reason: string };

/** Makes a row of as many fields as there are columns, or throws. */
type LineCheck<Row> = (fields: readonly string[]) => Row;

/** Lines that are parsed in one go: csv-parse takes ten times longer for a line alone. */
const BATCH_LINES = 256;

/** Checks every line by itself: a quote that never closes cannot swallow the lines after it. */
function checkLines<Row>(
  lines: readonly Line[],
  width: number,
  check: LineCheck<Row>,
): readonly CheckedLine<Row>[] {
  const checked: CheckedLine<Row>[] = [];
  for (let start = 0; start < lines.length; start += BATCH_LINES) {
    const batch = lines.slice(start, start + BATCH_LINES);
    const fields = splitBatch(batch);
    checked.push(...batch.map((line, index) => checkLine(line, fields?.[index], width, check)));
  }
  return checked;
}

/**
 * The fields of sound lines, or nothing where one of them may be damaged. A record takes a line
 * or more, so as many records as lines means that each record is one line.
 */
function splitBatch(batch: readonly Line[]): readonly string[][] | undefined {
  const texts = batch.map((line) => decodeLine(line.bytes));
  if (texts.includes(undefined)) return undefined;
  try {
    const records = parseRecords(texts.join("\n"));
    return records.length === batch.length ? records : undefined;
  } catch {
    return undefined;
  }
}

function parseRecords(text: string): string[][] {
  return parse(text, { relax_column_count: true, record_delimiter: "\n" });
}

function checkLine<Row>(
  line: Line,
  known: readonly string[] | undefined,
  width: number,
  check: LineCheck<Row>,
): CheckedLine<Row> {
  try {
    if (line.bytes.length === 0) throw new SyntaxError("an empty line");
    const fields = known ?? splitLine(line.bytes);
    if (fields.some(hasControl)) throw new SyntaxError("a control character");
    if (fields.length !== width) {
      throw new SyntaxError(`${fields.length} fields, expected ${width}`);
    }
    const row = check(fields);
    if (!line.terminated && isOpenEnded(fields, check)) {
      throw new SyntaxError(
        "no line end, so it may be cut short; if it is whole, add the line end",
      );
    }
    return { kind: "row", row };
  } catch (error) {
    return { kind: "damaged", text: escapeLine(line.bytes), reason: damageReason(error) };
  }
}

function splitLine(bytes: Uint8Array): readonly string[] {
  const text = decodeLine(bytes);
  if (text === undefined) throw new SyntaxError("broken UTF-8");
  const [fields, ...more] = parseRecords(text);
  if (fields === undefined || more.length > 0) throw new SyntaxError("no single record");
  return fields;
}

/** Whether a longer last field would pass, too: then this one may be the beginning of it. */
function isOpenEnded<Row>(fields: readonly string[], check: LineCheck<Row>): boolean {
  return ["0", "a"].some((longer) => {
    try {
      check([...fields.slice(0, -1), `${fields.at(-1)}${longer}`]);
      return true;
    } catch {
      return false;
    }
  });
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Why a line is no row, on one line: an error's message, or a zod error's, field by field. */
export function damageReason(error: unknown): string {
  const message = error instanceof Error ? messageOf(error) : String(error);
  return message.replace(/\s+/g, " ").trim() || "refused without a reason";
}

/** zod's own message is a page of JSON. */
function messageOf(error: Error): string {
  if (error.name !== "ZodError" || !("issues" in error)) return error.message;
  return (error.issues as readonly Issue[])
    .map(({ path, message }) => `${path.map(String).join(".")}: ${message}`)
    .join("; ");
}

const DAMAGE_COLUMNS = ["line", "reason", "text"] as const;

/** Where the damaged lines of a table are kept: `x.csv` → `x.damaged.csv`. */
export function damagedPath(path: string): string {
  return path.replace(/(\.csv)?$/i, ".damaged.csv");
}

/**
 * Moves damaged lines out of a table into `<name>.damaged.csv` beside it, with line number and
 * reason, and ends the last line. The lines are kept there before they leave the table, both
 * files are replaced atomically, and a second call changes nothing: whenever the process dies,
 * no line is lost and none kept twice.
 */
export function setAsideDamaged(path: string, damaged: readonly DamagedLine[]): void {
  const lines = splitLines(Deno.readFileSync(path));
  const wanted = new Map(damaged.map((entry) => [entry.line, entry]));
  // A line number alone could mean another line by now.
  const leaving = lines.map(({ bytes }, index) => {
    const entry = wanted.get(index + 1);
    return entry !== undefined && entry.text === escapeLine(bytes) ? entry : undefined;
  });
  const entries = leaving.filter((entry) => entry !== undefined);
  if (entries.length === 0 && (lines.at(-1)?.terminated ?? true)) return;
  if (entries.length > 0) keep(damagedPath(path), entries);
  writeBytesAtomic(path, joinLines(lines.filter((_, i) => !leaving[i]).map(({ bytes }) => bytes)));
}

function keep(path: string, entries: readonly DamagedLine[]): void {
  const before = readTextIfThere(path) || formatCsv(DAMAGE_COLUMNS, []);
  const kept = new Set(before.split("\n"));
  const added = entries
    .map(({ line, text, reason }) => formatCsvRow(DAMAGE_COLUMNS, { line, text, reason }))
    .filter((line) => !kept.has(line.trimEnd()));
  if (added.length > 0) writeTextAtomic(path, before + added.join(""));
}

function joinLines(lines: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(lines.reduce((sum, line) => sum + line.length + 1, 0));
  let position = 0;
  for (const line of lines) {
    joined.set(line, position);
    joined[position + line.length] = 0x0a;
    position += line.length + 1;
  }
  return joined;
}

/**
 * Text that no spreadsheet takes for a formula: what begins, be it after white space, with = + - @
 * or their full-width forms, or with a tab or a line break, gets an apostrophe in front (OWASP, CSV
 * Injection). Line breaks become spaces and other control characters but the tab are left out, for
 * one line is one row. Only for CSV: in a workbook, text cells are text, and a changed text would no
 * longer match its hash. Numbers are never to go through here.
 */
export function inertText(text: string): string {
  // First, so that nothing dangerous comes to the front by it.
  const printable = text.replace(/(?![\t\r\n])\p{Cc}/gu, "").toWellFormed();
  const guarded = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/.test(printable) ? `'${printable}` : printable;
  return guarded.replace(/\r\n?|\n/g, " ");
}
