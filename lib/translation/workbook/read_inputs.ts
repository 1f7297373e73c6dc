import type { InputRow } from "../item.ts";
import { RowReader } from "./cells.ts";
import { INPUTS } from "./columns.ts";
import type { Problem } from "./read_result.ts";
import type { TableRow } from "./table.ts";

/** A row of `inputs`, its hash as stored and not yet checked. */
export function readInput(itemId: number, row: TableRow, n: number, problems: Problem[]): InputRow {
  const reader = new RowReader(INPUTS, row, problems);
  return {
    itemId,
    source: reader.text("source"),
    translations: Array.from({ length: n }, (_, index) => reader.text(`t${index + 1}`)),
    rowInputHash: reader.text("row_input_hash"),
  };
}
