import { useEffect, useState } from "preact/hooks";
import type { RatedItem } from "../../lib/translation/item.ts";
import type { RowView } from "./rows.ts";

/** Milliseconds of quiet after which the page finds fault with what is being typed. */
const QUIET_MS = 600;

/**
 * Rows that do not jump while a score is being typed: a problem shows once typing has rested (at
 * once where Next was tried; it goes as soon as it is mended), and only the row in hand is told of
 * other scores at once. So the 7 of a 72 draws one row, and blames nobody.
 */
export function useSettledRows(
  live: readonly RowView[],
  { input: { itemId } }: RatedItem,
  nextTried: boolean,
  inHand: number,
): readonly RowView[] {
  const [settled, settle] = useState({ itemId, rows: live });
  const value = JSON.stringify([itemId, live]);
  useEffect(() => {
    const timer = setTimeout(() => settle({ itemId, rows: live }), QUIET_MS);
    return () => clearTimeout(timer);
  }, [value]);
  if (nextTried || settled.itemId !== itemId) return live;
  return live.map((row, position) => rested(row, settled.rows[position]!, position === inHand));
}

function rested(row: RowView, settled: RowView, inHand: boolean): RowView {
  const known = settled.problem !== "";
  const { low, high } = inHand || row.bucket !== settled.bucket ? row : settled;
  return {
    ...row,
    low,
    high,
    problem: known ? row.problem : "",
    scoreAtFault: known && row.scoreAtFault,
  };
}
