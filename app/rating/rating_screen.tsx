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
import { ReadOnlyBanner } from "./read_only_banner.tsx";
import { rowViews } from "./rows.ts";
import { SourceSentence } from "./source_sentence.tsx";
import { Toolbar } from "./toolbar.tsx";
import { TranslationRows } from "./translation_rows.tsx";
import { useActivity } from "./use_activity.ts";
import { useArrival } from "./use_arrival.ts";
import { useKeys } from "./use_keys.ts";
import { useRowDeeds } from "./use_row_deeds.ts";
import { useSettledRows } from "./use_settled_rows.ts";
import type { Dispatch } from "./use_session.ts";

/** Milliseconds of quiet after which the page finds fault with what is being typed. */
const QUIET_MS = 600;

/** Length in UTF-16 code units from which a source scrolls away rather than staying in view. */
const LONG_SOURCE = 320;

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
  const { deeds, active } = useRowDeeds(session, dispatch, say);
  const rows = useSettledRows(rowViews(item, config, nextTried), item, nextTried, active);
  const states = statesOf(items, config);
  const sources = useMemo(() => firstWords(items), [items.length]);
  const invalid = useSettled(numbersOf(states, "invalid"), QUIET_MS);
  const go = useArrival({ session, rows, states, dispatch, say });
  const parts = useDifferences(item, session.highlighting);
  const onJump = useCallback((index: number) => go({ kind: "jump", index }), [go]);
  useEffect(() => say(saving.state), [saving.state]);
  useActivity(dispatch);
  useKeys({ session, rows, dispatch, go, say, save: saving.save, showKeys: () => showKeys(true) });
  const problem = rows.find((row) => row.problem !== "")?.problem;
  return (
    <div class="screen">
      <main>
        <div class={item.input.source.length < LONG_SOURCE ? "top" : "top long"}>
          <Toolbar
            {...{ session, states, sources, dispatch, go, saving, readOnly }}
            onKeys={() => showKeys(true)}
          />
          {readOnly && <ReadOnlyBanner />}
          <InvalidBanner invalid={invalid} onJump={onJump} />
          <SourceSentence text={item.input.source} language={config.sourceLanguage} />
        </div>
        <div class="rating">
          <TranslationRows {...{ rows, config, deeds, readOnly, active, parts }} />
          <CommentBox
            text={item.evaluation.comment}
            readOnly={readOnly}
            onInput={(text) => dispatch({ kind: "comment", text })}
          />
        </div>
      </main>
      <NextBar
        message={message || problem || ""}
        finishable={isFinishable(states)}
        {...{ notice, readOnly, go }}
      />
      {keysShown && <KeyHelp config={config} onClose={() => showKeys(false)} />}
    </div>
  );
}

/** Whether Next was refused for the item on screen: from then on what is missing is pointed out. */
function useNextTried({ notice, current }: Session): boolean {
  const tried = useRef(-1);
  if (notice?.kind === "item-invalid") tried.current = current;
  else if (tried.current !== current) tried.current = -1;
  return tried.current === current;
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
