import { rowEvalHash, rowInputHash } from "../hashes.ts";
import type { InputRow } from "../item.ts";
import { EVAL, INPUTS } from "./columns.ts";
import type { Problem } from "./read_result.ts";
import { isUntouched, type StoredEvaluation } from "./read_evaluations.ts";
import type { RunIdentity } from "./run_columns.ts";
import type { TableRow } from "./table.ts";

/** An item's rows in both sheets, where they stand and what was read from them. */
export interface StoredItem {
  readonly inputRow: TableRow;
  readonly evalRow: TableRow;
  readonly input: InputRow;
  readonly stored: StoredEvaluation;
}

/** The remedy where a hash does not fit, for the rater who opened the file. */
export const AS_SAVED = "Use the file as this page last saved it.";

/**
 * Compares the hash of the input as stored in `inputs`, as stored in `eval` and as computed from
 * the texts; where one of the three stands alone, that is the one that was changed.
 */
export function checkInputHash(item: StoredItem, problems: Problem[]): void {
  const fault = inputHashFault(item);
  if (fault === undefined) return;
  const row = fault.sheet === INPUTS ? item.inputRow : item.evalRow;
  problems.push({
    ...{ sheet: fault.sheet, row: row.number, column: "row_input_hash" },
    message: `${fault.message} ${AS_SAVED}`,
  });
}

function inputHashFault(
  { input, stored, inputRow, evalRow }: StoredItem,
): { readonly sheet: string; readonly message: string } | undefined {
  const [inInputs, inEval] = [input.rowInputHash, stored.rowInputHash];
  const computed = rowInputHash(input);
  const id = `item ${input.itemId}`;
  if (inInputs === computed && inEval === computed) return undefined;
  if (inInputs === inEval) {
    const message = inInputs === ""
      ? `The hash of ${id} is missing from both sheets.`
      : `The source or a translation of ${id} was changed, or its item_id: both sheets have the hash of another text.`;
    return { sheet: INPUTS, message };
  }
  const message = inInputs === computed
    ? `The input's hash of ${id} was changed or lost in eval; the sheet inputs is as it was.`
    : inEval === computed
    ? `The hash of ${id} was changed or lost in inputs; its texts are as they were.`
    : `The hashes of ${id} in inputs (row ${inputRow.number}) and eval (row ${evalRow.number}) differ from each other and from its texts.`;
  return { sheet: inInputs === computed ? EVAL : INPUTS, message };
}

/** Compares the hash of a row of `eval` with the row; only an untouched row may lack it. */
export function checkEvalHash(item: StoredItem, run: RunIdentity, problems: Problem[]): void {
  const { evaluation, rowEvalHash: hash, rowInputHash: inputHash } = item.stored;
  if (hash === "" && isUntouched(evaluation)) return;
  if (hash === rowEvalHash(run, evaluation, inputHash)) return;
  const message = hash === ""
    ? `Item ${evaluation.itemId} has ratings but no hash: the row was filled in outside the rating page.`
    : `The row of item ${evaluation.itemId} was changed outside the rating page: its hash does not fit what it holds.`;
  problems.push({
    ...{ sheet: EVAL, row: item.evalRow.number, column: "row_eval_hash" },
    message: `${message} ${AS_SAVED}`,
  });
}
