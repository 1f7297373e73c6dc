import type { RunConfig } from "../configuration.ts";
import { configHash, displayMapJson, displayOrder, rowEvalHash, rowInputHash } from "../hashes.ts";
import { canonicalText, MAX_CELL_LENGTH } from "../text.ts";
import type { InputRow, ItemEvaluation, RatingWorkbook } from "../types.ts";
import {
  EVAL,
  evalColumns,
  fileProblem,
  INPUTS,
  inputsColumns,
  MAX_TAGS,
  type Problem,
  readSheets,
  type Sheet,
  type SheetRow,
  type SheetTable,
  tableOf,
} from "./sheets.ts";

/** Settings for reading; `runId` is for a workbook without one. */
interface ReadOptions {
  readonly config: RunConfig;
  readonly runId: string;
}

/** A valid workbook, or all reasons for refusing the file. */
type ReadResult =
  | { readonly kind: "workbook"; readonly workbook: RatingWorkbook }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };

/**
 * Reads a rater's workbook and checks everything that needs no key.
 * Checked are archive, sheets, columns, items, hashes and display orders. Ratings that break a rule
 * are accepted (NFR-1). All problems are listed; a workbook of another configuration gets that
 * problem alone.
 */
export async function readWorkbook(
  bytes: Uint8Array,
  { config, runId }: ReadOptions,
): Promise<ReadResult> {
  const refused = (...problems: Problem[]): ReadResult => ({ kind: "refused", problems });
  let sheets: readonly Sheet[];
  try {
    sheets = await readSheets(bytes);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    return refused(fileProblem(`Cannot open the file: ${error.message}.`));
  }
  const other = wrongTranslationCount(sheets, config.numTranslations);
  if (other !== undefined) return refused(other);
  if (isUnsealed(sheets)) return refused(fileProblem(UNSEALED));
  const problems: Problem[] = [];
  const inputs = tableNamed(INPUTS, sheets, config.numTranslations, problems);
  const evaluations = tableNamed(EVAL, sheets, config.numTranslations, problems);
  const otherConfig = evaluations && otherConfiguration(evaluations, config);
  if (otherConfig !== undefined) return refused(otherConfig);
  for (const { name } of sheets) {
    if (name === INPUTS || name === EVAL) continue;
    problems.push(fileProblem(`The sheet ${name} does not belong in the workbook; delete it.`));
  }
  if (inputs === undefined || evaluations === undefined) return refused(...problems);
  const workbook = workbookIn(inputs, evaluations, { config, runId }, problems);
  return problems.length > 0 ? refused(...problems) : { kind: "workbook", workbook };
}

const UNSEALED =
  "This workbook is not sealed for rating yet. Whoever made it runs deno task rate seal FILE --config " +
  "run.yaml --out SEALED.xlsx; the file that this writes can be opened here.";

/** Tests whether the file has inputs but no hash in any sheet. */
function isUnsealed(sheets: readonly Sheet[]): boolean {
  const hashes = sheets.flatMap(({ rows: [heading, ...rows] }) => {
    const columns = heading?.cells.filter(({ value }) => /_(hash|sha256)$/.test(`${value}`)) ?? [];
    return rows.flatMap(({ cells }) =>
      columns.filter((it) => cells.some((c) => c.column === it.column))
    );
  });
  return hashes.length === 0 && sheets.some(({ name }) => name === INPUTS);
}

function tableNamed(name: string, sheets: readonly Sheet[], n: number, problems: Problem[]) {
  const [sheet, second] = sheets.filter((sheet) => sheet.name === name);
  if (second) problems.push(fileProblem(`There are two sheets named ${name}; keep one.`));
  if (sheet === undefined) {
    problems.push(fileProblem(`The sheet ${name} is missing.`));
    return undefined;
  }
  const table = tableOf(sheet, name === INPUTS ? inputsColumns(n) : evalColumns(n));
  problems.push(...table.problems);
  return table;
}

