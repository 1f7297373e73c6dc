import { configHash, rowEvalHash } from "../hashes.ts";
import type { RatedItem, RatingWorkbook } from "../item.ts";
import { displayMapJson } from "../order.ts";
import type { RunConfig } from "../run_config.ts";
import { canonicalWorkbook } from "./canonical_workbook.ts";
import { EVAL, evalColumns, INPUTS, inputsColumns } from "./columns.ts";
import { type SheetContent, writeSheets } from "./sheet_adapter.ts";

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
  refuseOther(canonical, config);
  const n = config.numTranslations;
  const inputs = canonical.items.map(inputsRow);
  const evaluations = canonical.items.map((item) => evalRow(item, canonical));
  return await writeSheets([
    { name: INPUTS, columns: inputsColumns(n), rows: inputs, isProtected: true },
    { name: EVAL, columns: evalColumns(n), rows: evaluations, isProtected: false },
  ]);
}

function refuseOther({ configSha256, items }: RatingWorkbook, config: RunConfig): void {
  if (configSha256 !== configHash(config)) {
    throw new RangeError("Cannot write the workbook: it belongs to another run configuration.");
  }
  const n = config.numTranslations;
  for (const { input, evaluation } of items) {
    const lengths = [input.translations, evaluation.ratings, evaluation.displayMap];
    if (lengths.every(({ length }) => length === n)) continue;
    throw new RangeError(`Cannot write item ${input.itemId}: it has not ${n} translations.`);
  }
}

function inputsRow({ input }: RatedItem): Row {
  return [input.itemId, input.source, ...input.translations, input.rowInputHash].map(orEmpty);
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
