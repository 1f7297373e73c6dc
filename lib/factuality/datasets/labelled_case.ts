import { basename, extname } from "node:path";
import { parse } from "csv-parse/sync";
import { z } from "zod";
import { sha256Hex } from "../../files/atomic.ts";
import { type DamagedLine, damageReason } from "../../files/csv.ts";
import { readJsonLines } from "../../files/json.ts";
import type { Passage, VerdictLabel } from "../types.ts";

/** What people said of a claim; sets with two labels do not tell refuted from not enough info. */
export type CaseLabel = VerdictLabel | "not supported";

/** One claim whose truth against its passages is known. */
export interface LabelledCase {
  /** Unique in its set. */
  readonly id: string;
  readonly claim: string;
  /** What it is checked against; empty where the set gives no evidence. */
  readonly passages: readonly Passage[];
  readonly label: CaseLabel;
  /** The response, question or entity it came from: the unit of the bootstrap. */
  readonly cluster: string;
  /** Name of the data set. */
  readonly set: string;
  /** What it is for, where the set says so. */
  readonly split?: CaseSplit;
}

/** What a labelled case is for: to learn from, to choose by, or to measure on. */
type CaseSplit = "train" | "development" | "test";

/** The cases of a file, and an account of everything in it that is none. */
export interface LoadedCases {
  /** In the order of the file. */
  readonly cases: readonly LabelledCase[];
  /** Lines that are no row of the format, and why. */
  readonly damaged: readonly DamagedLine[];
  /** Sound rows, or parts of them, that no case can be made of. */
  readonly leftOut: readonly LeftOut[];
}

interface LeftOut {
  /** As the case's would have been. */
  readonly id: string;
  readonly reason: string;
}

/** What one row gives. */
export type RowCases =
  | { readonly kind: "case"; readonly value: LabelledCase }
  | { readonly kind: "left out"; readonly value: LeftOut };

export function labelled(value: LabelledCase): RowCases {
  return { kind: "case", value };
}

export function leftOut(id: string, reason: string): RowCases {
  return { kind: "left out", value: { id, reason } };
}

/**
 * Reads a file of JSON objects, one a line; `casesOf` is given each sound row and its line number
 * from 1. Damaged lines are reported and passed over.
 * @throws {Error} naming the file, where it cannot be read.
 */
export function loadCases<Row>(
  path: string,
  schema: z.ZodType<Row>,
  casesOf: (row: Row, line: number) => readonly RowCases[],
): LoadedCases {
  const { rows, damaged } = readRows(path, schema);
  const broken = new Set(damaged.map(({ line }) => line));
  const sound = Array.from({ length: rows.length + damaged.length }, (_, index) => index + 1)
    .filter((line) => !broken.has(line));
  return collected(rows.flatMap((row, index) => casesOf(row, sound[index]!)), damaged);
}

/** Rows of a file, without cases yet. Throws as {@link loadCases} does. */
export function readRows<Row>(path: string, schema: z.ZodType<Row>) {
  try {
    return readJsonLines(path, (value) => schema.parse(value));
  } catch (cause) {
    throw new Error(
      `Cannot read the cases: ${path} cannot be opened. Check the path; the data sets lie ` +
        "beside the project and are not part of it.",
      { cause },
    );
  }
}

export function collected(
  made: readonly RowCases[],
  damaged: readonly DamagedLine[],
): LoadedCases {
  return {
    cases: made.flatMap((one) => one.kind === "case" ? [one.value] : []),
    damaged,
    leftOut: made.flatMap((one) => one.kind === "left out" ? [one.value] : []),
  };
}

/** The text that a data set gives with a claim. */
export function evidencePassage(set: string, id: string, text: string, title = ""): Passage {
  return { id: `${id}/evidence`, text, collection: set, title, section: "" };
}

