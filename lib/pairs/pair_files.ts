/**
 * Reads files of pairs in common formats into entries with columns.
 * @module
 */
import { existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, extname, join } from "node:path";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { parquetReadObjects } from "hyparquet";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { readInput } from "../files/atomic.ts";
import { damageReason, foreignRecords, readInputText } from "../files/csv.ts";
import { doubledKeys } from "../files/json.ts";

/** A pair as stored in its file. */
export interface PairEntry {
  /** Position for messages: `line 3`, `item 2`; in a folder preceded by the file's name. */
  readonly place: string;
  /** Line in the file, or number of the item, from 1. */
  readonly number: number;
  /** Name of the file, if several were read. */
  readonly file?: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Contents of a file or folder, and its faults. */
export interface PairFile {
  readonly entries: readonly PairEntry[];
  /** Description of the format, if the columns do not show it. */
  readonly form?: string | undefined;
  /** Messages for unreadable rows, each with its position. */
  readonly faults: readonly string[];
}

/**
 * Reads pairs from a table, JSON, Parquet, a SyntaxGym suite, or a data set's folder.
 *
 * Tables are separated by commas, semicolons or tabs. JSON is an array, or one object per line. A
 * folder is a Hugging Face data set or contains such files. YAML is an lm-eval task.
 * @throws {SyntaxError} for any other format, {RangeError} for an unreadable file.
 */
export async function readPairFile(path: string): Promise<PairFile> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return await folderOf(path);
  const form = extname(path).toLowerCase();
  if (form === ".parquet") return await parquetOf(path);
  const text = readInputText(path, (why) => why);
  if (text.trim() === "") throw new SyntaxError("it is empty");
  if (form === ".yaml" || form === ".yml") return await taskOf(text, dirname(path));
  if (/^\s*\[/.test(text)) return arrayOf(text);
  if (!/^\s*\{/.test(text)) return tableOf(text);
  // A suite is one object over many lines, or on one.
  const isLines = /^\s*\{[^\n]*\}\s*(\n|$)/.test(text) && !/"predictions"/.test(text);
  return isLines ? linesOf(text) : suiteOf(text);
}

/** Parses a table with a header. White space around column names is ignored. */
function tableOf(text: string): PairFile {
  const faults: string[] = [];
  let width = 0;
  const columns = (header: readonly string[]) => {
    const names = header.map((name) => name.trim());
    width = names.length;
    const twice = new Set(names.filter((name, at) => names.indexOf(name) !== at));
    for (const name of twice) {
      faults.push(`line 1: the column ${name || "without a name"} occurs twice`);
    }
    return names;
  };
  const refuse = (line: number, { code, record }: { code: string; record?: unknown }) => {
    const fields = Array.isArray(record) ? record.length : undefined;
    faults.push(
      code === "CSV_RECORD_INCONSISTENT_COLUMNS" || code === "CSV_INCONSISTENT_RECORD_LENGTH"
        ? `line ${line}: it has ${fields ?? "another number of"} fields, the header ${width}`
        : `line ${line}: a quotation mark stands where none can, or is not closed`,
    );
  };
  const entries = foreignRecords(text, { columns, refuse })
    .map(({ line, record }) => ({ place: `line ${line}`, number: line, fields: record }));
  return { entries, faults };
}

const OBJECT = z.record(z.string(), z.unknown());

/** Parses JSON Lines: one object per line. */
function linesOf(text: string): PairFile {
  const faults: string[] = [];
  const entries = text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    const place = `line ${index + 1}`;
    try {
      const fields = fieldsOf(JSON.parse(line));
      faults.push(...doubledFaults(line, index + 1));
      return [{ place, number: index + 1, fields }];
    } catch (error) {
      faults.push(`${place}: ${jsonFault(error)}`);
      return [];
    }
  });
  return { entries, faults };
}

/** Reports duplicate keys, of which `JSON.parse` keeps only the last. */
const doubledFaults = (json: string, firstLine = 1) =>
  doubledKeys(json).map(({ key, line }) =>
    `line ${firstLine + line - 1}: the key ${key} occurs twice in one object`
  );

/** Parses an array of objects. */
function arrayOf(text: string): PairFile {
  const { entries, faults } = objectsOf(parsed(text) as readonly unknown[], "item");
  return { entries, faults: [...doubledFaults(text), ...faults] };
}

/** Parses JSON. @throws {SyntaxError} for invalid JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SyntaxError(jsonFault(error));
  }
}

function objectsOf(rows: readonly unknown[], unit: string): PairFile {
  const faults: string[] = [];
  const entries = rows.flatMap((row, index) => {
    const place = `${unit} ${index + 1}`;
    try {
      return [{ place, number: index + 1, fields: fieldsOf(row) }];
    } catch (error) {
      faults.push(`${place}: ${jsonFault(error)}`);
      return [];
    }
  });
  return { entries, faults };
}

const jsonFault = (error: unknown) =>
  error instanceof SyntaxError
    ? `it is no JSON (${damageReason(error)})`
    : error instanceof z.ZodError
    ? "it is no object of columns and their values"
    : damageReason(error);

/**
 * Returns a row's columns. Columns in lm-eval's `doc` are included, and two choices become the
 * grammatical and ungrammatical member.
 */
