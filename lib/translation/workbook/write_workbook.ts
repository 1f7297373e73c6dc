import type { RunConfig } from "../configuration.ts";
import { configHash, displayMapJson, displayOrder, rowEvalHash, rowInputHash } from "../hashes.ts";
import { canonicalText, MAX_CELL_LENGTH } from "../text.ts";
import { type InputRow, type RatingWorkbook, UNRATED, type WorkbookItem } from "../types.ts";
import { readWorkbook } from "./read_workbook.ts";
import {
  EVAL,
  evalColumns,
  INPUTS,
  inputsColumns,
  type SheetContent,
  writeSheets,
} from "./sheets.ts";

/**
 * Writes a workbook with its two sheets.
 * The same workbook gives the same bytes. Throws RangeError for a workbook of another configuration
 * or number of translations, and for a text too long for a cell, with sheet, row and column.
 */
export async function writeWorkbook(
  workbook: RatingWorkbook,
  config: RunConfig,
): Promise<Uint8Array> {
  const n = config.numTranslations;
  if (workbook.configSha256 !== configHash(config)) {
    throw new RangeError("Cannot write the workbook: it belongs to another run configuration.");
  }
  for (const { input, evaluation } of workbook.items) {
    const lengths = [input.translations, evaluation.ratings, evaluation.displayMap];
    if (lengths.every(({ length }) => length === n)) continue;
    throw new RangeError(`Cannot write item ${input.itemId}: it has not ${n} translations.`);
  }
  const items = workbook.items.toSorted((a, b) => a.input.itemId - b.input.itemId);
  /** Returns a sheet without optional columns that are empty in every row. */
  const filled = (name: string, columns: SheetContent["columns"], rows: SheetContent["rows"]) => {
    const indices = [...columns.keys()]
      .filter((at) => !columns[at]!.isOptional || rows.some((row) => row[at] !== undefined));
    const select = <T>(row: readonly T[]) => indices.map((at) => row[at]!);
    return sheet(name, select(columns), rows.map(select), name === INPUTS);
  };
  return await writeSheets([
    filled(INPUTS, inputsColumns(n), items.map(({ input }) => inputRow(input))),
    filled(EVAL, evalColumns(n), items.map((item) => evalRow(item, workbook))),
  ]);
}

function inputRow(
  { itemId, document, context, source, translations, rowInputHash }: InputRow,
) {
  const { place, of, before, after } = context ?? {};
  const around = [context && `${place}/${of}`, before || undefined, after || undefined];
  return [itemId, document, ...around, source, ...translations, rowInputHash];
}

function evalRow({ input, evaluation }: WorkbookItem, run: RatingWorkbook) {
  return [
    evaluation.itemId,
    run.runId,
    run.rater,
    run.batch,
    displayMapJson(evaluation.displayMap),
    ...evaluation.ratings.map(({ bucket }) => bucket),
    ...evaluation.ratings.map(({ da }) => da),
    evaluation.comment,
    evaluation.startedAt,
    evaluation.committedAt,
    evaluation.editCount,
    evaluation.activeSeconds,
    evaluation.highlightSeconds,
    evaluation.idleSeconds || undefined,
    run.configSha256,
    run.keySha256,
    input.rowInputHash,
    rowEvalHash(run, evaluation, input.rowInputHash),
  ];
}

/** Returns a sheet with canonical texts. An empty text is an empty cell. */
function sheet(
  name: string,
  columns: SheetContent["columns"],
  rows: SheetContent["rows"],
  isProtected: boolean,
): SheetContent {
  const most = MAX_CELL_LENGTH.toLocaleString("en");
  const cells = rows.map((row, index) =>
    row.map((value, at) => {
      if (typeof value !== "string") return value;
      const text = canonicalText(value);
      if (text.length <= MAX_CELL_LENGTH) return text || undefined;
      throw new RangeError(
        `Cannot write ${name} row ${index + 2}, ${columns[at]!.heading}: it has ` +
          `${
            text.length.toLocaleString("en")
          } characters, more than the ${most} that a cell can hold.`,
      );
    })
  );
  return { name, columns, rows: cells, isProtected };
}

/**
 * Creates an unrated workbook: items by number, texts canonical, hashes and orders computed.
 * `keySha256` is empty if no key was sealed.
 */
export function newWorkbook(
  inputs: readonly Omit<InputRow, "rowInputHash">[],
  { config, ...run }: Omit<RatingWorkbook, "configSha256" | "items"> & {
    readonly config: RunConfig;
  },
): RatingWorkbook {
  const items = inputs.toSorted((a, b) => a.itemId - b.itemId).map((given): WorkbookItem => {
    const translations = given.translations.map(canonicalText);
    const input = { ...given, source: canonicalText(given.source), translations };
    return {
      input: { ...input, rowInputHash: rowInputHash(input) },
      evaluation: {
        itemId: given.itemId,
        displayMap: displayOrder(run.runId, given.itemId, config.numTranslations),
        ratings: translations.map(() => UNRATED),
        comment: "",
        startedAt: undefined,
        committedAt: undefined,
        editCount: 0,
        activeSeconds: 0,
        highlightSeconds: 0,
        idleSeconds: 0,
      },
    };
  });
  return { ...run, configSha256: configHash(config), items };
}

/**
 * Writes a workbook, reads it back with all checks and compares row hashes.
 * A rater is thus never given a file that cannot be resumed.
 *
 * Throws as {@link writeWorkbook} does, and Error if the file does not hold the workbook.
 */
export async function checkpoint(workbook: RatingWorkbook, config: RunConfig): Promise<Uint8Array> {
  const fail = (reason: string) => new Error(`Cannot save the workbook: ${reason}`);
  const bytes = await writeWorkbook(workbook, config);
  const read = await readWorkbook(bytes, { config, runId: workbook.runId });
  if (read.kind === "refused") {
    const reasons = read.problems.map(({ message }) => message).join(" ");
    throw fail(`the file written would be refused. ${reasons}`);
  }
  const hashes = (run: RatingWorkbook) =>
    new Map(
      run.items.map((
        { input, evaluation },
      ) => [input.itemId, rowEvalHash(run, evaluation, input.rowInputHash)]),
    );
  const written = hashes(read.workbook);
  for (const [itemId, hash] of hashes(workbook)) {
    if (written.get(itemId) === hash) continue;
    throw fail(`item ${itemId} comes back from the file otherwise than it was written.`);
  }
  return bytes;
}
