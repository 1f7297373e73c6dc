import type { RatingWorkbook } from "../item.ts";
import type { RunConfig } from "../run_config.ts";
import { readArchive } from "./archive.ts";
import { checkEvalHash, checkInputHash, type StoredItem } from "./check_hashes.ts";
import { EVAL, evalColumns, INPUTS, inputsColumns } from "./columns.ts";
import { compareItems, rowsByItem } from "./item_ids.ts";
import { otherConfiguration, otherNumber } from "./other_run.ts";
import { readEvaluation } from "./read_evaluations.ts";
import { readInput } from "./read_inputs.ts";
import { fileProblem, type Problem, type ReadResult } from "./read_result.ts";
import { isUuid, type RunIdentity, runIdentity } from "./run_columns.ts";
import { readSheets, type Sheet } from "./sheet_adapter.ts";
import { type Table, tableOf } from "./table.ts";

/** What a workbook is read with. */
export interface ReadOptions {
  readonly config: RunConfig;
  /** UUID for a workbook that has none yet; one that has keeps its own. */
  readonly runId: string;
}

/**
 * Reads a rater's workbook and checks everything that can be checked without its key: archive,
 * sheets, columns, items, hashes and display orders. Ratings that break a rule are no reason to
 * refuse it (NFR-1). All problems are listed, not only the first; of a workbook that belongs to
 * another configuration that is all there is to say.
 *
 * Throws RangeError unless runId is a UUID.
 */
export async function readWorkbook(
  bytes: Uint8Array,
  { config, runId }: ReadOptions,
): Promise<ReadResult> {
  if (!isUuid(runId)) {
    throw new RangeError(`Cannot read a workbook for run ${runId}: it is no UUID.`);
  }
  const sheets = await sheetsIn(bytes);
  if (!Array.isArray(sheets)) return { kind: "refused", problems: [sheets] };
  const other = otherNumber(sheets, config.numTranslations);
  if (other !== undefined) return { kind: "refused", problems: [other] };
  const problems: Problem[] = [];
  const inputs = tableNamed(INPUTS, sheets, config, problems);
  const evaluations = tableNamed(EVAL, sheets, config, problems);
  const otherConfig = evaluations && otherConfiguration(evaluations, config);
  if (otherConfig !== undefined) return { kind: "refused", problems: [otherConfig] };
  for (const { name } of sheets) {
    if (name === INPUTS || name === EVAL) continue;
    problems.push(fileProblem(`The sheet ${name} does not belong in the workbook; delete it.`));
  }
  if (inputs === undefined || evaluations === undefined) return { kind: "refused", problems };
  const workbook = workbookIn(inputs, evaluations, { config, runId }, problems);
  return problems.length > 0 ? { kind: "refused", problems } : { kind: "workbook", workbook };
}

async function sheetsIn(bytes: Uint8Array): Promise<Sheet[] | Problem> {
  try {
    return await readSheets(readArchive(bytes));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    return fileProblem(`Cannot open the file: ${error.message}.`);
  }
}

function tableNamed(
  name: string,
  sheets: readonly Sheet[],
  config: RunConfig,
  problems: Problem[],
): Table | undefined {
  const [sheet, second] = sheets.filter((sheet) => sheet.name === name);
  if (second !== undefined) {
    problems.push(fileProblem(`There are two sheets named ${name}; keep one.`));
  }
  if (sheet === undefined) {
    problems.push(fileProblem(`The sheet ${name} is missing.`));
    return undefined;
  }
  const columns = name === INPUTS ? inputsColumns : evalColumns;
  if (name === INPUTS) problems.push(...wrongNumber(sheet, config.numTranslations));
  const table = tableOf(sheet, columns(config.numTranslations));
  problems.push(...table.problems);
  return table;
}

/** FR-2: the number of translations must be the configuration's. */
function wrongNumber(sheet: Sheet, n: number): Problem[] {
  const headings = sheet.rows.find(({ number }) => number === 1)?.cells ?? [];
  const found = headings.filter(({ value }) => /^t[1-9]\d*$/.test(String(value))).length;
  if (found === n) return [];
  const message =
    `The workbook has ${found} translations of each sentence, the configuration ${n}.`;
  return [{ sheet: INPUTS, row: 1, column: undefined, message }];
}

function workbookIn(
  inputs: Table,
  evaluations: Table,
  { config, runId }: ReadOptions,
  problems: Problem[],
): RatingWorkbook {
  const n = config.numTranslations;
  const inputRows = rowsByItem(inputs, problems);
  const evalRows = rowsByItem(evaluations, problems);
  compareItems([inputs, inputRows], [evaluations, evalRows], problems);
  compareItems([evaluations, evalRows], [inputs, inputRows], problems);
  if (inputs.headings.has("item_id") && inputs.rows.length === 0) {
    problems.push({ ...fileProblem("The sheet inputs has no items."), sheet: INPUTS });
  }
  const run = runIdentity(evaluations, config, runId, problems);
  sameFilling(evaluations, problems);
  // Not in the order of the rows: a sheet sorted by its texts would set repeats beside originals.
  const inOrder = [...inputRows].sort(([a], [b]) => a - b);
  const items = inOrder.flatMap(([itemId, inputRow]) => {
    const evalRow = evalRows.get(itemId);
    if (evalRow === undefined) return [];
    const input = readInput(itemId, inputRow, n, problems);
    const stored = readEvaluation(itemId, evalRow, { runId: run.runId, n }, problems);
    if (inputs.isComplete && evaluations.isComplete) {
      checkHashes({ inputRow, evalRow, input, stored }, run, problems);
    }
    return [{ input, evaluation: stored.evaluation }];
  });
  return { ...run, items };
}

/** Of rows that were read as a whole only: of others a hash would be one more problem. */
function checkHashes(item: StoredItem, run: RunIdentity, problems: Problem[]): void {
  if (item.inputRow.isFaulty || item.evalRow.isFaulty) return;
  checkInputHash(item, problems);
  checkEvalHash(item, run, problems);
}

/** Display maps are filled in for all items at once, so a gap is the work of somebody else. */
function sameFilling({ rows, headings }: Table, problems: Problem[]): void {
  const column = "display_map_json";
  if (!headings.has(column) || rows.every(({ cells }) => !cells.has(column))) return;
  for (const { number, cells } of rows) {
    if (cells.has(column)) continue;
    const message = "The display_map_json is missing here, while other rows have it.";
    problems.push({ sheet: EVAL, row: number, column, message });
  }
}
