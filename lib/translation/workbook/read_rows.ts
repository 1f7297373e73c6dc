import type { RunConfig } from "../configuration.ts";
import { configHash, displayMapJson, displayOrder } from "../hashes.ts";
import { canonicalText, MAX_CELL_LENGTH } from "../text.ts";
import type { Evaluation, InputRow, RatingWorkbook } from "../types.ts";
import { EVAL, INPUTS, type Problem, type Table, type TableRow } from "./sheets.ts";

/** The rows of a sheet by item_id, in the sheet's order; rows with a bad item_id are problems. */
export function rowsByItem(table: Table, problems: Problem[]): Map<number, TableRow> {
  const rows = new Map<number, TableRow>();
  if (!table.headings.has("item_id")) return rows;
  for (const row of table.rows) {
    const id = row.cells.get("item_id");
    const message = idFault(id, rows);
    if (message === undefined) rows.set(id as number, row);
    else problems.push({ sheet: table.sheet, row: row.number, column: "item_id", message });
  }
  return rows;
}

function idFault(id: string | number | undefined, rows: ReadonlyMap<number, TableRow>) {
  if (id === undefined) return "The item_id is missing.";
  if (typeof id === "string") return "The item_id is text; it must be a whole number from 1.";
  if (!Number.isSafeInteger(id) || id < 1) return `The item_id ${id} is no whole number from 1.`;
  const earlier = rows.get(id);
  return earlier && `The item_id ${id} stands in row ${earlier.number} already.`;
}

/** Readers of one row's cells, which collect what is wrong with them. */
function readerOf(sheet: string, row: TableRow, problems: Problem[]) {
  const refuse = (column: string, message: string) =>
    void problems.push({ sheet, row: row.number, column, message });
  /** Canonical text; a number in the cell is taken as the text that it is shown as. */
  const text = (column: string): string => {
    const text = canonicalText(String(row.cells.get(column) ?? ""));
    if (text.length > MAX_CELL_LENGTH) {
      const length = text.length.toLocaleString("en");
      refuse(column, `The text has ${length} characters, more than a cell can hold.`);
    }
    return text;
  };
  return {
    refuse,
    text,
    has: (column: string) => row.cells.has(column),
    /** As it stands, text in canonical form; undefined where the cell is empty. */
    rating(column: string): string | number | undefined {
      const value = row.cells.get(column);
      return typeof value === "number" ? value : text(column) || undefined;
    },
    /** A number from 0, whole if so asked; an empty cell is 0. */
    amount(column: string, isWhole: boolean): number {
      const value = row.cells.get(column) ?? 0;
      if (typeof value === "number" && value >= 0 && (!isWhole || Number.isSafeInteger(value))) {
        return value;
      }
      refuse(column, `It must be a ${isWhole ? "whole " : ""}number from 0.`);
      return 0;
    },
    /** A time in ISO 8601, UTC; undefined where the cell is empty. */
    time(column: string): string | undefined {
      const value = row.cells.get(column);
      const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;
      if (value === undefined) return undefined;
      if (typeof value === "string" && form.test(value) && !Number.isNaN(Date.parse(value))) {
        return value;
      }
      refuse(column, "It must be a time in UTC such as 2026-01-31T09:30:00.000Z.");
    },
  };
}

/** A row of `inputs`, its hash as stored and not yet checked. */
export function readInput(itemId: number, row: TableRow, n: number, problems: Problem[]): InputRow {
  const { text, refuse } = readerOf(INPUTS, row, problems);
  const document = row.cells.get("document");
  const isTold = typeof document === "number" && Number.isSafeInteger(document) && document > 0;
  if (document !== undefined && !isTold) refuse("document", "It must be a whole number from 1.");
  return {
    itemId,
    ...isTold && { document },
    source: text("source"),
    translations: Array.from({ length: n }, (_, index) => text(`t${index + 1}`)),
    rowInputHash: text("row_input_hash"),
  };
}

/** A row of `eval` with the hashes as stored, not yet checked. */
export type StoredEvaluation = ReturnType<typeof readEvaluation>;

/** A row of `eval`; a stored display map must be the one of run and item (FR-4). */
export function readEvaluation(
  itemId: number,
  row: TableRow,
  runId: string,
  n: number,
  problems: Problem[],
) {
  const reader = readerOf(EVAL, row, problems);
  const displayMap = displayOrder(runId, itemId, n);
  const map = "display_map_json";
  if (reader.has(map) && reader.text(map) !== displayMapJson(displayMap)) {
    reader.refuse(
      map,
      `The order of item ${itemId} is not the one that its run_id and item_id give: one of the three was changed.`,
    );
  }
  const evaluation: Evaluation = {
    itemId,
    displayMap,
    ratings: Array.from({ length: n }, (_, index) => ({
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
  const [rowInputHash, rowEvalHash] = [reader.text("row_input_hash"), reader.text("row_eval_hash")];
  return { evaluation, rowInputHash, rowEvalHash };
}

/** Whether nobody has opened the item: nothing in the row says so. */
export function isUntouched({ itemId: _, displayMap: __, ratings, ...rest }: Evaluation): boolean {
  return Object.values(rest).every((value) => !value) &&
    ratings.every(({ bucket, da }) => bucket === undefined && da === undefined);
}

/** What every row of `eval` repeats. */
export type RunIdentity = Omit<RatingWorkbook, "items">;

/** Whether the text is a UUID in its usual form. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** The run that the workbook belongs to; columns that are empty in every row are filled in. */
export function runIdentity(
  { rows }: Table,
  config: RunConfig,
  freshRunId: string,
  problems: Problem[],
): RunIdentity {
  const refuse = (column: string, row: number | undefined, message: string) =>
    problems.push({ sheet: EVAL, row, column, message });
  /** What a column has in every row; undefined where it is empty in all. */
  const shared = (column: string) => {
    const first = rows[0]?.cells.get(column);
    const odd = rows.find(({ cells }) => cells.get(column) !== first);
    if (odd !== undefined) {
      const other = `row ${rows[0]!.number}`;
      refuse(column, odd.number, `The ${column} is not the one in ${other}; all rows must agree.`);
    }
    return first === undefined ? undefined : String(first);
  };
  const runId = shared("run_id") ?? freshRunId;
  const configSha256 = shared("config_sha256") ?? configHash(config);
  const keySha256 = shared("key_sha256") ?? "";
  if (!isUuid(runId)) refuse("run_id", undefined, `The run_id ${runId} is no UUID.`);
  if (!/^([0-9a-f]{64})?$/.test(keySha256)) {
    refuse("key_sha256", undefined, "The key_sha256 is no SHA-256 in hexadecimal.");
  }
  return { runId, configSha256, keySha256 };
}
