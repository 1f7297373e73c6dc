import { sha256Hex } from "../files/checksum.ts";
import { formatCsv } from "../files/csv.ts";
import { type Json, writeJsonAtomic } from "../files/json_file.ts";
import { readTextIfThere } from "../files/read_text.ts";
import type { MinimalPair } from "./pair.ts";
import { PAIR_COLUMNS, pairRow } from "./pair_files.ts";

type Setting = string | number | boolean;

/** What results depend on, for one model. No date: the same run gives the same bytes. */
export interface RunRecord {
  /** The task: template and its hash, hash of the pairs, orders, seed. */
  readonly task: Readonly<Record<string, Setting>>;
  /** The model's own settings: file hash, precision, temperature, threads. */
  readonly model: Readonly<Record<string, Setting>>;
}

/** How much of a model's results stands in the table already. */
export type Progress = "none" | "some" | "all";

/**
 * Settings that belong to the machine rather than to the question. Results that are complete may
 * be read on another machine; results may not be continued there without a word.
 */
export const MACHINE_SETTINGS: readonly string[] = [
  "engine",
  "access",
  "threads",
  "batchTokens",
  "sharedTexts",
];

/**
 * SHA-256 (hex) of the pairs as a `minimal_pairs.csv` of them: where a study keeps a whole data set
 * in one, the hash of that file.
 */
export function pairsHash(pairs: readonly MinimalPair[]): string {
  return sha256Hex(formatCsv(PAIR_COLUMNS, pairs.map(pairRow)));
}

/**
 * The records of a run's settings file, checked against the results there are, with those of the
 * present run put in. Nothing is written; {@link writeRunSettings} does it.
 *
 * Throws Error where results would be mixed: rows without a record, a different task, or a
 * different model setting; of {@link MACHINE_SETTINGS} only where rows are still to be added.
 */
export function reconcileSettings(
  path: string,
  current: Readonly<Record<string, RunRecord>>,
  progress: (model: string) => Progress,
): Readonly<Record<string, RunRecord>> {
  const recorded = readRunSettings(path);
  const merged = { ...recorded };
  for (const [model, record] of Object.entries(current)) {
    const done = progress(model);
    if (done === "none") {
      merged[model] = record;
      continue;
    }
    const before = recorded[model];
    const difference = before === undefined
      ? "they have no settings on record"
      : firstDifference(before, record, done === "all" ? MACHINE_SETTINGS : []);
    if (difference !== undefined) {
      throw new Error(
        `Cannot continue the results of ${model} recorded in ${path}: ${difference}. To start ` +
          `anew, remove the rows of ${model} from the results, or move the results and ${path} away.`,
      );
    }
  }
  return merged;
}

/** Writes the records atomically, keys sorted. */
export function writeRunSettings(path: string, records: Readonly<Record<string, RunRecord>>): void {
  const json: Json = Object.fromEntries(
    Object.entries(records).map(([model, { task, model: own }]) => [model, { task, model: own }]),
  );
  writeJsonAtomic(path, json);
}

/**
 * The records by model name; none where there is no file.
 * Throws SyntaxError where the file is no settings file.
 */
export function readRunSettings(path: string): Readonly<Record<string, RunRecord>> {
  const text = readTextIfThere(path);
  if (text === undefined) return {};
  const records: unknown = parseJson(text, path);
  if (!isObject(records) || !Object.values(records).every(isRunRecord)) {
    throw new SyntaxError(`Cannot read ${path}: it is no settings file. Move it away.`);
  }
  return Object.fromEntries(
    Object.entries(records).filter((entry): entry is [string, RunRecord] => isRunRecord(entry[1])),
  );
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SyntaxError(`Cannot read ${path}: ${error instanceof Error ? error.message : error}`);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isRunRecord(value: unknown): value is RunRecord {
  return isObject(value) && isSettings(value.task) && isSettings(value.model);
}

function isSettings(value: unknown): value is Readonly<Record<string, Setting>> {
  return isObject(value) &&
    Object.values(value).every((item) => ["string", "number", "boolean"].includes(typeof item));
}

function firstDifference(
  before: RunRecord,
  now: RunRecord,
  ignored: readonly string[],
): string | undefined {
  for (const part of ["task", "model"] as const) {
    const names = new Set([...Object.keys(before[part]), ...Object.keys(now[part])]);
    for (const name of [...names].sort()) {
      if (part === "model" && ignored.includes(name)) continue;
      const [then, today] = [before[part][name], now[part][name]];
      if (then !== today) {
        return `${name} was ${shown(then)} and is ${shown(today)} now`;
      }
    }
  }
  return undefined;
}

function shown(setting: Setting | undefined): string {
  return setting === undefined ? "not set" : JSON.stringify(setting);
}
