import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Session } from "../../lib/translation/session/session.ts";
import { differences } from "../../lib/translation/text.ts";
import { textsOf } from "../../lib/translation/texts.ts";
import type { WorkbookItem } from "../../lib/translation/types.ts";
import type { Saving } from "../storage/saving.ts";
import { directionOf } from "../words.ts";
import { FINISH_ID, focusRow, NEXT_ID, SOURCE_ID, useActivity, useCompact } from "./desk.ts";
import { useRowDeeds, useScrollPadding, useSettled, useSettledRows, useStatus } from "./desk.ts";
import type { Desk, Say } from "./desk.ts";
import { KeyHelp } from "./help.tsx";
import { byScore, isFinishable, problemOf, rowViews, statesOf } from "./rows.ts";
import { firstWords, Toolbar } from "./toolbar.tsx";
import { TranslationRows } from "./translation_row.tsx";
import { useArrival, useKeys } from "./use_keys.ts";

/** One sentence and its translations, to be sorted and scored. */
export function RatingScreen(
  given: Pick<Desk, "session" | "dispatch" | "saving" | "readOnly">,
) {
  const { session, dispatch, saving, readOnly } = given;
  const { config, workbook: { items }, current, highlighting, feedback } = session;
  const item = items[current]!;
  const { input, evaluation: { displayMap, comment } } = item;
  const texts = textsOf(config);
  const [message, say] = useStatus();
  const [keysShown, setKeysShown] = useState(false);
  const [compact, setCompact] = useCompact(items);
  const [context, setContext] = useState(false);
  const nextTried = useNextTried(session);
  const { deeds, active } = useRowDeeds(session, dispatch, say);
  const live = rowViews(item, config, nextTried, feedback);
  const rows = useSettledRows(live, item, nextTried, active);
  const [sorted, sort] = useSorted(current, active);
  const states = statesOf(items, config);
  const opened = items.filter(({ evaluation }) => evaluation.startedAt !== undefined).length;
  const sources = useMemo(() => firstWords(items, config), [opened]);
  const invalid = useSettledNumbers(
    states.flatMap((state, index) => state === "invalid" ? [index + 1] : []),
  );
  const go = useArrival({ session, texts, rows, states, dispatch, say });
  const onJump = useCallback((index: number) => go({ kind: "jump", index }), [go]);
  // The parts of every text in display order while differences are shown.
  const parts = useMemo(
    () => highlighting ? differences(displayMap.map((it) => input.translations[it]!)) : undefined,
    [input, displayMap, highlighting],
  );
  // What is wrong with the row in hand, else with the first row that anything is wrong with.
  const problems = rows.map(problemOf);
  const problem = problems[active] || problems.find((each) => each !== "") || "";
  const desk: Desk = {
    ...given,
    texts,
    rows,
    active,
    states,
    deeds,
    go,
    onJump,
    say,
    order: sorted ?? [...rows.keys()],
    views: { differences: highlighting, context, byScore: sorted !== undefined, compact },
    toggle: {
      differences: () => dispatch({ kind: "highlight", on: !highlighting }),
      context() {
        setContext(!context);
        say(texts(context ? "contextHidden" : "contextShown"));
      },
      byScore() {
        sort(sorted ? undefined : byScore(live, config));
        say(texts(sorted ? "byScoreHidden" : "byScoreShown"));
      },
      compact: () => setCompact(!compact),
    },
    showKeys: () => setKeysShown(true),
  };
  useSaidOutcome(saving, say);
  useActivity(dispatch);
  useScrollPadding();
  useFaultOverEcho(problem, session, say);
  useKeys(desk);
  return (
    <div class={compact ? "screen compact" : "screen"}>
      <main>
        <Toolbar {...{ desk, sources }} />
        <Source {...desk} />
        <div class="rating">
          <TranslationRows {...{ desk, parts }} />
          <label class="comment">
            <span>{texts("comment")}</span>
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
        {/* Why a second tab of the same run changes nothing. */}
        {readOnly && <p class="banner looking" role="status">{texts("otherTab")}</p>}
        <InvalidBanner numbers={invalid} {...{ onJump, texts }} />
        <NextBar {...{ desk, message: message || problem }} />
      </footer>
      {keysShown && <KeyHelp config={config} onClose={() => setKeysShown(false)} />}
    </div>
  );
}

/** Sentences shown on each side of the source where the file has no context of its own. */
const NEIGHBOURS = 2;

/** The sentences on either side: the file's own context, else its rows of the same document. */
function neighboursOf(items: readonly WorkbookItem[], current: number) {
  const { document, context } = items[current]!.input;
  if (context !== undefined) {
    const { before, after } = context;
    return [before, after].map((text) => text.split("\n").filter((line) => line !== ""));
  }
  const rows = (from: number, to: number) =>
    items.slice(Math.max(from, 0), Math.max(to, 0))
      .flatMap(({ input }) => input.document === document ? [input.source] : []);
  return [rows(current - NEIGHBOURS, current), rows(current + 1, current + 1 + NEIGHBOURS)];
}

/**
 * The source sentence and, where asked for, the sentences before and after: of its document, or in
 * the file where it names no documents.
 */