function fieldsOf(row: unknown): PairEntry["fields"] {
  const { doc, ...own } = OBJECT.parse(row);
  const named = Object.entries({ ...own, ...doc === undefined ? {} : OBJECT.parse(doc) });
  const fields = Object.fromEntries(named.map(([name, value]) => [name.trim(), value]));
  if (fields.choices === undefined) return fields;
  return { ...fields, ...choicesOf(fields.choices, fields.label ?? fields.gold ?? fields.answer) };
}

/**
 * Returns the right and the wrong choice. @throws {RangeError} unless there are two choices and a
 * valid label.
 */
function choicesOf(choices: unknown, label: unknown) {
  if (!Array.isArray(choices) || choices.length !== 2) {
    throw new RangeError("choices must be a list of two sentences");
  }
  // No conversion: an empty text or list, a blank and false would pass for 0.
  const right = [0, "0"].includes(label as number)
    ? 0
    : [1, "1"].includes(label as number)
    ? 1
    : -1;
  if (right === -1) {
    throw new RangeError(`label must be 0 or 1, not ${JSON.stringify(label) ?? "missing"}`);
  }
  return { grammatical: choices[right], ungrammatical: choices[1 - right] };
}

async function parquetOf(path: string): Promise<PairFile> {
  const { buffer } = readInput(path, (why) => why);
  const unzip = (work: (bytes: Uint8Array) => Uint8Array) => (bytes: Uint8Array) =>
    new Uint8Array(work(bytes));
  const rows = await parquetReadObjects({
    file: buffer,
    compressors: {
      GZIP: unzip(gunzipSync),
      ZSTD: unzip(zstdDecompressSync),
      BROTLI: unzip(brotliDecompressSync),
    },
  }).catch((cause) => {
    throw new SyntaxError(`it is no Parquet that can be read (${damageReason(cause)})`, { cause });
  });
  // Whole numbers of 64 bits are BigInt.
  const plain = (value: unknown) => typeof value === "bigint" ? Number(value) : value;
  return objectsOf(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([k, v]) => [k, plain(v)]))),
    "row",
  );
}

const FORMS = /\.(csv|tsv|jsonl|json|parquet)$/i;
/** Names of files that describe a data set. */
const DESCRIPTIONS = /^(dataset_infos?|dataset_dict|state|README)\.json$/i;

/** Reads all data files of a folder and its subfolders, sorted by name, as `load_dataset` does. */
async function folderOf(folder: string): Promise<PairFile> {
  const files = filesIn(folder).filter((path) =>
    FORMS.test(path) && !DESCRIPTIONS.test(basename(path))
  );
  if (files.length === 0) {
    throw new SyntaxError("the folder has no file of pairs: CSV, TSV, JSON, JSON lines or Parquet");
  }
  return await filesOf(files, (path) => path.slice(folder.length).replace(/^[\\/]/, ""));
}

function filesIn(folder: string): readonly string[] {
  const entries = [...Deno.readDirSync(folder)].filter(({ name }) => !name.startsWith("."))
    .toSorted((a, b) => a.name < b.name ? -1 : 1);
  return entries.flatMap(({ name, isDirectory }) =>
    isDirectory ? filesIn(join(folder, name)) : [join(folder, name)]
  );
}

/** Reads several files as one. The position of each row includes its file. */
async function filesOf(
  paths: readonly string[],
  nameOf: (path: string) => string,
): Promise<PairFile> {
  const entries: PairEntry[] = [];
  const faults: string[] = [];
  for (const path of paths) {
    const name = nameOf(path);
    let read: PairFile;
    try {
      read = await readPairFile(path);
    } catch (error) {
      faults.push(`${name}: ${damageReason(error)}`);
      continue;
    }
    faults.push(...read.faults.map((fault) => `${name}, ${fault}`));
    for (const entry of read.entries) {
      entries.push({ ...entry, file: basename(path), place: `${name}, ${entry.place}` });
    }
  }
  return { entries, faults, form: paths.length > 1 ? `${paths.length} files` : undefined };
}

const TEXTS = z.union([z.string(), z.array(z.string())]);
const TASK = z.object({
  task: z.string().optional(),
  dataset_path: z.string().optional(),
  dataset_kwargs: z.object({
    data_files: z.union([TEXTS, z.record(z.string(), TEXTS)]).optional(),
  }).optional(),
  doc_to_choice: z.unknown().optional(),
  doc_to_target: z.unknown().optional(),
});

/**
 * Reads the pairs of an lm-eval task. Each row has two choices (`doc_to_choice`), one of them right
 * (`doc_to_target`).
 */
