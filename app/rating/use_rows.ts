import { useMemo, useRef, useState } from "preact/hooks";
import { sameTexts, type Session } from "../../lib/translation/session/session.ts";
import { textsOf } from "../../lib/translation/texts.ts";
import type { RatedItem, Rating } from "../../lib/translation/types.ts";
import { ratingWords } from "../words.ts";
import type { Dispatch, RowDeeds, Say } from "./desk.ts";
import { focusScore } from "./places.ts";
import type { RowView } from "./rows.ts";
import { useSettled } from "./use_page.ts";

/** What rows do, the same functions from one drawing to the next, and which row is in hand. */
export function useRowDeeds(session: Session, dispatch: Dispatch, say: Say) {
  const [active, setActive] = useState(0);
  const latest = useRef(session);
  latest.current = session;
  const deeds = useMemo((): RowDeeds => {
    const at = (position: number) => {
      const { config, workbook, current } = latest.current;
      const { input, evaluation: { displayMap, ratings } } = workbook.items[current]!;
      const translation = displayMap[position]!;
      const rating = ratings[translation]!;
      return { config, texts: textsOf(config), input, displayMap, translation, rating };
    };
    /** By key a screen reader would say something else. */
    const sayRow = (position: number, change: Partial<Rating>) => {
      const { config, texts, rating } = at(position);
      const words = ratingWords({ ...rating, ...change }, config);
      say(texts("rowSays", { row: position + 1, rating: words }));
    };
    return {
      choose(position, bucket, by) {
        if (by === "key") sayRow(position, { bucket });
        else say("");
        dispatch({ kind: "bucket", translation: at(position).translation, bucket });
        if (by === "mouse") focusScore(position);
      },
      score(position, da, stroke) {
        say("");
        const { translation } = at(position);
        dispatch({ kind: "score", translation, da, ...stroke && { stroke } });
      },
      nudge(position, points) {
        const { config: { daMin, daMax }, texts, translation, rating } = at(position);
        if (typeof rating.da !== "number") {
          focusScore(position);
          return say(texts("nothingToMove", { row: position + 1 }));
        }
        // Twelve digits: a tenth is no sum of powers of two, and 0.1 + 0.2 is not to show.
        const moved = Number((rating.da + points).toPrecision(12));
        const da = Math.min(Math.max(moved, daMin), daMax);
        sayRow(position, { da });
        dispatch({ kind: "score", translation, da });
      },
      alike(position) {
        const { config, texts, input, displayMap, translation, rating } = at(position);
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
    };
  }, [dispatch, say]);
  return { deeds, active };
}

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
  const settled = useSettled(live, `${itemId} ${nextTried} ${inHand}`);
  return live.map((row, position) => {
    const before = settled[position]!;
    const { low, high } = position === inHand || row.bucket !== before.bucket ? row : before;
    const broken = row.broken === "" ? "" : before.broken;
    return { ...row, low, high, broken, scoreAtFault: row.scoreAtFault && before.scoreAtFault };
  });
}