function workbookIn(
  inputs: SheetTable,
  evaluations: SheetTable,
  { config, runId }: ReadOptions,
  problems: Problem[],
): RatingWorkbook {
  const n = config.numTranslations;
  const inputRows = rowsByItem(inputs, problems);
  const evalRows = rowsByItem(evaluations, problems);
  if (inputs.headings.has("item_id") && evaluations.headings.has("item_id")) {
    for (
      const [sheet, rows, other, others] of [
        [INPUTS, inputRows, EVAL, evalRows],
        [EVAL, evalRows, INPUTS, inputRows],
      ] as const
    ) {
      for (const [id, { number }] of rows) {
        if (others.has(id)) continue;
        const message = `Item ${id} is missing from the sheet ${other}.`;
        problems.push({ sheet, row: number, column: "item_id", message });
      }
    }
  }
  if (inputs.headings.has("item_id") && inputs.rows.length === 0) {
    problems.push({ ...fileProblem("The sheet inputs has no items."), sheet: INPUTS });
  }
  const run = runIdentity(evaluations, config, runId, problems);
  problems.push(...missingDisplayMaps(evaluations));
  // Not in row order: in a sheet sorted by its texts repeats would follow their originals.
  const inOrder = [...inputRows].sort(([a], [b]) => a - b);
  const items = inOrder.flatMap(([itemId, inputRow]) => {
    const evalRow = evalRows.get(itemId);
    if (evalRow === undefined) return [];
    const input = readInput(itemId, inputRow, n, problems);
    const stored = readEvaluation(itemId, evalRow, run.runId, n, problems);
    // Only for complete rows; for others a wrong hash would be a second report of one problem.
    const areWhole = inputs.isComplete && evaluations.isComplete;
    if (areWhole && !inputRow.isFaulty && !evalRow.isFaulty) {
      const item = { inputRow, evalRow, input, stored };
      problems.push(...inputHashFaults(item), ...evalHashFaults(item, run));
    }
    return [{ input, evaluation: stored.evaluation }];
  });
  problems.push(...sizeFaults(items.map(({ input }) => input), n));
  return { ...run, items };
}

/**
 * Returns the maximum number of sentences with n translations.
 * A fully rated sentence takes up to 20 n + 100 tags, the headings fewer than those of three
 * sentences.
 */
export const maxSentences = (n: number) => Math.floor(MAX_TAGS / (20 * n + 100)) - 3;

/** Maximum bytes of texts in XML. Ratings take up to 5 MB, comments the rest of the limit. */
const MAX_TEXT_BYTES = 30_000_000;

/**
 * Reports a workbook that would grow too large to be read back.
 * This happens before anyone rates it.
 */