async function taskOf(text: string, folder: string): Promise<PairFile> {
  let value: unknown;
  try {
    // lm-eval's own tags name functions, which are not run here.
    value = parseYaml(text, { logLevel: "silent" });
  } catch (error) {
    throw new SyntaxError(`it is no YAML (${damageReason(error)})`);
  }
  const task = TASK.safeParse(value).data;
  if (task?.doc_to_choice === undefined) {
    throw new SyntaxError("it is no lm-eval task with doc_to_choice");
  }
  const named = task.dataset_kwargs?.data_files ?? task.dataset_path ?? [];
  const files =
    (typeof named === "object" && !Array.isArray(named) ? Object.values(named) : [named])
      .flat().map((file) => join(folder, file));
  const missing = files.find((file) => !existsSync(file));
  if (files.length === 0 || missing !== undefined) {
    throw new SyntaxError(
      `its data ${
        missing ? `(${missing}) ` : ""
      }is not here: nothing is fetched. Put the files next ` +
        "to the task and name them as data_files under dataset_kwargs",
    );
  }
  const read = files.length > 1
    ? await filesOf(files, (path) => basename(path))
    : await readPairFile(files[0]!);
  const [choices, target] = [evaluator(task.doc_to_choice), evaluator(task.doc_to_target ?? 0)];
  const faults = [...read.faults];
  const entries = read.entries.flatMap((entry) => {
    try {
      const pair = choicesOf(choices(entry.fields), target(entry.fields));
      return [{ ...entry, fields: { ...entry.fields, ...pair } }];
    } catch (error) {
      faults.push(`${entry.place}: ${damageReason(error)}`);
      return [];
    }
  });
  return { entries, faults, form: `the lm-eval task ${task.task ?? "of the file"}` };
}

/** Compiles an expression of a task: a column, a Jinja template, a list of these, or a constant. */
function evaluator(expression: unknown): (fields: PairEntry["fields"]) => unknown {
  if (Array.isArray(expression)) {
    const parts = expression.map(evaluator);
    return (fields) => parts.map((part) => part(fields));
  }
  if (typeof expression !== "string") return () => expression;
  const [, whole] = /^\s*\{\{(.*)\}\}\s*$/s.exec(expression) ?? [];
  if (whole === undefined && !expression.includes("{{")) {
    return (fields) => expression in fields ? fields[expression] : expression;
  }
  const engine = createRequire(import.meta.url).resolve("node-llama-cpp");
  const { Template } = createRequire(engine)("@huggingface/jinja") as {
    readonly Template: new (source: string) => { render(values: object): string };
  };
  // A single expression may give a list or a number; several are text.
  if (whole !== undefined && !whole.includes("}}")) {
    const template = new Template(`{{ (${whole}) | tojson }}`);
    return (fields) => JSON.parse(template.render(fields));
  }
  const template = new Template(expression);
  return (fields) => template.render(fields);
}

const REGION = z.object({ content: z.string() });
const CONDITION = z.object({ condition_name: z.string(), regions: z.array(REGION) });
const SUITE = z.object({
  meta: z.object({ name: z.string() }),
  predictions: z.array(z.object({ formula: z.string() })),
  items: z.array(z.object({ item_number: z.int(), conditions: z.array(CONDITION) })),
});

/**
 * Pattern of a prediction: `(3;%plural%) < (3;%singular%)`. The surprisal of a region is lower in
 * the first condition.
 */
const PREDICTION =
  /^[\s(]*[\d*]+\s*;\s*%([^%]+)%\s*\)\s*([<>])\s*\(\s*[\d*]+\s*;\s*%([^%]+)%[\s)]*$/;

/** Makes one pair per prediction and item of a SyntaxGym suite. */
function suiteOf(text: string): PairFile {
  const suite = SUITE.safeParse(parsed(text));
  if (!suite.success) {
    const [issue] = suite.error.issues;
    const where = issue?.path.map(String).join(".");
    throw new SyntaxError(`it is no SyntaxGym suite: ${where || "its content"} is not as in one`);
  }
  const { meta: { name: phenomenon }, predictions, items } = suite.data;
  const sides = predictions.map(({ formula }) => {
    const [, left, sign, right] = PREDICTION.exec(formula) ?? [];
    if (left && right) return sign === "<" ? [left, right] as const : [right, left] as const;
    throw new SyntaxError(`its prediction ${formula} does not compare two conditions in a region`);
  });
  const entries = items.flatMap(({ item_number: number, conditions }) => {
    const sentenceOf = (wanted: string) =>
      conditions.find(({ condition_name }) => condition_name === wanted)?.regions
        .map(({ content }) => content.trim()).join(" ")
        .replace(/ +/g, " ").replace(/ ([.,;:!?])/g, "$1").trim();
    return sides.map(([good, bad]): PairEntry => {
      const members = { grammatical: sentenceOf(good), ungrammatical: sentenceOf(bad) };
      // Two predictions may hold one condition against two others.
      const isOne = sides.filter(([other]) => other === good).length === 1;
      const id = isOne ? `${number}_${good}` : `${number}_${good}_${bad}`;
      return { place: `item ${number}`, number, fields: { id, phenomenon, ...members } };
    });
  });
  return { entries, faults: doubledFaults(text), form: "a SyntaxGym suite" };
}
