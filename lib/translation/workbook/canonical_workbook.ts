import { canonicalText, MAX_CELL_LENGTH } from "../canonical_text.ts";
import type { Evaluation, InputRow, RatedItem, Rating, RatingWorkbook } from "../item.ts";
import { EVAL, INPUTS } from "./columns.ts";
import { isIsoTime } from "./cells.ts";

/**
 * The workbook as it comes back from a file: items in the order of their numbers, texts in canonical
 * form, empty text in a rating as none, times in tenths of a second. The members of its objects have
 * a fixed order, so that two canonical workbooks are equal where their JSON is.
 *
 * Throws RangeError that names sheet, row and column for what a cell cannot hold.
 */
export function canonicalWorkbook(workbook: RatingWorkbook): RatingWorkbook {
  return {
    runId: workbook.runId,
    configSha256: workbook.configSha256,
    keySha256: workbook.keySha256,
    items: workbook.items.toSorted((a, b) => a.input.itemId - b.input.itemId).map(canonicalItem),
  };
}

function canonicalItem({ input, evaluation }: RatedItem, index: number): RatedItem {
  return {
    input: canonicalInput(input, index + 2),
    evaluation: canonicalEvaluation(evaluation, index + 2),
  };
}

/** A row of `inputs` as it comes back from a file; `row` is where it stands, for messages. */
export function canonicalInput(input: InputRow, row: number): InputRow {
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
  const time = (column: string, value: string | undefined) => {
    if (value === undefined || isIsoTime(value)) return value;
    throw new RangeError(`Cannot write ${place(column)}: ${value} is no ISO 8601 time in UTC.`);
  };
  return {
    itemId: evaluation.itemId,
    displayMap: [...evaluation.displayMap],
    ratings: evaluation.ratings.map((rating, index) => canonicalRating(rating, index, place)),
    comment: fitting(evaluation.comment, place("comment")),
    startedAt: time("started_at", evaluation.startedAt),
    committedAt: time("committed_at", evaluation.committedAt),
    editCount: amount(evaluation.editCount, place("edit_count")),
    activeSeconds: tenths(evaluation.activeSeconds, place("active_seconds")),
    highlightSeconds: tenths(evaluation.highlightSeconds, place("highlight_seconds")),
  };
}

function canonicalRating(
  { bucket, da }: Rating,
  index: number,
  place: (column: string) => string,
): Rating {
  return {
    bucket: fitting(bucket ?? "", place(`bucket_${index + 1}`)) || undefined,
    da: typeof da === "number"
      ? finite(da, place(`da_${index + 1}`))
      : fitting(da ?? "", place(`da_${index + 1}`)) || undefined,
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

function finite(value: number, place: string): number {
  // Adding 0 makes −0, which no file tells from 0, plain 0.
  if (Number.isFinite(value)) return value + 0;
  throw new RangeError(`Cannot write ${place}: ${value} is no number.`);
}

function amount(value: number, place: string): number {
  if (finite(value, place) >= 0) return value + 0;
  throw new RangeError(`Cannot write ${place}: ${value} is below 0.`);
}

function tenths(value: number, place: string): number {
  return Math.round(amount(value, place) * 10) / 10;
}
