import { useMemo, useRef, useState } from "preact/hooks";
import type { Session } from "../../lib/translation/session/session.ts";
import { focusScore } from "./places.ts";
import type { RowDeeds } from "./translation_row.tsx";
import type { Dispatch } from "./use_session.ts";
import type { Say } from "./use_status.ts";

/** What rows do, the same functions from one drawing to the next, and which row is in hand. */
export function useRowDeeds(session: Session, dispatch: Dispatch, say: Say) {
  const [active, setActive] = useState(0);
  const displayMap = useRef<readonly number[]>([]);
  displayMap.current = session.workbook.items[session.current]!.evaluation.displayMap;
  const deeds = useMemo((): RowDeeds => ({
    choose(position, bucket, byMouse) {
      say("");
      dispatch({ kind: "bucket", translation: displayMap.current[position]!, bucket });
      if (byMouse) focusScore(position);
    },
    score(position, da) {
      say("");
      dispatch({ kind: "score", translation: displayMap.current[position]!, da });
    },
    enter: setActive,
  }), [dispatch, say]);
  return { deeds, active };
}
