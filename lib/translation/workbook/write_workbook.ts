import type { RunConfig } from "../configuration.ts";
import { configHash, displayMapJson, displayOrder, rowEvalHash, rowInputHash } from "../hashes.ts";
import { canonicalText, MAX_CELL_LENGTH } from "../text.ts";
import {
  type Evaluation,
  type InputRow,
  type RatedItem,
  type RatingWorkbook,
  UNRATED,
} from "../types.ts";
import { isIsoTime, isUuid } from "./read_rows.ts";
import { readWorkbook } from "./read_workbook.ts";
import {
  EVAL,
  evalColumns,
  INPUTS,
  inputsColumns,
  type SheetContent,
  writeSheets,
} from "./sheets.ts";

type Row = SheetContent["rows"][number];

/**
 * The bytes of a workbook with its two sheets. The same workbook gives the same bytes.
 *
 * Throws RangeError for a workbook of another configuration or number of translations, and for a
 * text or number that a cell cannot hold, with sheet, row and column.
 */
export async function writeWorkbook(
  workbook: RatingWorkbook,
  config: RunConfig,
): Promise<Uint8Array> {
  const canonical = canonicalWorkbook(workbook);
  const n = config.numTranslations;
  if (canonical.configSha256 !== configHash(config)) {
    throw new RangeError("Cannot write the workbook: it belongs to another run configuration.");
  }
  for (const { input, evaluation } of canonical.items) {
    const lengths = [input.translations, evaluation.ratings, evaluation.displayMap];
    if (lengths.every(({ length }) => length === n)) continue;
    throw new RangeError(`Cannot write item ${input.itemId}: it has not ${n} translations.`);
  }
  const inputs = canonical.items.map(({ input }): Row =>
    [input.itemId, input.source, ...input.translations, input.rowInputHash].map(orEmpty)
  );
  const evaluations = canonical.items.map((item) => evalRow(item, canonical));
  return await writeSheets([
    { name: INPUTS, columns: inputsColumns(n), rows: inputs, isProtected: true },
    { name: EVAL, columns: evalColumns(n), rows: evaluations, isProtected: false },
  ]);
}

function evalRow({ input, evaluation }: RatedItem, run: RatingWorkbook): Row {
  return [
    evaluation.itemId,
    run.runId,
    displayMapJson(evaluation.displayMap),
    ...evaluation.ratings.map(({ bucket }) => bucket),
    ...evaluation.ratings.map(({ da }) => da),
    evaluation.comment,
    evaluation.startedAt,
    evaluation.committedAt,
    evaluation.editCount,
    evaluation.activeSeconds,
    evaluation.highlightSeconds,
    run.configSha256,
    run.keySha256,
    input.rowInputHash,
    rowEvalHash(run, evaluation, input.rowInputHash),
  ].map(orEmpty);
}

function orEmpty(value: string | number | undefined): string | number | undefined {
  return value === "" ? undefined : value;
}

/**
 * The workbook as it comes back from a file: items by number, texts canonical, empty ratings undefined,
 * times in tenths of a second, members in a fixed order, so that two are equal where their JSON is.
 *
 * Throws RangeError that names sheet, row and column for what a cell cannot hold.
 */
function canonicalWorkbook({ runId, configSha256, keySha256, items }: RatingWorkbook) {
  const inOrder = items.toSorted((a, b) => a.input.itemId - b.input.itemId);
  const canonical = inOrder.map(({ input, evaluation }, index) => ({
    input: canonicalInput(input, index + 2),
    evaluation: canonicalEvaluation(evaluation, index + 2),
  }));
  return { runId, configSha256, keySha256, items: canonical };
}

/** A row of `inputs` as it comes back from a file; `row` is where it stands, for messages. */
function canonicalInput(input: InputRow, row: number): InputRow {
  const cell = (column: string, text: string) => fitting(text, `${INPUTS} row ${row}, ${column}`);
  return {
    itemId: input.itemId,
    source: cell("source", input.source),
    translations: input.translations.map((text, index) => cell(`t${index + 1}`, text)),
    rowInputHash: input.rowInputHash,
  };
}

