import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { differences } from "../../lib/translation/difference.ts";
import type { RatedItem } from "../../lib/translation/item.ts";
import type { Session } from "../../lib/translation/session/session.ts";
import type { Saving } from "../use_saving.ts";
import { useSettled } from "../use_settled.ts";
import { isFinishable, statesOf } from "./assessment.ts";
import { InvalidBanner } from "./banner.tsx";
import { CommentBox } from "./comment_box.tsx";
import { firstWords } from "./jump_to.tsx";
import { KeyHelp } from "./key_help.tsx";
import { NextBar } from "./next_bar.tsx";
import { focusScore } from "./places.ts";
import { type RowView, rowViews } from "./rows.ts";
import { SourceSentence } from "./source_sentence.tsx";
import { Toolbar } from "./toolbar.tsx";
import { type RowDeeds, TranslationRow } from "./translation_row.tsx";
import { useActivity } from "./use_activity.ts";
import { useArrival } from "./use_arrival.ts";
import { useKeys } from "./use_keys.ts";
import type { Dispatch } from "./use_session.ts";

/** Milliseconds of quiet after which the page finds fault with what is being typed. */
const QUIET_MS = 600;

/** One sentence and its translations, to be sorted and scored. */
export function RatingScreen({ session, dispatch, saving, readOnly }: {
  readonly session: Session;
  readonly dispatch: Dispatch;
  readonly saving: Saving;
  readonly readOnly: boolean;
}) {
  const { config, workbook: { items }, current, notice } = session;
  const item = items[current]!;
  const [message, say] = useState("");
  const [keysShown, showKeys] = useState(false);
  const nextTried = useNextTried(session);
  const rows = useSettledRows(rowViews(item, config, nextTried), item, nextTried);
  const states = statesOf(items, config);
  const sources = useMemo(() => firstWords(items), [items.length]);
  const invalid = useSettled(numbersOf(states, "invalid"), QUIET_MS);
  const go = useArrival({ session, rows, states, dispatch, say });
  const { deeds, active } = useRowDeeds(session, dispatch, say);
  const parts = useDifferences(item, session.highlighting);
  const onJump = useCallback((index: number) => go({ kind: "jump", index }), [go]);
  useEffect(() => say(saving.state), [saving.state]);
  useActivity(dispatch);
  useKeys({ session, rows, dispatch, go, say, save: saving.save, showKeys: () => showKeys(true) });
  const problem = rows.find((row) => row.problem !== "")?.problem;
  return (
    <>
      <Toolbar
        {...{ session, states, sources, dispatch, go, saving, readOnly }}
        onKeys={() => showKeys(true)}
      />
      <main class="rating">
        {readOnly && (
          <p class="banner">
            This run is open in another tab, which has the right to change it. Here you can only
            look: close this tab, or close the other and reload this one.
          </p>
        )}
        <InvalidBanner invalid={invalid} onJump={onJump} />
        <SourceSentence text={item.input.source} language={config.sourceLanguage} />
        <section class="rows" aria-label="Translations">
          {rows.map((row, position) => (
            <TranslationRow
              key={position}
              {...row}
              {...{ position, config, deeds, readOnly }}
              tabStop={position === active}
              parts={parts?.[position]}
            />
          ))}
        </section>
        <CommentBox
          text={item.evaluation.comment}
          readOnly={readOnly}
          onInput={(text) => dispatch({ kind: "comment", text })}
        />
      </main>
      <NextBar
        message={message || problem || ""}
        finishable={isFinishable(states)}
        {...{ notice, readOnly, go }}
      />
      {keysShown && <KeyHelp config={config} onClose={() => showKeys(false)} />}
    </>
  );
}

/** Whether Next was refused for the item on screen: from then on what is missing is pointed out. */
function useNextTried({ notice, current }: Session): boolean {
  const tried = useRef(-1);
  if (notice?.kind === "item-invalid") tried.current = current;
  else if (tried.current !== current) tried.current = -1;
  return tried.current === current;
}

/** Rows whose problems show once typing rests; at once where Next was tried, or gone for good. */
function useSettledRows(live: RowView[], item: RatedItem, nextTried: boolean): readonly RowView[] {
  const { itemId } = item.input;
  const flags = live.map(({ problem }) => problem === "" ? "0" : "1").join("");
  const settled = useSettled(`${itemId}:${flags}`, QUIET_MS);
  const [settledItem, settledFlags] = settled.split(":");
  if (nextTried || settledItem !== String(itemId)) return live;
  return live.map((row, position) =>
    settledFlags![position] === "1" ? row : { ...row, problem: "" }
  );
}

/** What rows do, the same functions from one drawing to the next, and which row is in hand. */
function useRowDeeds(session: Session, dispatch: Dispatch, say: (message: string) => void) {
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
  }), [dispatch]);
  return { deeds, active };
}

/** The parts of every text in display order while differences are shown. */
function useDifferences({ input, evaluation: { displayMap } }: RatedItem, shown: boolean) {
  return useMemo(
    () => shown ? differences(displayMap.map((each) => input.translations[each]!)) : undefined,
    [input, shown],
  );
}

function numbersOf(states: readonly string[], wanted: string): string {
  return states.flatMap((state, index) => state === wanted ? [index + 1] : []).join(" ");
}
