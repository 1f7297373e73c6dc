import { formatCsv } from "../../files/csv.ts";
import type { SystemRating } from "./rated_run.ts";

const COLUMNS = [
  "rater",
  "item_id",
  "document",
  "segment",
  "role",
  "role_of",
  "system",
  "translation",
  "position",
  "bucket",
  "bucket_rank",
  "da",
  "started_at",
  "committed_at",
  "active_seconds",
  "comment",
] as const;

/**
 * Item-level rows, one a rater, item and system, as CSV that a spreadsheet can open without running
 * anything: see {@link inertText}. `translation` is 1 … N, as in t1 … tN.
 */
export function systemRatingsCsv(ratings: readonly SystemRating[]): string {
  return formatCsv(COLUMNS, ratings.map(row));
}

function row(rating: SystemRating): Readonly<Record<typeof COLUMNS[number], string | number>> {
  const { role } = rating;
  return {
    rater: inertText(rating.rater),
    item_id: rating.itemId,
    document: inertText(rating.document),
    segment: inertText(rating.segment),
    role: role.kind,
    role_of: role.kind === "rated" ? "" : role.of,
    system: inertText(rating.system),
    translation: rating.translation + 1,
    position: rating.position,
    bucket: rating.bucket,
    bucket_rank: rating.bucketRank,
    da: rating.da,
    started_at: rating.startedAt ?? "",
    committed_at: rating.committedAt,
    active_seconds: rating.activeSeconds,
    comment: inertText(rating.comment),
  };
}

/**
 * Text that no spreadsheet takes for a formula: what begins, be it after white space, with = + - @
 * or their full-width forms, or with a tab or a line break, gets an apostrophe in front (OWASP, CSV
 * Injection). Line breaks become spaces and other control characters but the tab are left out, for
 * one line is one row. Only for CSV: in a workbook, text cells are text, and a changed text would no
 * longer match its hash. Numbers are never to go through here.
 */
export function inertText(text: string): string {
  // First, so that nothing dangerous comes to the front by it.
  const printable = text.replace(/(?![\t\r\n])\p{Cc}/gu, "").toWellFormed();
  const guarded = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/.test(printable) ? `'${printable}` : printable;
  return guarded.replace(/\r\n?|\n/g, " ");
}