/** A row by its columns, and the line that it ends on: a field in quotes may hold line breaks. */
interface CsvRecord {
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

/** What files call a label, in lower case. Those with two values tell no refuted from unknown. */
const LABELS: Readonly<Record<CaseLabel, readonly string[]>> = {
  supported: ["supported", "supports", "entailment", "true", "1", "yes"],
  refuted: ["refuted", "refutes", "contradiction"],
  "not enough info": ["not enough info", "neutral"],
  "not supported": ["not supported", "false", "0", "no"],
};

const READ: ReadonlyMap<string, CaseLabel> = new Map(
  (Object.keys(LABELS) as CaseLabel[])
    .flatMap((label) => LABELS[label].map((name) => [name, label] as const)),
);

/** The words that {@link statedLabel} understands, for messages. */
export const LABELS_UNDERSTOOD = Object.entries(LABELS)
  .map(([label, names]) => names.filter((name) => name !== label).join(", ") + ` (${label})`)
  .join("; ");

/** What a file's word for a label means, in capitals or not; undefined for any other word. */
export function statedLabel(text: string): CaseLabel | undefined {
  return READ.get(text.trim().toLowerCase().replaceAll(/[\s_-]+/gu, " "));
}

/** What files call a split, in lower case. */
const SPLITS: Readonly<Record<CaseSplit, readonly string[]>> = {
  train: ["train", "training"],
  development: ["development", "dev", "validation", "valid", "val"],
  test: ["test", "testing"],
};

/** The words that {@link statedSplit} understands, for messages. */
const SPLITS_UNDERSTOOD = Object.values(SPLITS).flat().join(", ");

/** What a file's word for a split means, in capitals or not; undefined for any other word. */
function statedSplit(text: string): CaseSplit | undefined {
  const word = text.trim().toLowerCase();
  return (Object.keys(SPLITS) as CaseSplit[]).find((split) => SPLITS[split].includes(word));
}

/** What a field may be called; of several in one row the first counts. */
const NAMES = {
  claim: ["claim", "statement", "response", "hypothesis"],
  source: ["source", "evidence", "document", "context", "premise", "knowledge"],
  label: ["label"],
  id: ["id"],
  cluster: ["cluster", "response_id", "topic"],
  split: ["split"],
} as const;

const needed = (field: "claim" | "label") => `is missing or no text; name it ${either(field)}`;
const NAME = z.union([z.string(), z.number()]).transform(String);

const FIELDS = z.object({
  claim: z.string({ error: needed("claim") }),
  /** Empty where there is nothing to check against. */
  source: z.union([z.string(), z.array(z.string())], { error: "is no text or list of texts" })
    .default([]).transform((source) => [source].flat().filter((text) => text.trim() !== "")),
  label: z.union([z.string(), z.number(), z.boolean()], { error: needed("label") })
    .transform(String),
  id: NAME.optional(),
  cluster: NAME.optional(),
  split: NAME.optional(),
});

type Fields = z.infer<typeof FIELDS>;
const ROW = z.preprocess(underOneName, FIELDS);

/**
 * Somebody's own labelled claims: CSV with a header where the name ends in `.csv`, else JSON objects,
 * one a line. A row has a claim, the source that it is checked against (a text; in JSON also a list
 * of texts), a label, and where they are known an id, a cluster and a split; {@link NAMES} has what
 * each may be called. Rows without an id are named by their line. Without a cluster, claims with one
 * source belong together. The set is called as the file, without its ending. A second row of the
 * same id is left out.
 *
 * @throws {Error} naming the file where it cannot be read or lacks a column, and the row where a
 * label or split is none that is understood: a whole class of them must not go missing unseen.
 */
export function labelledFile(path: string): LoadedCases {
  const set = basename(path, extname(path));
  const ids = new Set<string>();
  const casesOf = (row: Fields, line: number): readonly RowCases[] => {
    const made = caseOf(row, { path, line, set });
    const { id } = made.value;
    if (ids.has(id)) return [leftOut(id, `line ${line} has the id of a line before it`)];
    ids.add(id);
    return [made];
  };
  return extname(path).toLowerCase() === ".csv"
    ? loadCsv(path, casesOf)
    : loadCases(path, ROW, casesOf);
}

interface Place {
  readonly path: string;
  readonly line: number;
  readonly set: string;
}

function caseOf(row: Fields, { path, line, set }: Place): RowCases {
  const { id = `line-${line}`, claim, source } = row;
  const label = statedLabel(row.label);
  if (label === undefined) {
    throw new Error(
      `Cannot read the cases: ${path}, line ${line}: the label is "${row.label}". Understood, in ` +
        `capitals or not, are ${LABELS_UNDERSTOOD}.`,
    );
  }
  const split = row.split === undefined ? {} : { split: splitOf(row.split, path, line) };
  const passages = source.map((text, index) => evidencePassage(set, `${id}/${index + 1}`, text));
  const ofSource = sha256Hex(JSON.stringify(source.length > 0 ? source : claim)).slice(0, 16);
  return labelled({ id, claim, passages, label, cluster: row.cluster ?? ofSource, set, ...split });
}

function splitOf(text: string, path: string, line: number): CaseSplit {
  const split = statedSplit(text);
  if (split !== undefined) return split;
  throw new Error(
    `Cannot read the cases: ${path}, line ${line}: the split is "${text}". Understood are ` +
      `${SPLITS_UNDERSTOOD}.`,
  );
}

function loadCsv(
  path: string,
  casesOf: (row: Fields, line: number) => readonly RowCases[],
): LoadedCases {
  return casesOfRecords(readRecords(path), ROW, casesOf);
}

function readRecords(path: string) {
  try {
    return readCsvRecords(path, (header) => {
      const columns = header.map((name) => name.trim().toLowerCase());
      for (const field of ["claim", "label"] as const) {
        if (NAMES[field].some((name) => columns.includes(name))) continue;
        throw new SyntaxError(`the column with the ${field} is missing; name it ${either(field)}`);
      }
      return columns;
    });
  } catch (cause) {
    throw new Error(`Cannot read the cases: ${path}: ${damageReason(cause)}.`, { cause });
  }
}

/** The row with our names for its fields; what is empty or null is not there. */
function underOneName(row: unknown): unknown {
  const record = z.record(z.string(), z.unknown()).safeParse(row);
  if (!record.success) return row;
  const isThere = (value: unknown) =>
    value !== null && value !== undefined && !(typeof value === "string" && value.trim() === "");
  return Object.fromEntries(
    Object.entries(NAMES).flatMap(([field, names]) => {
      const value = names.map((name) => record.data[name]).find(isThere);
      return value === undefined ? [] : [[field, value]];
    }),
  );
}

function either(field: keyof typeof NAMES): string {
  return NAMES[field].join(" or ");
}
