import type { Evaluation } from "../item.ts";
import { displayMapJson, displayOrder } from "../order.ts";
import { RowReader } from "./cells.ts";
import { EVAL } from "./columns.ts";
import type { Problem } from "./read_result.ts";
import type { TableRow } from "./table.ts";

/** A row of `eval` with the hashes as stored, not yet checked. */
export interface StoredEvaluation {
  readonly evaluation: Evaluation;
  readonly rowInputHash: string;
  readonly rowEvalHash: string;
}

/**
 * A row of `eval`. The display map is computed from run and item; a stored one must be the same
 * (FR-4), and an empty one is filled in.
 */
export function readEvaluation(
  itemId: number,
  row: TableRow,
  run: { readonly runId: string; readonly n: number },
  problems: Problem[],
): StoredEvaluation {
  const reader = new RowReader(EVAL, row, problems);
  const displayMap = displayOrder(run.runId, itemId, run.n);
  checkDisplayMap(reader, itemId, displayMap);
  const evaluation: Evaluation = {
    itemId,
    displayMap,
    ratings: Array.from({ length: run.n }, (_, index) => ({
      bucket: reader.text(`bucket_${index + 1}`) || undefined,
      da: reader.rating(`da_${index + 1}`),
    })),
    comment: reader.text("comment"),
    startedAt: reader.time("started_at"),
    committedAt: reader.time("committed_at"),
    editCount: reader.amount("edit_count", true),
    activeSeconds: reader.amount("active_seconds", false),
    highlightSeconds: reader.amount("highlight_seconds", false),
  };
  return {
    evaluation,
    rowInputHash: reader.text("row_input_hash"),
    rowEvalHash: reader.text("row_eval_hash"),
  };
}

function checkDisplayMap(reader: RowReader, itemId: number, displayMap: readonly number[]): void {
  const column = "display_map_json";
  if (!reader.has(column) || reader.text(column) === displayMapJson(displayMap)) return;
  reader.refuse(
    column,
    `The order of item ${itemId} is not the one that its run_id and item_id give: one of the three was changed.`,
  );
}

/** Whether nobody has opened the item: nothing in the row says so. */
export function isUntouched(evaluation: Evaluation): boolean {
  const { ratings, comment, startedAt, committedAt } = evaluation;
  return comment === "" && startedAt === undefined && committedAt === undefined &&
    evaluation.editCount === 0 && evaluation.activeSeconds === 0 &&
    evaluation.highlightSeconds === 0 &&
    ratings.every(({ bucket, da }) => bucket === undefined && da === undefined);
}
