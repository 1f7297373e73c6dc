import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Session } from "../../lib/translation/session/session.ts";
import { differences } from "../../lib/translation/text.ts";
import type { RatedItem } from "../../lib/translation/types.ts";
import type { Saving } from "../use_saving.ts";
import { directionOf } from "../words.ts";
import { InvalidBanner, NextBar, ReadOnlyBanner } from "./foot.tsx";
import { KeyHelp } from "./key_help.tsx";
import { SOURCE_ID } from "./places.ts";
import { isFinishable, problemOf, type RowView, rowViews, statesOf } from "./rows.ts";
import { firstWords, Toolbar } from "./toolbar.tsx";
import { TranslationRows } from "./translation_row.tsx";
import { useArrival } from "./use_arrival.ts";
import { useKeys } from "./use_keys.ts";
import { type Say, useActivity, useScrollPadding, useSettled, useStatus } from "./use_page.ts";
import { QUIET_MS, useRowDeeds, useSettledRows } from "./use_rows.ts";
import type { Dispatch } from "./use_session.ts";

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
    session,
    rows,
    active,
    readOnly,
    dispatch,
    go,
    say,
    save: saving.save,
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

/** The sentence that was translated; it stays in view while its translations scroll. */
function SourceSentence({ text, language }: {
  readonly text: string;
  /** BCP 47; undefined where nobody said. */
  readonly language: string | undefined;
}) {
  return (
    <section class="source" aria-label="Source sentence" data-place="source">
      <h2 id={SOURCE_ID} tabIndex={0} dir={directionOf(language)} lang={language}>{text}</h2>
    </section>
  );
}

/** The rater's remark on a sentence as a whole. */
function CommentBox({ text, readOnly, onInput }: {
  readonly text: string;
  readonly readOnly: boolean;
  readonly onInput: (text: string) => void;
}) {
  return (
    <label class="comment">
      <span>Comment on this sentence (optional)</span>
      <textarea
        rows={2}
        dir="auto"
        data-place="comment"
        value={text}
        readOnly={readOnly}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  );
}
