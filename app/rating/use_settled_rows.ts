import { useEffect, useReducer, useRef } from "preact/hooks";
import type { RatedItem } from "../../lib/translation/item.ts";
import type { RowView } from "./rows.ts";

/** Milliseconds of quiet after which the page finds fault with what is being typed. */
export const QUIET_MS = 600;

/**
 * Rows that do not jump while a score is being typed: a broken rule shows, or is worded anew, once
 * typing has rested, and goes as soon as it is mended; only the row in hand is told of other scores
 * at once. So the 7 of a 72 draws one row, and blames nobody. A new sentence, a refused Next and
 * leaving a row show everything at once.
 */
export function useSettledRows(
  live: readonly RowView[],
  { input: { itemId } }: RatedItem,
  nextTried: boolean,
  inHand: number,
): readonly RowView[] {
  const [, draw] = useReducer((drawn: number, _: undefined) => drawn + 1, 0);
  const occasion = `${itemId} ${nextTried} ${inHand}`;
  const settled = useRef({ occasion: "", rows: live });
  if (settled.current.occasion !== occasion) settled.current = { occasion, rows: live };
  const value = JSON.stringify(live);
  useEffect(() => {
    const timer = setTimeout(() => {
      settled.current = { occasion, rows: live };
      draw(undefined);
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [occasion, value]);
  const { rows } = settled.current;
  return live.map((row, position) => rested(row, rows[position]!, position === inHand));
}

function rested(row: RowView, settled: RowView, inHand: boolean): RowView {
  const stillBroken = settled.broken !== "" && row.broken !== "";
  const { low, high } = inHand || row.bucket !== settled.bucket ? row : settled;
  return {
    ...row,
    low,
    high,
    broken: stillBroken ? settled.broken : "",
    scoreAtFault: row.scoreAtFault && settled.scoreAtFault,
  };
}
