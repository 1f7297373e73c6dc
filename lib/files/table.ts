/**
 * Descriptions of tables: path, columns with a sentence each, key, and maker.
 * The row type, the reader, the resumable appender, the writer and the manifest entry follow from
 * one description.
 */
import { existsSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { z } from "zod";
import {
  explainingWriteErrors,
  markAppendable,
  readTextIfThere,
  writeTextAtomic,
  writeWhole,
} from "./atomic.ts";
import {
  type CsvValue,
  formatCsv,
  formatCsvRow,
  type ParsedCsv,
  readCsv,
  setAsideDamaged,
} from "./csv.ts";

/** A column: how its fields are read and written, and its sentence in the manifest. */
export interface Column<Value> {
  readonly schema: z.ZodType<Value, string>;
  readonly sentence: string;
  /** Formats the value; as text, number or True/False by default. */
  write?(value: Value): CsvValue;
}

type Columns = Readonly<Record<string, Column<unknown>>>;
type Flat<C extends Columns> = {
  readonly [Name in keyof C]: C[Name] extends Column<infer V> ? V : never;
};

/** A column of texts: one line each, no control characters. */
export function text(sentence: string): Column<string> {
  return { schema: z.string(), sentence };
}

/** A column of texts that are not empty. */
export function name(sentence: string): Column<string> {
  return { schema: z.string().min(1), sentence };
}

/** A column with one of several words. */
export function oneOf<const Word extends string>(
  words: readonly Word[],
  sentence: string,
): Column<Word> {
  return { schema: z.enum(words), sentence };
}

/** Bounds of a number, both included. */
interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

const numeric = z.string().transform((field, context) => {
  const value = field.trim() === "" ? NaN : Number(field);
  if (Number.isFinite(value)) return value;
  context.addIssue({ code: "custom", message: `"${field}" is no number` });
  return z.NEVER;
});

const within = ({ min = -Infinity, max = Infinity }: Bounds) => z.number().min(min).max(max);

/** A column of finite numbers. */
export function number(sentence: string, bounds: Bounds = {}): Column<number> {
  return { schema: numeric.pipe(within(bounds)), sentence };
}

/** A column of whole numbers, from 0 on by default. */
export function wholeNumber(sentence: string, bounds: Bounds = {}): Column<number> {
  return { schema: numeric.pipe(within({ min: 0, ...bounds }).int()), sentence };
}

/** A column of numbers with exactly `places` decimals; others are refused. */
export function decimals(places: number, sentence: string, bounds: Bounds = {}): Column<number> {
  const shape = new RegExp(places === 0 ? "^-?\\d+$" : `^-?\\d+\\.\\d{${places}}$`);
  const schema = z.string().regex(shape, `not a number with ${places} decimals`)
    .transform(Number).pipe(within(bounds));
  // Adding 0 turns the -0 of "-0.00" into 0.
  const write = (value: number) => (0 + Number(value.toFixed(places))).toFixed(places);
  return { schema, sentence, write };
}

/** A column of yes or no, written `True` and `False`. */
export function flag(sentence: string): Column<boolean> {
  return { schema: z.enum(["True", "False"]).transform((word) => word === "True"), sentence };
}

/** A column whose fields may be empty. A missing value is the empty text, never 0 or NaN. */
export function blankOr<Value>({ schema, sentence, write }: Column<Value>): Column<Value | ""> {
  return {
    schema: z.union([z.literal(""), schema]) as z.ZodType<Value | "", string>,
    sentence,
    write: write && ((value) => value === "" ? "" : write(value as Value)),
  };
}

/**
 * A column of numbers that may be missing, with six decimals.
 * Processors differ only in later digits.
 */
export function decimalOrBlank(sentence: string): Column<number | ""> {
  const write = (value: number | "") => value === "" ? "" : 0 + Number(value.toFixed(6));
  return { ...blankOr(number(sentence)), write };
}

/** The columns of a measure, `estimate`, `low` and `high`; `how` names its clusters. */
export function measureColumns(how: string) {
  return {
    estimate: decimalOrBlank("value of the estimate; empty if undefined"),
    low: decimalOrBlank(`lower end of the 95 % interval, ${how}; may be empty`),
    high: decimalOrBlank("upper end of the 95 % interval; may be empty"),
  };
}

/** A column of values of any shape, stored as JSON on one line. */
export function json<Value>(shape: z.ZodType<Value>, sentence: string): Column<Value> {
  const parsed = z.string().transform((field, context): unknown => {
    try {
      return JSON.parse(field);
    } catch {
      context.addIssue({ code: "custom", message: "no JSON" });
      return z.NEVER;
    }
  });
  const schema = parsed.pipe(shape as z.ZodType<Value, unknown>);
  return { schema, sentence, write: (value) => JSON.stringify(value) };
}

/** A column with its own schema and format. */
export function field<Value>(
  schema: z.ZodType<Value, string>,
  sentence: string,
  write?: (value: Value) => CsvValue,
): Column<Value> {
  return { schema, sentence, write };
}

/** A file of `data/` as the manifest describes it. */
export interface DataFile {
  /** Absolute path. */
  readonly path: string;
  /** Contents and origin of the file, for the manifest. */
  readonly about: string;
  /** Licence of the contents; the project's own by default. */
  readonly licence: string;
  /** A sentence per column; empty for a file that is not a table. */
  readonly sentences: Readonly<Record<string, string>>;
  /** Reason why the file may be absent; the manifest leaves it out then. */
  readonly whenMissing?: string;
}

/** Describes a file that is not a CSV table, for the manifest. */
export function fileEntry(
  path: string,
  about: string,
  { licence = "MIT", whenMissing, sentences = {} }: Partial<Omit<DataFile, "path" | "about">> = {},
): DataFile {
  return { path, about, licence, whenMissing, sentences };
}

/**
 * A data set outside this repository on which studies measure.
 * It states the origin and the file to put into a folder.
 */
export interface OutsideSet {
  readonly name: string;
  readonly file: string;
  /** SHA-256 of the file. */
  readonly sha256: string;
  readonly licence: string;
  /** Source to fetch: "FILE of OWNER/NAME at commit C"; never an address. */
  readonly origin: string;
  /** Steps that make the file from its source; empty if it is the source itself. */
  readonly made: string;
}

/**
 * Returns the path of a set's file in the folder of `--folder`.
 * Commands call it before any slow work.
 * @throws {Error} that names the file to get, if there is no folder or the file is not in it.
 */
export function outsideFile(set: OutsideSet, folder: string | undefined): string {
  const path = join(folder ?? "", set.file);
  if (folder !== undefined && existsSync(path)) return path;
  throw new Error(
    `Cannot read ${path}: the set ${set.name} is not part of this repository. Get ${set.origin} ` +
      `(licence: ${set.licence}), put it into a folder and name that with --folder.` +
      (set.made === "" ? "" : ` data/README.md says how ${set.file} is made of it.`),
  );
}

/** Description of a table. A row has a value per column, unless `form` maps it to another type. */
interface TableDescription<C extends Columns, Row>
  extends Omit<DataFile, "licence" | "sentences">, Partial<Pick<DataFile, "licence">> {
  /** Notebook or command that writes the table, for error messages. */
  readonly maker: string;
  /** Columns in file order. */
  readonly columns: C;
  /**
   * Mapping between columns and rows of another form. It precedes options that take a row, so that
   * its type is known there.
   */
  readonly form?: {
    readonly read: (fields: Flat<C>) => Row;
    readonly write: (row: Row) => Flat<C>;
  };
  /** Key of a row: columns, or a text made of the row; all columns by default. */
  readonly key?: readonly (keyof C & string)[] | ((row: Row) => string);
  /** Throws for an inconsistent row. */
  readonly check?: (row: Row) => void;
  /** Order of the rows of a finished file; as appended by default. */
  readonly order?: (a: Row, b: Row) => number;
}

/** A described table, with all operations on its file. */
export interface Table<Row> extends DataFile {
  readonly columns: readonly string[];
  /** Returns the same table at another path, for example in a user's folder. */
  at(path: string): Table<Row>;
  keyOf(row: Row): string;
  /** Parses a row from a line's fields, or throws with the reason. */
  parse(record: Fields): Row;
  /** Formats rows as CSV. Throws as `formatCsv` does. */
  format(rows: readonly Row[]): string;
  /**
   * Reads all rows.
   * @throws {SyntaxError} for a damaged line or header; NotFound without the file.
   */
  read(): readonly Row[];
  /** Reads rows and damaged lines of an unfinished file; none if there is no file. */
  readSoFar(): ParsedCsv<Row>;
  /** Writes the complete table atomically, in its order. */
  write(rows: readonly Row[]): void;
  /** Opens the table to continue it; only one process at a time can. */
  open(): OpenTable<Row>;
}

/** The row of a table. */
export type RowOf<T> = T extends Table<infer Row> ? Row : never;

/** A table open for appending. Damaged lines are moved to a file next to it. */
export interface OpenTable<Row> extends Disposable {
  /** Current rows by key; the last one where rows share a key. */
  readonly rows: ReadonlyMap<string, Row>;
  keyOf(row: Row): string;
  /**
   * Appends a row in one write of a whole line, unless the table has it already.
   * After it returns, the row survives a crash of the process. A row with the same key replaces the
   * earlier one.
   * @throws {RangeError} before writing, for a field that does not fit on one line.
   */
  put(row: Row): void;
  /**
   * Finishes the file: sorts rows, drops duplicates, and keeps only rows that pass `keep`.
   * The file is rewritten only if that changes it. An interrupted and resumed run ends with the
   * same bytes as an uninterrupted one.
   */
  finish(keep?: (row: Row) => boolean): void;
}

/** Describes a table. */
export function table<const C extends Columns, Row = Flat<C>>(
  description: TableDescription<C, Row>,
): Table<Row> {
  const { path, about, licence = "MIT", maker, form, key, check, order, whenMissing } = description;
  if (!isAbsolute(path)) {
    throw new RangeError(`Cannot describe table ${path}: the path is not absolute.`);
  }
  const entries = Object.entries(description.columns);
  const columns = entries.map(([column]) => column);
  const schema = z.object(
    Object.fromEntries(entries.map(([column, { schema }]) => [column, schema])),
  );
  const parse = (record: Fields): Row => {
    const fields = schema.parse(record) as Flat<C>;
    const row = form ? form.read(fields) : fields as Row;
    check?.(row);
    return row;
  };
  const fieldsOf = (row: Row) =>
    (form ? form.write(row) : row) as Readonly<Record<string, unknown>>;
  const write = (row: Row): Readonly<Record<string, CsvValue>> => {
    const fields = fieldsOf(row);
    return Object.fromEntries(entries.map(([column, { write }]) => [
      column,
      write ? write(fields[column]) : fields[column] as CsvValue,
    ]));
  };
  const keyOf = typeof key === "function" ? key : (row: Row) => {
    const fields = fieldsOf(row);
    return JSON.stringify((key ?? columns).map((column) => fields[column]));
  };
  const format = (rows: readonly Row[]) => formatCsv(columns, rows.map(write));
  const inOrder = (rows: readonly Row[]) => format(order ? rows.toSorted(order) : rows);
  const sentences = Object.fromEntries(entries.map(([column, { sentence }]) => [column, sentence]));
  return {
    path,
    about,
    licence,
    whenMissing,
    sentences,
    columns,
    keyOf,
    format,
    parse,
    at: (other) => table({ ...description, path: other }),
    read() {
      const { rows, damaged: [first, ...more] } = readCsv(path, columns, parse);
      if (first === undefined) return rows;
      throw new SyntaxError(
        `Cannot read ${path}: line ${first.line} is damaged (${first.reason}), ` +
          `${1 + more.length} such in all. Run ${maker} again, or restore the committed file.`,
      );
    },
    readSoFar() {
      return isUnbegun(path, format([]))
        ? { rows: [], damaged: [] }
        : readCsv(path, columns, parse);
    },
    write(rows) {
      const whole = inOrder(rows);
      if (readTextIfThere(path) !== whole) writeTextAtomic(path, whole);
    },
    open() {
      if (isUnbegun(path, format([]))) writeTextAtomic(path, format([]));
      const { rows: found, damaged } = readCsv(path, columns, parse);
      markAppendable(path);
      setAsideDamaged(path, damaged);
      const rows = new Map(found.map((row) => [keyOf(row), row]));
      const line = (row: Row) => formatCsvRow(columns, write(row));
      const file = explainingWriteErrors(path, () => Deno.openSync(path, { append: true }));
      let state: "open" | "it is closed" | "a write failed" = "open";
      const close = () => {
        if (state !== "it is closed") file.close();
        state = "it is closed";
      };
      return {
        rows,
        keyOf,
        put(row) {
          const [before, after] = [rows.get(keyOf(row)), line(row)];
          if (before !== undefined && line(before) === after) return;
          if (state !== "open") {
            throw new Error(`Cannot append to ${path}: ${state}. Open it again.`);
          }
          state = "a write failed"; // Until the line is whole: half a line must not be written on to.
          explainingWriteErrors(path, () => writeWhole(file, new TextEncoder().encode(after)));
          state = "open";
          rows.set(keyOf(row), row);
        },
        finish(keep = () => true) {
          close();
          const whole = inOrder([...rows.values()].filter(keep));
          if (Deno.readTextFileSync(path) !== whole) writeTextAtomic(path, whole);
        },
        [Symbol.dispose]: close,
      };
    },
  };
}

type Fields = Readonly<Record<string, string>>;

/** Returns true if the file is missing or ends within its header. */
function isUnbegun(path: string, header: string): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  // A file that is longer has rows, or another header: it is not read here only to be read again.
  if (size > new TextEncoder().encode(header).length) return false;
  return header.startsWith(readTextIfThere(path) ?? "");
}

/** Code-unit order, which is the same on every machine. */
export const compareText = (a: string, b: string) => a < b ? -1 : Number(a > b);