function sizeFaults(inputs: readonly InputRow[], n: number): Problem[] {
  const encoder = new TextEncoder();
  const bytes = inputs.flatMap(({ source, translations }) => [source, ...translations])
    .reduce((sum, it) => sum + encoder.encode(it.replace(/[<>&"']/g, "&quot;")).length, 0);
  const faults = [
    inputs.length > maxSentences(n) &&
    `${inputs.length} sentences, and one of ${n} translations each can have ${maxSentences(n)}`,
    bytes > MAX_TEXT_BYTES &&
    `${Math.ceil(bytes / 1e6)} MB of texts, and can have ${MAX_TEXT_BYTES / 1e6}`,
  ].filter((it) => it !== false);
  return faults.map((it) =>
    fileProblem(
      `The workbook has ${it} if it is to be saved when it is rated: split it into several.`,
    )
  );
}

/** Reports missing display maps. The page fills them in for all items at once. */
function missingDisplayMaps({ rows, headings }: SheetTable): Problem[] {
  const column = "display_map_json";
  const gaps = rows.filter(({ cells }) => !cells.has(column));
  if (!headings.has(column) || gaps.length === rows.length) return [];
  const message = "The display_map_json is missing here, while other rows have it.";
  return gaps.map(({ number }) => ({ sheet: EVAL, row: number, column, message }));
}

/** An item's rows in both sheets, with their parsed values. */
type StoredItem =
  & Readonly<Record<"inputRow" | "evalRow", SheetRow>>
  & { readonly input: InputRow; readonly stored: StoredEvaluation };

/** Remedy for a wrong hash, addressed to the rater. */
export const AS_SAVED = "Use the file as this page last saved it.";

/** Reports which of three hashes was changed: in `inputs`, in `eval`, or of the texts. */
function inputHashFaults({ input, stored, inputRow, evalRow }: StoredItem): Problem[] {
  const [inInputs, inEval] = [input.rowInputHash, stored.rowInputHash];
  const computed = rowInputHash(input);
  const id = `item ${input.itemId}`;
  const fault = (message: string, sheet = INPUTS): Problem[] => {
    const row = (sheet === INPUTS ? inputRow : evalRow).number;
    return [{ sheet, row, column: "row_input_hash", message: `${message} ${AS_SAVED}` }];
  };
  if (inInputs === computed) {
    return inEval === computed ? [] : fault(
      `The input's hash of ${id} was changed or lost in eval; the sheet inputs is as it was.`,
      EVAL,
    );
  }
  if (inEval === computed) {
    return fault(`The hash of ${id} was changed or lost in inputs; its texts are as they were.`);
  }
  if (inInputs !== inEval) {
    const rows = `inputs (row ${inputRow.number}) and eval (row ${evalRow.number})`;
    return fault(`The hashes of ${id} in ${rows} differ from each other and from its texts.`);
  }
  if (inInputs === "") return fault(`The hash of ${id} is missing from both sheets.`);
  return fault(
    `The source or a translation of ${id} was changed, or its item_id: both sheets have the hash of another text.`,
  );
}

/** Checks the hash of an `eval` row. Only an untouched row may lack it. */
function evalHashFaults({ stored, evalRow }: StoredItem, run: RunIdentity): Problem[] {
  const { evaluation, rowEvalHash: hash, rowInputHash: inputHash } = stored;
  if (hash === "" && isUntouched(evaluation)) return [];
  if (hash === rowEvalHash(run, evaluation, inputHash)) return [];
  const message = hash === ""
    ? `Item ${evaluation.itemId} has ratings but no hash: the row was filled in outside the rating page.`
    : `The row of item ${evaluation.itemId} was changed outside the rating page: its hash does not fit what it holds.`;
  const place = { sheet: EVAL, row: evalRow.number, column: "row_eval_hash" };
  return [{ ...place, message: `${message} ${AS_SAVED}` }];
}

/**
 * Reports a workbook made for another number of translations (FR-2).
 * Messages about single columns would mislead the rater into destroying it.
 */
function wrongTranslationCount(sheets: readonly Sheet[], n: number): Problem | undefined {
  /**
   * Returns the number of columns PREFIX1 … PREFIXn.
   * The result is 0 if any is missing or duplicated.
   */
  const numbered = (name: string, prefix: string) => {
    const heading = sheets.find((sheet) => sheet.name === name)?.rows
      .find(({ number }) => number === 1);
    const columns = (heading?.cells ?? []).map(({ value }) => `${value}`).filter((text) =>
      text.startsWith(prefix) && /^[1-9]\d*$/.test(text.slice(prefix.length))
    );
    const isWhole = columns.every((_, index) => columns.includes(`${prefix}${index + 1}`));
    return isWhole ? columns.length : 0;
  };
  const count = numbered(INPUTS, "t");
  if (count === n || count === 0) return undefined;
  if (["bucket_", "da_"].some((prefix) => numbered(EVAL, prefix) !== count)) return undefined;
  return fileProblem(
    `This file has ${count} translations a sentence, this page is for ${n}: it ` +
      "belongs to another page (run configuration).",
  );
}

/** Reports a workbook whose rows all name another configuration (FR-2). */
function otherConfiguration({ rows }: SheetTable, config: RunConfig): Problem | undefined {
  const column = "config_sha256";
  const first = rows[0]?.cells.get(column);
  if (first === undefined || first === configHash(config)) return undefined;
  if (rows.some(({ cells }) => cells.get(column) !== first)) return undefined;
  return fileProblem(
    "This file belongs to another page: it was made under another run configuration " +
      "(config_sha256 differs; labels and languages count too). Open it with that one.",
  );
}

/** Returns a sheet's rows by item_id, in sheet order; reports invalid item_ids. */
function rowsByItem(table: SheetTable, problems: Problem[]): Map<number, SheetRow> {
  const rows = new Map<number, SheetRow>();
  if (!table.headings.has("item_id")) return rows;
  for (const row of table.rows) {
    const id = row.cells.get("item_id");
    const message = idFault(id, rows);
    if (message === undefined) rows.set(id as number, row);
    else problems.push({ sheet: table.sheet, row: row.number, column: "item_id", message });
  }
  return rows;
}

function idFault(id: string | number | undefined, rows: ReadonlyMap<number, SheetRow>) {
  if (id === undefined) return "The item_id is missing.";
  if (typeof id === "string") return "The item_id is text; it must be a whole number from 1.";
  if (!Number.isSafeInteger(id) || id < 1) return `The item_id ${id} is no whole number from 1.`;
  const earlier = rows.get(id);
  return earlier && `Row ${earlier.number} already has the item_id ${id}.`;
}

/** Returns parsers of one row's cells that collect problems. */
function readerOf(sheet: string, row: SheetRow, problems: Problem[]) {
  const refuse = (column: string, message: string) =>
    void problems.push({ sheet, row: row.number, column, message });
  /** Returns canonical text. A number is returned as text, for the hashes to judge. */
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
    /** Returns a number or canonical text; undefined for an empty cell. */
    rating(column: string): string | number | undefined {
      const value = row.cells.get(column);
      return typeof value === "number" ? value : text(column) || undefined;
    },
    /** Returns a non-negative number, whole if required; an empty cell is 0. */
    amount(column: string, isWhole: boolean): number {
      const value = row.cells.get(column) ?? 0;
      if (typeof value === "number" && value >= 0 && (!isWhole || Number.isSafeInteger(value))) {
        return value;
      }
      refuse(column, `It must be a ${isWhole ? "whole " : ""}number from 0.`);
      return 0;
    },
    /** Returns a time in ISO 8601, UTC; undefined for an empty cell. */
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

/** Parses a row of `inputs`; its hash is not yet checked. */
function readInput(itemId: number, row: SheetRow, n: number, problems: Problem[]): InputRow {
  const { text, refuse } = readerOf(INPUTS, row, problems);
  const document = row.cells.get("document");
  const isTold = typeof document === "number" && Number.isSafeInteger(document) && document > 0;
  if (document !== undefined && !isTold) refuse("document", "It must be a whole number from 1.");
  const [before, after] = [text("context_before"), text("context_after")];
  const where = /^([1-9]\d*)\/([1-9]\d*)$/.exec(text("document_place"));
  if (!where && (row.cells.has("document_place") || before + after !== "")) {
    refuse("document_place", "It must be a place in a document such as 2/5.");
  }
  return {
    itemId,
    ...isTold && { document },
    ...where && { context: { place: Number(where[1]), of: Number(where[2]), before, after } },
    source: text("source"),
    translations: Array.from({ length: n }, (_, index) => text(`t${index + 1}`)),
    rowInputHash: text("row_input_hash"),
  };
}

/** A row of `eval` with its stored hashes, not yet checked. */
type StoredEvaluation = ReturnType<typeof readEvaluation>;

/** Parses a row of `eval`. A stored display map must match run and item (FR-4). */
function readEvaluation(
  itemId: number,
  row: SheetRow,
  runId: string,
  n: number,
  problems: Problem[],
) {
  const reader = readerOf(EVAL, row, problems);
  const displayMap = displayOrder(runId, itemId, n);
  const map = "display_map_json";
  if (row.cells.has(map) && reader.text(map) !== displayMapJson(displayMap)) {
    reader.refuse(
      map,
      `The order of item ${itemId} is not the one that its run_id and item_id give: one of the three was changed.`,
    );
  }
  const evaluation: ItemEvaluation = {
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
    idleSeconds: reader.amount("idle_seconds", false),
  };
  const [rowInputHash, rowEvalHash] = [reader.text("row_input_hash"), reader.text("row_eval_hash")];
  return { evaluation, rowInputHash, rowEvalHash };
}

/** Tests whether an item was never opened. */
function isUntouched({ itemId: _, displayMap: __, ratings, ...rest }: ItemEvaluation): boolean {
  return Object.values(rest).every((value) => !value) &&
    ratings.every(({ bucket, da }) => bucket === undefined && da === undefined);
}

/** Columns that are the same in every row of `eval`. */
type RunIdentity = Omit<RatingWorkbook, "items">;

/** Tests whether a text is a UUID in its usual form. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** Returns the run's identity. Columns that are empty in every row get computed values. */
function runIdentity(
  { rows }: SheetTable,
  config: RunConfig,
  freshRunId: string,
  problems: Problem[],
): RunIdentity {
  const refuse = (column: string, row: number | undefined, message: string) =>
    problems.push({ sheet: EVAL, row, column, message });
  /** Returns a column's value common to all rows. The result is undefined if it is empty in all. */
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
  const [rater, batch] = [shared("rater"), shared("batch")];
  if (rater === undefined && batch !== undefined) {
    refuse("rater", undefined, "There is a batch and no rater.");
  }
  return {
    runId,
    configSha256,
    keySha256,
    ...rater !== undefined && { rater },
    ...rater !== undefined && batch !== undefined && { batch },
  };
}
