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
import { problemOf, type RowView, rowViews } from "./rows.ts";
import { SourceSentence } from "./source_sentence.tsx";
import { Toolbar } from "./toolbar.tsx";
import { TranslationRows } from "./translation_rows.tsx";
import { useActivity } from "./use_activity.ts";
import { useArrival } from "./use_arrival.ts";
import { useKeys } from "./use_keys.ts";
import { useRowDeeds } from "./use_row_deeds.ts";
import { QUIET_MS, useSettledRows } from "./use_settled_rows.ts";
import { useScrollPadding } from "./use_scroll_padding.ts";
import type { Dispatch } from "./use_session.ts";
import { type Say, useStatus } from "./use_status.ts";

/** One sentence and its translations, to be sorted and scored. */
export function RatingScreen({ session, dispatch, saving, readOnly, takeOver }: {
  readonly session: Session;
  readonly dispatch: Dispatch;
  readonly saving: Saving;
  readonly readOnly: boolean;
  /** Makes this tab the one that may change the run; undefined while another is. */
  readonly takeOver: (() => void) | undefined;
}) {
  const { config, workbook: { items }, current, notice } = session;
  const item = items[current]!;
  const [message, say] = useStatus();
  const [keysShown, showKeys] = useState(false);
  const nextTried = useNextTried(session);
  const { deeds, active } = useRowDeeds(session, dispatch, say);
  const rows = useSettledRows(rowViews(item, config, nextTried), item, nextTried, active);
  const states = statesOf(items, config);
  const sources = useMemo(() => firstWords(items), [openedOf(items)]);
  const invalid = useSettledNumbers(numbersOf(states, "invalid"));
  const go = useArrival({ session, rows, states, dispatch, say });
  const parts = useDifferences(item, session.highlighting);
  const problem = problemInHand(rows, active);
  const onJump = useCallback((index: number) => go({ kind: "jump", index }), [go]);
  useSaidOutcome(saving, say);
  useActivity(dispatch);
  useScrollPadding();
  useFaultOverEcho(problem, session, say);
  useKeys({
    ...{ session, rows, active, readOnly, dispatch, go, say, save: saving.save },
    showKeys: () => showKeys(true),
  });
  return (
    <div class="screen">
      <main>
        <Toolbar
          {...{ session, states, sources, dispatch, go, onJump, saving, readOnly }}
          onKeys={() => showKeys(true)}
        />
        <SourceSentence text={item.input.source} language={config.sourceLanguage} />
        <div class="rating">
          <TranslationRows {...{ rows, config, deeds, readOnly, active, parts }} />
          <CommentBox
            text={item.evaluation.comment}
            readOnly={readOnly}
            onInput={(text) => dispatch({ kind: "comment", text })}
          />
        </div>
      </main>
      <footer class="foot">
        {readOnly && <ReadOnlyBanner takeOver={takeOver} />}
        <InvalidBanner invalid={invalid} onJump={onJump} />
        <NextBar
          message={message || problem}
          finishable={isFinishable(states)}
          {...{ notice, readOnly, go }}
        />
      </footer>
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

/** What is wrong with the row in hand, else with the first row that anything is wrong with. */
function problemInHand(rows: readonly RowView[], active: number): string {
  const problems = rows.map(problemOf);
  return problems[active] || problems.find((each) => each !== "") || "";
}

/** Says what came of saving, once: the screen itself may come and go in between. */
function useSaidOutcome({ outcome }: Saving, say: Say): void {
  const said = useRef(outcome);
  useEffect(() => {
    if (outcome && said.current !== outcome) say(outcome.words);
    said.current = outcome;
  }, [outcome, say]);
}

/** A fault that comes up stands in the status line instead of what a key did before. */
function useFaultOverEcho(problem: string, { notice, current }: Session, say: Say): void {
  const last = useRef(current);
  useEffect(() => {
    if (problem !== "" && !notice && last.current === current) say("");
    last.current = current;
  }, [problem, current]);
}

/** Numbers that have stood for a while; one that is gone goes at once. */
function useSettledNumbers(live: string): string {
  const settled = useSettled(live, QUIET_MS).split(" ");
  return live.split(" ").filter((number) => settled.includes(number)).join(" ");
}

/** Changes where a sentence is opened for the first time. */
function openedOf(items: readonly RatedItem[]): number {
  return items.filter(({ evaluation }) => evaluation.startedAt !== undefined).length;
}

/** The parts of every text in display order while differences are shown. */
function useDifferences({ input, evaluation: { displayMap } }: RatedItem, shown: boolean) {
  return useMemo(
    () => shown ? differences(displayMap.map((each) => input.translations[each]!)) : undefined,
    [input, displayMap, shown],
  );
}

function numbersOf(states: readonly string[], wanted: string): string {
  return states.flatMap((state, index) => state === wanted ? [index + 1] : []).join(" ");
}
