import { canonicalText } from "../canonical_text.ts";
import type { SystemRating } from "../analysis/rated_run.ts";
import { RATING_COLUMNS } from "../analysis/rating_columns.ts";
import { writeSheets } from "../workbook/sheet_adapter.ts";

/**
 * Item-level rows as an XLSX workbook, with the columns of the CSV. Every text is written as a text
 * cell, `=1+1` too, so that no spreadsheet runs anything and no apostrophe is needed.
 */
export function systemRatingsXlsx(ratings: readonly SystemRating[]): Promise<Uint8Array> {
  const cell = (value: string | number | undefined) =>
    typeof value === "string" ? canonicalText(value) : value;
  return writeSheets([{
    name: "system_ratings",
    columns: RATING_COLUMNS.map(({ heading, width }) => ({ heading, width })),
    rows: ratings.map((rating) => RATING_COLUMNS.map(({ value }) => cell(value(rating)))),
    isProtected: false,
  }]);
}
