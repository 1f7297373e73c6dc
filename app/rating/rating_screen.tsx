import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Session } from "../../lib/translation/session/session.ts";
import { differences } from "../../lib/translation/text.ts";
import { textsOf } from "../../lib/translation/page_texts.ts";
import type { WorkbookItem } from "../../lib/translation/types.ts";
import type { Saving } from "../storage/saving.ts";
import { directionOf } from "../formatting.ts";
import { FINISH_ID, focusRow, NEXT_ID, SOURCE_ID, useActivity, useCompact } from "./desk.ts";
import { useRowActions, useScrollPadding, useSettled, useSettledRows, useStatus } from "./desk.ts";
import type { Desk, Say } from "./desk.ts";
import { KeyHelp } from "./help.tsx";
import { byScore, isFinishable, problemOf, rowViews, statesOf } from "./rows.ts";
import { firstWords, Toolbar } from "./toolbar.tsx";
import { TranslationRows } from "./translation_row.tsx";
import { useArrival, useKeys } from "./use_keys.ts";

/** One sentence with its translations, to be sorted and scored. */
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
  const { rowActions, active } = useRowActions(session, dispatch, say);
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
  // The segments of every text in display order, if differences are shown.
  const parts = useMemo(
    () => highlighting ? differences(displayMap.map((it) => input.translations[it]!)) : undefined,
    [input, displayMap, highlighting],
  );
  // The problem of the active row, else of the first row with one.
  const problems = rows.map(problemOf);
  const problem = problems[active] || problems.find((each) => each !== "") || "";
  const desk: Desk = {
    ...given,
    texts,
    rows,
    active,
    states,
    rowActions,
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
  useAnnouncedOutcome(saving, say);
  useActivity(dispatch);
  useScrollPadding();
  useFaultMessage(problem, session, say);
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

/** Number of context sentences on each side if the file has no context. */
const NEIGHBOURS = 2;

/** Returns the neighbouring sentences: the file's context, else rows of the same document. */
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
 * The source sentence and, if requested, its neighbours.
 * They are of its document, or of the file if it names no documents.
 */
function Source({ session, texts, views }: Desk) {
  const { config, current, workbook: { items } } = session;
  const section = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // If not everything fits, the sentence itself is in view.
  useLayoutEffect(() => {
    const [box, sentence] = [section.current!, heading.current!];
    box.scrollTop += sentence.getBoundingClientRect().top - box.getBoundingClientRect().top -
      Math.max(0, (box.clientHeight - sentence.clientHeight) / 2);
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

/** Tests whether a box continues below its visible part. Phones hide scroll bars. */
function useScrollsOn(box: { readonly current: HTMLElement | null }, occasion: string): boolean {
  const [scrolls, set] = useState(false);
  useLayoutEffect(() => {
    const element = box.current!;
    // The sign is at the end of the text and disappears when the end is visible.
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

/** Height in pixels of a box's padding and scroll sign. */
const END_IN_SIGHT = 12;

/** Returns the order of rows by score. It stays constant until the next sentence. */
function useSorted(current: number, active: number) {
  const [{ at, order }, set] = useState({ at: current, order: undefined as Order });
  const shown = at === current ? order : undefined;
  const before = useRef(shown);
  useLayoutEffect(() => {
    // An element loses the focus if the browser moves its row.
    if (before.current !== shown && at === current) focusRow(active);
    before.current = shown;
  }, [shown]);
  return [shown, (order: Order) => set({ at: current, order })] as const;
}

type Order = readonly number[] | undefined;

/** Tests whether Next was refused for the current item. Missing entries are then shown. */
function useNextTried({ notice, current }: Session): boolean {
  const tried = useRef(-1);
  if (notice?.kind === "item-invalid") tried.current = current;
  else if (tried.current !== current) tried.current = -1;
  return tried.current === current;
}

/** Announces the outcome of saving once, even if the screen is mounted again. */
function useAnnouncedOutcome({ outcome }: Saving, say: Say): void {
  const announced = useRef(outcome);
  useEffect(() => {
    if (outcome && announced.current !== outcome) say(outcome.words);
    announced.current = outcome;
  }, [outcome, say]);
}

/** Shows a new fault in the status line, replacing the last result. */
function useFaultMessage(problem: string, { notice, current }: Session, say: Say): void {
  const last = useRef(current);
  useEffect(() => {
    if (problem !== "" && !notice && last.current === current) say("");
    last.current = current;
  }, [problem, current]);
}

/** Returns numbers that have been stable for a while. Removed ones disappear at once. */
function useSettledNumbers(live: readonly number[]): readonly number[] {
  const settled = useSettled(live);
  return live.filter((number) => settled.includes(number));
}

/** Back, Finish and Next, which are never disabled, and the current message. */
function NextBar({ desk, message }: { readonly desk: Desk; readonly message: string }) {
  const { session: { notice }, states, readOnly, go, onJump, texts } = desk;
  const unfinished = notice?.kind === "not-finished"
    ? [...new Set([...notice.invalid, ...notice.incomplete])].sort((one, other) => one - other)
    : [];
  const numbers = unfinished.map((index) => index + 1);
  // With all sentences done, Finish is the primary button.
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

/** Banner with the number of sentences that break a rule. Each has a link. */
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

/** Numbers of sentences, with a function that goes to one of them. */
interface SentencesProps extends Pick<Desk, "onJump" | "texts"> {
  readonly numbers: readonly number[];
}

/** Maximum number of links in a banner. "Next invalid" leads to the others. */
const MAX_LINKS = 12;

/** A button for each sentence. */
function SentenceLinks({ numbers, onJump, texts }: SentencesProps) {
  const more = numbers.length - MAX_LINKS;
  return (
    <span class="links">
      {numbers.slice(0, MAX_LINKS).map((number) => (
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
