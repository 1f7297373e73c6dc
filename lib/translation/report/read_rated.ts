import { shownPath } from "../../files/shown_path.ts";
import type { RatedFile, RatedRun, RunMaterial } from "../analysis/rated_run.ts";
import type { RatingWorkbook } from "../item.ts";
import { checkKey } from "../preparation/check_key.ts";
import { readWorkbook } from "../workbook/read_workbook.ts";
import type { Problem } from "../workbook/read_result.ts";

/**
 * Reads rated workbooks and makes sure that each was sealed with this key.
 *
 * Throws Error that names the file and everything wrong with it: a cell that was changed outside the
 * page, a sheet or column that is missing, another run's key.
 */
export async function readRatedRuns(
  files: readonly RatedFile[],
  material: RunMaterial,
): Promise<readonly RatedRun[]> {
  const runs: RatedRun[] = [];
  for (const { rater, path } of files) {
    runs.push(await readRatedRun(await Deno.readFile(path), rater, shownPath(path), material));
  }
  return runs;
}

/** One workbook's bytes; `file` names it in errors. Throws as {@link readRatedRuns} does. */
export async function readRatedRun(
  bytes: Uint8Array,
  rater: string,
  file: string,
  { key, config }: RunMaterial,
): Promise<RatedRun> {
  const workbook = await readSealedWorkbook(bytes, file, { key, config });
  return { rater, workbook, key, config };
}

/** A workbook that was sealed with this key, rated or not. Throws as {@link readRatedRuns} does. */
export async function readSealedWorkbook(
  bytes: Uint8Array,
  file: string,
  { key, config }: RunMaterial,
): Promise<RatingWorkbook> {
  const read = await readWorkbook(bytes, { config, runId: key.runId });
  if (read.kind === "refused") {
    throw new Error(`Cannot use ${file}: ${read.problems.map(problemText).join(" ")}`);
  }
  checkKey(key, read.workbook);
  return read.workbook;
}

/** `eval, row 3, da_4: …`, as far as the place is known. */
function problemText({ sheet, row, column, message }: Problem): string {
  const place = [sheet, row && `row ${row}`, column].filter((part) => part !== undefined);
  return place.length === 0 ? message : `${place.join(", ")}: ${message}`;
}