function Source({ session, texts, views }: Desk) {
  const { config, current, workbook: { items } } = session;
  const section = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // Where not all of it has room, the sentence itself is what is in view.
  useLayoutEffect(() => {
    const [box, own] = [section.current!, heading.current!];
    box.scrollTop += own.getBoundingClientRect().top - box.getBoundingClientRect().top -
      Math.max(0, (box.clientHeight - own.clientHeight) / 2);
  }, [current, views.context]);
  const scrolls = useScrollsOn(section, `${current} ${views.context} ${views.compact}`);
  const language = { dir: directionOf(config.sourceLanguage), lang: config.sourceLanguage };
  const [before, after] = views.context ? neighboursOf(items, current) : [[], []];
  const neighbours = (sources: readonly string[], label: string) =>
    sources.map((source, index) => (
      <p key={`${label} ${index}`} class="neighbour">
        <span class="unseen">{label}:</span>
        <span {...language}>{source}</span>
      </p>
    ));
  return (
    <section ref={section} class="source" aria-label={texts("source")} data-place="source">
      {neighbours(before!, texts("sentenceBefore"))}
      <h2 ref={heading} id={SOURCE_ID} tabIndex={0} {...language}>
        {items[current]!.input.source}
      </h2>
      {neighbours(after!, texts("sentenceAfter"))}
      {scrolls && <p class="scrolls">{texts("sourceScrolls")} ↓</p>}
    </section>
  );
}

/** Whether more of a box stands below what is seen of it: scroll bars are hidden on telephones. */
function useScrollsOn(box: { readonly current: HTMLElement | null }, occasion: string): boolean {
  const [scrolls, set] = useState(false);
  useLayoutEffect(() => {
    const element = box.current!;
    // The sign itself stands at the end, and goes where the end is in sight.
    const look = () =>
      set(element.scrollTop + element.clientHeight < element.scrollHeight - END_IN_SIGHT);
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [occasion]);
  return scrolls;
}

/** Pixels of a box's padding and of the sign that it scrolls: no text stands there. */
const END_IN_SIGHT = 12;

/** The rows' order while they are looked at by score: it stands still until the next sentence. */
function useSorted(current: number, active: number) {
  const [{ at, order }, set] = useState({ at: current, order: undefined as Order });
  const shown = at === current ? order : undefined;
  const before = useRef(shown);
  useLayoutEffect(() => {
    // What has the focus loses it where the browser moves its row.
    if (before.current !== shown && at === current) focusRow(active);
    before.current = shown;
  }, [shown]);
  return [shown, (order: Order) => set({ at: current, order })] as const;
}

type Order = readonly number[] | undefined;

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
function useSettledNumbers(live: readonly number[]): readonly number[] {
  const settled = useSettled(live);
  return live.filter((number) => settled.includes(number));
}

/** Back, Finish and Next, which never go dead, and what there is to say. */
function NextBar({ desk, message }: { readonly desk: Desk; readonly message: string }) {
  const { session: { notice }, states, readOnly, go, onJump, texts } = desk;
  const unfinished = notice?.kind === "not-finished"
    ? [...new Set([...notice.invalid, ...notice.incomplete])].sort((one, other) => one - other)
    : [];
  const numbers = unfinished.map((index) => index + 1);
  // Where all sentences are done Finish is the way on.
  const [finish, next] = isFinishable(states) ? ["primary", ""] : ["", "primary"];
  return (
    <div class="next-bar">
      <button type="button" title="Ctrl+Shift+Enter" onClick={() => go({ kind: "back" })}>
        ← {texts("back")}
      </button>
      <div class="message">
        <p role="status">{message}</p>
        {numbers.length > 0 && (
          <p class="unfinished">
            {texts("goToSentence")} <SentenceLinks {...{ numbers, onJump, texts }} />
          </p>
        )}
      </div>
      {!readOnly && (
        <button
          type="button"
          id={FINISH_ID}
          class={finish}
          onClick={() => go({ kind: "finish" })}
        >
          {texts("finish")}
        </button>
      )}
      <button
        type="button"
        id={NEXT_ID}
        class={next}
        title="Ctrl+Enter"
        onClick={() => go({ kind: "next" })}
      >
        {texts("next")} →
      </button>
    </div>
  );
}

/** How many sentences break a rule, with a link to each. */
function InvalidBanner({ numbers, onJump, texts }: SentencesProps) {
  if (numbers.length === 0) return null;
  return (
    <section class="banner" aria-label={texts("bannerLabel")}>
      <strong>{texts("needCorrecting", { n: numbers.length })}</strong>
      <span>{texts("beforeFinish")}</span>
      <SentenceLinks {...{ numbers, onJump, texts }} />
    </section>
  );
}

/** Sentences by their numbers, and the way to one. */
interface SentencesProps extends Pick<Desk, "onJump" | "texts"> {
  readonly numbers: readonly number[];
}

/** Links that a banner holds at most; Next invalid leads to the others too. */
const MOST_LINKS = 12;

/** A button for each sentence. */
function SentenceLinks({ numbers, onJump, texts }: SentencesProps) {
  const more = numbers.length - MOST_LINKS;
  return (
    <span class="links">
      {numbers.slice(0, MOST_LINKS).map((number) => (
        <button
          key={number}
          type="button"
          class="link"
          aria-label={texts("sentenceAt", { number })}
          onClick={() => onJump(number - 1)}
        >
          {number}
        </button>
      ))}
      {more > 0 && <span>{texts("andMore", { n: more })}</span>}
    </span>
  );
}
