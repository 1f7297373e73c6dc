import { shownPath } from "../../files/shown_path.ts";
import type { RatedFile, RatedRun, RunMaterial } from "../analysis/rated_run.ts";
import type { RatingWorkbook } from "../item.ts";
import { keyFaults } from "../preparation/check_key.ts";
import { faultLines } from "../preparation/faults.ts";
import { readSealedKey } from "../preparation/key_files.ts";
import { readBytes } from "../preparation/read_bytes.ts";
import type { RunConfig } from "../run_config.ts";
import { AS_SAVED } from "../workbook/check_hashes.ts";
import { readWorkbook } from "../workbook/read_workbook.ts";
import type { Problem } from "../workbook/read_result.ts";

/** A rater's file and the file of the key that was sealed with it. */
export interface SealedFile extends RatedFile {
  /** Path of the sealed key: raters may have a run each, or share one. */
  readonly key: string;
}

/** What to read a workbook with, and how messages call the key. */
export interface NamedMaterial extends RunMaterial {
  /** `the key` unless told. */
  readonly keyFile?: string;
}

/**
 * Reads rated workbooks and makes sure that each was sealed with its key.
 *
 * Throws Error that names the file and everything wrong with it: a cell that was changed outside the
 * page, a sheet or column that is missing, another run's key; and NotFound for a file that is not
 * there.
 */
export async function readRatedRuns(
  files: readonly SealedFile[],
  { config }: { readonly config: RunConfig },
): Promise<readonly RatedRun[]> {
  const runs: RatedRun[] = [];
  for (const { rater, path, key } of files) {
    const material = { key: readSealedKey(key), keyFile: shownPath(key), config };
    runs.push(await readRatedRun(await readBytes(path), rater, shownPath(path), material));
  }
  return runs;
}

/** One workbook's bytes; `file` names it in errors. Throws as {@link readRatedRuns} does. */
export async function readRatedRun(
  bytes: Uint8Array,
  rater: string,
  file: string,
  material: NamedMaterial,
): Promise<RatedRun> {
  const workbook = await readSealedWorkbook(bytes, file, material);
  return { rater, workbook, key: material.key, config: material.config };
}

/** A workbook that was sealed with this key, rated or not. Throws as {@link readRatedRuns} does. */
export async function readSealedWorkbook(
  bytes: Uint8Array,
  file: string,
  { key, config, keyFile = "the key" }: NamedMaterial,
): Promise<RatingWorkbook> {
  const read = await readWorkbook(bytes, { config, runId: key.runId });
  if (read.kind === "refused") throw new Error(`Cannot use ${file}:${reasons(read.problems)}`);
  const faults = keyFaults(key, read.workbook);
  if (faults.length === 0) return read.workbook;
  throw new Error(`Cannot use ${file} with ${keyFile}:${faultLines(faults)}`);
}

/** Who reads here cannot mend a row, and has no page that saved the file. */
function reasons(problems: readonly Problem[]): string {
  const texts = problems.map(problemText);
  const mended = texts.map((text) => text.replace(AS_SAVED, "").trim());
  const remedy = texts.some((text) => text.includes(AS_SAVED))
    ? `${texts.length === 1 ? " " : "\n"}Ask the rater for the file as the page last saved it.`
    : "";
  return `${faultLines(mended)}${remedy}`;
}

/** `eval, row 3, da_4: …`, as far as the place is known. */
function problemText({ sheet, row, column, message }: Problem): string {
  const place = [sheet, row && `row ${row}`, column].filter((part) => part !== undefined);
  return place.length === 0 ? message : `${place.join(", ")}: ${message}`;
}
