import type { SystemRating } from "./rated_run.ts";

/** A column of the item-level export. */
export interface RatingColumn {
  readonly heading: string;
  /** In characters, where a workbook shows it. */
  readonly width: number;
  /** `translation` is 1 … N, as in t1 … tN; undefined for an empty cell. */
  readonly value: (rating: SystemRating) => string | number | undefined;
}

/** The columns of an item-level row, in order: one list for CSV and workbook. */
export const RATING_COLUMNS: readonly RatingColumn[] = [
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
