import { type CsvValue, formatCsv } from "../../files/csv.ts";
import { inertText } from "../../files/inert_text.ts";
import type { SystemRating } from "./rated_run.ts";
import { RATING_COLUMNS } from "./rating_columns.ts";

/**
 * Item-level rows, one a rater, item and system, as CSV that a spreadsheet can open without running
 * anything: see {@link inertText}.
 */
export function systemRatingsCsv(ratings: readonly SystemRating[]): string {
  return formatCsv(RATING_COLUMNS.map(({ heading }) => heading), ratings.map(row));
}

function row(rating: SystemRating): Readonly<Record<string, CsvValue>> {
  return Object.fromEntries(RATING_COLUMNS.map(({ heading, value }) => {
    const cell = value(rating) ?? "";
    return [heading, typeof cell === "string" ? inertText(cell) : cell];
  }));
}