function canonicalEvaluation(evaluation: Evaluation, row: number): Evaluation {
  const place = (column: string) => `${EVAL} row ${row}, ${column}`;
  const fail = (column: string, reason: string) =>
    new RangeError(`Cannot write ${place(column)}: ${reason}.`);
  const text = (column: string, value = "") => fitting(value, place(column)) || undefined;
  const finite = (column: string, value: number) => {
    // Adding 0 makes −0, which no file tells from 0, plain 0.
    if (Number.isFinite(value)) return value + 0;
    throw fail(column, `${value} is no number`);
  };
  const amount = (column: string, value: number) => {
    if (finite(column, value) >= 0) return value + 0;
    throw fail(column, `${value} is below 0`);
  };
  const tenths = (column: string, value: number) => Math.round(amount(column, value) * 10) / 10;
  const time = (column: string, value: string | undefined) => {
    if (value === undefined || isIsoTime(value)) return value;
    throw fail(column, `${value} is no ISO 8601 time in UTC`);
  };
  return {
    itemId: evaluation.itemId,
    displayMap: [...evaluation.displayMap],
    ratings: evaluation.ratings.map(({ bucket, da }, index) => ({
      bucket: text(`bucket_${index + 1}`, bucket),
      da: typeof da === "number" ? finite(`da_${index + 1}`, da) : text(`da_${index + 1}`, da),
    })),
    comment: fitting(evaluation.comment, place("comment")),
    startedAt: time("started_at", evaluation.startedAt),
    committedAt: time("committed_at", evaluation.committedAt),
    editCount: amount("edit_count", evaluation.editCount),
    activeSeconds: tenths("active_seconds", evaluation.activeSeconds),
    highlightSeconds: tenths("highlight_seconds", evaluation.highlightSeconds),
  };
}

function fitting(text: string, place: string): string {
  const canonical = canonicalText(text);
  if (canonical.length <= MAX_CELL_LENGTH) return canonical;
  const [length, most] = [canonical.length, MAX_CELL_LENGTH].map((it) => it.toLocaleString("en"));
  throw new RangeError(
    `Cannot write ${place}: it has ${length} characters, more than the ${most} that a cell can hold.`,
  );
}

/**
 * A workbook that nobody has rated: items by number, texts canonical, hashes and display orders
 * computed. `keySha256` is empty where no key was sealed.
 *
 * Throws RangeError for no items, item numbers that are not whole, positive and different, a number
 * of translations other than the configuration's, a text too long for a cell, or a bad run_id.
 */
export function newWorkbook(
  items: readonly Omit<InputRow, "rowInputHash">[],
  { runId, config, keySha256 }: {
    readonly runId: string;
    readonly config: RunConfig;
    readonly keySha256: string;
  },
): RatingWorkbook {
  const n = config.numTranslations;
  const fail = (reason: string) => new RangeError(`Cannot make a workbook: ${reason}.`);
  if (!isUuid(runId)) throw fail(`the run_id ${runId} is no UUID`);
  if (items.length === 0) throw fail("there are no items");
  const seen = new Set<number>();
  for (const { itemId, translations: { length } } of items) {
    if (!Number.isSafeInteger(itemId) || itemId < 1) {
      throw fail(`the item_id ${itemId} is no whole number from 1`);
    }
    if (seen.has(itemId)) throw fail(`the item_id ${itemId} is there twice`);
    seen.add(itemId);
    if (length !== n) throw fail(`item ${itemId} has ${length} translations, not ${n}`);
  }
  const inOrder = items.toSorted((a, b) => a.itemId - b.itemId);
  const rows = inOrder.map((item, index): RatedItem => {
    const input = canonicalInput({ ...item, rowInputHash: "" }, index + 2);
    return {
      input: { ...input, rowInputHash: rowInputHash(input) },
      evaluation: {
        itemId: item.itemId,
        displayMap: displayOrder(runId, item.itemId, n),
        ratings: input.translations.map(() => UNRATED),
        comment: "",
        startedAt: undefined,
        committedAt: undefined,
        editCount: 0,
        activeSeconds: 0,
        highlightSeconds: 0,
      },
    };
  });
  return { runId, configSha256: configHash(config), keySha256, items: rows };
}

/**
 * Writes a workbook, reads it back through every check and compares it with what was to be written,
 * so that a rater is never given a file that cannot be resumed from.
 *
 * Throws what {@link writeWorkbook} throws, and Error where the file does not hold the workbook.
 */
export async function checkpoint(workbook: RatingWorkbook, config: RunConfig): Promise<Uint8Array> {
  const fail = (reason: string) => new Error(`Cannot save the workbook: ${reason}`);
  const bytes = await writeWorkbook(workbook, config);
  const result = await readWorkbook(bytes, { config, runId: workbook.runId });
  if (result.kind === "refused") {
    const reasons = result.problems.map(({ message }) => message).join(" ");
    throw fail(`the file written would be refused. ${reasons}`);
  }
  const [wanted, found] = [workbook, result.workbook].map(canonicalWorkbook);
  if (JSON.stringify(found) === JSON.stringify(wanted)) return bytes;
  const odd = wanted!.items
    .find((item, index) => JSON.stringify(item) !== JSON.stringify(found!.items[index]));
  const what = odd === undefined ? "it" : `item ${odd.input.itemId}`;
  throw fail(`${what} comes back from the file otherwise than it was written.`);
}
