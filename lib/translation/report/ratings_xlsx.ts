import { canonicalText } from "../canonical_text.ts";
import type { SystemRating } from "../analysis/rated_run.ts";
import { writeSheets } from "../workbook/sheet_adapter.ts";

/** A column of the export. */
interface ExportColumn {
  readonly heading: string;
  /** In characters. */
  readonly width: number;
  readonly value: (rating: SystemRating) => string | number | undefined;
}

const COLUMNS: readonly ExportColumn[] = [
  { heading: "rater", width: 20, value: ({ rater }) => rater },
  { heading: "item_id", width: 8, value: ({ itemId }) => itemId },
  { heading: "document", width: 14, value: ({ document }) => document },
  { heading: "segment", width: 14, value: ({ segment }) => segment },
  { heading: "role", width: 10, value: ({ role }) => role.kind },
  {
    heading: "role_of",
    width: 8,
    value: ({ role }) => role.kind === "rated" ? undefined : role.of,
  },
  { heading: "system", width: 20, value: ({ system }) => system },
  { heading: "translation", width: 11, value: ({ translation }) => translation + 1 },
  { heading: "position", width: 9, value: ({ position }) => position },
  { heading: "bucket", width: 10, value: ({ bucket }) => bucket },
  { heading: "bucket_rank", width: 11, value: ({ bucketRank }) => bucketRank },
  { heading: "da", width: 7, value: ({ da }) => da },
  { heading: "started_at", width: 25, value: ({ startedAt }) => startedAt },
  { heading: "committed_at", width: 25, value: ({ committedAt }) => committedAt },
  { heading: "active_seconds", width: 14, value: ({ activeSeconds }) => activeSeconds },
  { heading: "comment", width: 40, value: ({ comment }) => comment },
];

/**
 * Item-level rows as an XLSX workbook, with the columns of the CSV. Every text is written as a text
 * cell, `=1+1` too, so that no spreadsheet runs anything and no apostrophe is needed.
 */
export function systemRatingsXlsx(ratings: readonly SystemRating[]): Promise<Uint8Array> {
  const cell = (value: string | number | undefined) =>
    typeof value === "string" ? canonicalText(value) : value;
  return writeSheets([{
    name: "system_ratings",
    columns: COLUMNS.map(({ heading, width }) => ({ heading, width })),
    rows: ratings.map((rating) => COLUMNS.map(({ value }) => cell(value(rating)))),
    isProtected: false,
  }]);
}
