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
 * The bytes of a workbook with its two sheets. The same workbook gives the same bytes. Throws
 * RangeError for a workbook of another configuration or number of translations, and for a text or
 * number that a cell cannot hold, with sheet, row and column.
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
  const told = canonical.items.some(({ input }) => input.document !== undefined);
  const inputs = canonical.items.map(({ input }): Row => {
    const { itemId, document, source, translations, rowInputHash } = input;
    const start = told ? [itemId, document] : [itemId];
    return [...start, source, ...translations, rowInputHash].map(orEmpty);
  });
  const columns = inputsColumns(n).filter(({ isOptional }) => told || !isOptional);
  const evaluations = canonical.items.map((item) => evalRow(item, canonical));
  return await writeSheets([
    { name: INPUTS, columns, rows: inputs, isProtected: true },
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

const orEmpty = (value: string | number | undefined) => value === "" ? undefined : value;

/**
 * The workbook as it comes back from a file: items by number, texts canonical, empty ratings
 * undefined, times in tenths of a second, members in a fixed order, so that two are equal where
 * their JSON is. Throws RangeError that names sheet, row and column for what a cell cannot hold.
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
  const { itemId, document, rowInputHash } = input;
  const cell = (column: string, text: string) => fitting(text, `${INPUTS} row ${row}, ${column}`);
  const translations = input.translations.map((text, index) => cell(`t${index + 1}`, text));
  const source = cell("source", input.source);
  return { itemId, ...document !== undefined && { document }, source, translations, rowInputHash };
}

/** What no page writes, such as a time below 0, is for the checks of {@link checkpoint}. */
function canonicalEvaluation(evaluation: Evaluation, row: number): Evaluation {
  const cell = (column: string, text: string) => fitting(text, `${EVAL} row ${row}, ${column}`);
  const tenths = (value: number) => Math.round(value * 10) / 10;
  const { displayMap, ratings, comment, startedAt, committedAt, editCount } = evaluation;
  return {
    itemId: evaluation.itemId,
    displayMap: [...displayMap],
    ratings: ratings.map(({ bucket = "", da = "" }, index) => ({
      bucket: cell(`bucket_${index + 1}`, bucket) || undefined,
      // Adding 0 makes −0, which no file tells from 0, plain 0.
      da: typeof da === "number" ? da + 0 : cell(`da_${index + 1}`, da) || undefined,
    })),
    comment: cell("comment", comment),
    startedAt,
    committedAt,
    editCount,
    activeSeconds: tenths(evaluation.activeSeconds),
    highlightSeconds: tenths(evaluation.highlightSeconds),
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
 * computed. `keySha256` is empty where no key was sealed. Throws RangeError for a text too long.
 */
export function newWorkbook(
  items: readonly Omit<InputRow, "rowInputHash">[],
  { runId, config, keySha256 }: Pick<RatingWorkbook, "runId" | "keySha256"> & {
    readonly config: RunConfig;
  },
): RatingWorkbook {
  const inOrder = items.toSorted((a, b) => a.itemId - b.itemId);
  const rows = inOrder.map((item, index): RatedItem => {
    const input = canonicalInput({ ...item, rowInputHash: "" }, index + 2);
    return {
      input: { ...input, rowInputHash: rowInputHash(input) },
      evaluation: {
        itemId: item.itemId,
        displayMap: displayOrder(runId, item.itemId, config.numTranslations),
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
