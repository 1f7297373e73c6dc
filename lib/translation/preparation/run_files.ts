import { writeBytesAtomic, writeTextAtomic } from "../../files/atomic.ts";
import { formatCsv } from "../../files/csv.ts";
import { readTextIfThere } from "../../files/read_text.ts";
import { shownPath } from "../../files/shown_path.ts";
import { keyHash } from "../hashes.ts";
import { parseRunConfig, type RunConfig } from "../run_config.ts";
import { checkpoint } from "../workbook/checkpoint.ts";
import { isUntouched } from "../workbook/read_evaluations.ts";
import { readWorkbook } from "../workbook/read_workbook.ts";
import { readSealedKey, writeSealedKey } from "./key_files.ts";
import type { ItemReport } from "./item_report.ts";
import type { PreparedRun } from "./prepare_run.ts";
import { readBytesIfThere } from "./read_bytes.ts";

/** Where a prepared run is written. */
export interface RunPaths {
  /** `.xlsx`, for the rater. */
  readonly workbook: string;
  /** `.json`, for nobody but the researcher. */
  readonly key: string;
}

/** Reads a run configuration. Throws as {@link parseRunConfig} does, and NotFound. */
export function readRunConfig(path: string): RunConfig {
  const text = readTextIfThere(path);
  if (text !== undefined) return parseRunConfig(text, shownPath(path));
  throw new Deno.errors.NotFound(`Cannot read ${shownPath(path)}: it is not there.`);
}

/**
 * Writes workbook and key, each at once or not at all; the workbook is read back and compared first.
 *
 * Throws Error where another key stands at the path: ratings that were made under it could never be
 * told apart again. Throws Error, too, where a workbook that a rater has opened stands there, or a
 * file that this cannot be said of.
 */
export async function writeRun(
  { workbook, key }: PreparedRun,
  config: RunConfig,
  paths: RunPaths,
): Promise<void> {
  requireSameKey(paths.key, keyHash(key));
  await requireUnrated(paths.workbook, config, key.runId);
  const bytes = await checkpoint(workbook, config);
  writeSealedKey(paths.key, key);
  writeBytesAtomic(paths.workbook, bytes);
}

function requireSameKey(path: string, hash: string): void {
  if (readTextIfThere(path) === undefined || keyHash(readSealedKey(path)) === hash) return;
  throw new Error(
    `Cannot write ${shownPath(path)}: the key of another run is there, without which its ratings ` +
      "mean nothing. Move it to a safe place, or give this run another path.",
  );
}

async function requireUnrated(path: string, config: RunConfig, runId: string): Promise<void> {
  const bytes = await readBytesIfThere(path);
  if (bytes === undefined) return;
  const found = await readWorkbook(bytes, { config, runId });
  if (
    found.kind === "workbook" &&
    found.workbook.items.every(({ evaluation }) => isUntouched(evaluation))
  ) return;
  const what = found.kind === "workbook"
    ? "a workbook that a rater has begun is there"
    : "a file that is no unrated workbook under this configuration is there";
  throw new Error(
    `Cannot write ${shownPath(path)}: ${what}. Move it away, or give this run another path.`,
  );
}

const COLUMNS = [
  "item_id",
  "source_characters",
  "shortest_characters",
  "median_characters",
  "longest_characters",
  "distinct",
  "empty",
  "script",
  "other_script",
] as const;

/** Writes what a rater will see, one row an item; it names neither systems nor roles. */
export function writeItemReports(path: string, items: readonly ItemReport[]): void {
  const rows = items.map(({ itemId, translationCharacters: { min, median, max }, ...item }) => ({
    item_id: itemId,
    source_characters: item.sourceCharacters,
    ...{ shortest_characters: min, median_characters: median, longest_characters: max },
    ...{ distinct: item.distinct, empty: item.empty },
    ...{ script: item.script.name, other_script: item.otherScript },
  }));
  writeTextAtomic(path, formatCsv(COLUMNS, rows));
}
