import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { sameTexts, type Session } from "../../lib/translation/session/session.ts";
import { textsOf } from "../../lib/translation/texts.ts";
import type { RatedItem } from "../../lib/translation/types.ts";
import { ratingWords } from "../words.ts";
import { focusScore } from "./places.ts";
import type { RowView } from "./rows.ts";
import type { RowDeeds } from "./translation_row.tsx";
import type { Say } from "./use_page.ts";
import type { Dispatch } from "./use_session.ts";

/** What rows do, the same functions from one drawing to the next, and which row is in hand. */
export function useRowDeeds(session: Session, dispatch: Dispatch, say: Say) {
  const [active, setActive] = useState(0);
  const latest = useRef(session);
  latest.current = session;
  const onScreen = () => latest.current.workbook.items[latest.current.current]!;
  const translationAt = (position: number) => onScreen().evaluation.displayMap[position]!;
  const deeds = useMemo((): RowDeeds => ({
    choose(position, bucket, byMouse) {
      say("");
      dispatch({ kind: "bucket", translation: translationAt(position), bucket });
      if (byMouse) focusScore(position);
    },
    score(position, da, stroke) {
      say("");
      const translation = translationAt(position);
      dispatch({ kind: "score", translation, da, ...stroke && { stroke } });
    },
    alike(position) {
      const { config } = latest.current;
      const { input, evaluation: { displayMap, ratings } } = onScreen();
      const translation = translationAt(position);
      const [texts, rating] = [textsOf(config), ratings[translation]!];
      const same = [translation, ...sameTexts(input, translation)];
      const rows = same.map((it) => displayMap.indexOf(it) + 1).sort((a, b) => a - b);
      if (rows.length < 2) return say(texts("nothingAlike", { row: position + 1 }));
      if (rating.bucket === undefined && rating.da === undefined) {
        return say(texts("rateFirst", { row: position + 1 }));
      }
      dispatch({ kind: "alike", translation });
      const words = ratingWords(rating, config);
      say(texts("ratedAlike", { rows: texts.listed(rows.map(String), "and"), rating: words }));
    },
    enter: setActive,
  }), [dispatch, say]);
  return { deeds, active };
}

/** Milliseconds of quiet after which the page finds fault with what is being typed. */
export const QUIET_MS = 600;

/**
 * Rows that do not jump while a score is being typed: a broken rule shows once typing has rested,
 * or on a new sentence, a refused Next or leaving the row, so that the 7 of a 72 blames nobody.
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
  return live.map((row, position) => {
    const before = rows[position]!;
    const { low, high } = position === inHand || row.bucket !== before.bucket ? row : before;
    const broken = row.broken === "" ? "" : before.broken;
    return { ...row, low, high, broken, scoreAtFault: row.scoreAtFault && before.scoreAtFault };
  });
}
