import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Session } from "../../lib/translation/session/session.ts";
import { differences } from "../../lib/translation/text.ts";
import type { Saving } from "../use_saving.ts";
import { directionOf } from "../words.ts";
import { InvalidBanner, NextBar, ReadOnlyBanner } from "./foot.tsx";
import { KeyHelp } from "./key_help.tsx";
import { SOURCE_ID } from "./places.ts";
import { isFinishable, problemOf, rowViews, statesOf } from "./rows.ts";
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
  const { config, workbook: { items }, current, notice, highlighting } = session;
  const item = items[current]!;
  const { input, evaluation: { displayMap, comment } } = item;
  const [message, say] = useStatus();
  const [keysShown, showKeys] = useState(false);
  const nextTried = useNextTried(session);
  const { deeds, active } = useRowDeeds(session, dispatch, say);
  const rows = useSettledRows(rowViews(item, config, nextTried), item, nextTried, active);
  const states = statesOf(items, config);
  const opened = items.filter(({ evaluation }) => evaluation.startedAt !== undefined).length;
  const sources = useMemo(() => firstWords(items), [opened]);
  const invalid = useSettledNumbers(
    states.flatMap((state, index) => state === "invalid" ? [index + 1] : []).join(" "),
  );
  const go = useArrival({ session, rows, states, dispatch, say });
  // The parts of every text in display order while differences are shown.
  const parts = useMemo(
    () => highlighting ? differences(displayMap.map((it) => input.translations[it]!)) : undefined,
    [input, displayMap, highlighting],
  );
  // What is wrong with the row in hand, else with the first row that anything is wrong with.
  const problems = rows.map(problemOf);
  const problem = problems[active] || problems.find((each) => each !== "") || "";
  const onJump = useCallback((index: number) => go({ kind: "jump", index }), [go]);
  const onKeys = () => showKeys(true);
  useSaidOutcome(saving, say);
  useActivity(dispatch);
  useScrollPadding();
  useFaultOverEcho(problem, session, say);
  const { save } = saving;
  useKeys({ session, rows, active, readOnly, dispatch, go, say, save, showKeys: onKeys });
  return (
    <div class="screen">
      <main>
        <Toolbar
          {...{ session, states, sources, dispatch, go, onJump, saving, readOnly, onKeys }}
        />
        <section class="source" aria-label="Source sentence" data-place="source">
          <h2
            id={SOURCE_ID}
            tabIndex={0}
            dir={directionOf(config.sourceLanguage)}
            lang={config.sourceLanguage}
          >
            {input.source}
          </h2>
        </section>
        <div class="rating">
          <TranslationRows {...{ rows, config, deeds, readOnly, active, parts }} />
          <label class="comment">
            <span>Comment on this sentence (optional)</span>
            <textarea
              rows={2}
              dir="auto"
              data-place="comment"
              value={comment}
              readOnly={readOnly}
              onInput={(event) => dispatch({ kind: "comment", text: event.currentTarget.value })}
            />
          </label>
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
