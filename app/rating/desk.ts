/** State of the rating screen, actions of rows, and focus. */
import { Component, type FunctionComponent, h } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useReducer, useRef } from "preact/hooks";
import { useState } from "preact/hooks";
import { reduce, sameTexts } from "../../lib/translation/session/session.ts";
import type { Action, Now, Session } from "../../lib/translation/session/session.ts";
import { type Texts, textsOf } from "../../lib/translation/page_texts.ts";
import type { Rating, WorkbookItem } from "../../lib/translation/types.ts";
import type { FocusTarget } from "../keyboard.ts";
import type { Saving } from "../storage/saving.ts";
import { ratingWords } from "../formatting.ts";
import type { ItemState, RowView } from "./rows.ts";

/** The focus; the display position (0 …) is undefined outside the rows. */
interface Spot {
  readonly place: FocusTarget;
  readonly position: number | undefined;
}

/** Element identifiers by display position; they never contain a t#. */
export const rowId = (position: number): string => `row-${position + 1}`;
export const scoreId = (position: number): string => `score-${position + 1}`;
export const SOURCE_ID = "source";
export const NEXT_ID = "next";
export const FINISH_ID = "finish";

/** Returns the location of an event from the rows' attributes. */
export function spotOf(target: EventTarget | null): Spot {
  const element = target instanceof Element ? target : undefined;
  const place = element?.closest<HTMLElement>("[data-place]")?.dataset.place as
    | FocusTarget
    | undefined;
  const position = element?.closest<HTMLElement>("[data-position]")?.dataset.position;
  return { place: place ?? "elsewhere", position: position ? Number(position) : undefined };
}

/** Focuses a row; the next digit is its bucket. */
export function focusRow(position: number): void {
  focusInRow(document.getElementById(rowId(position)), position);
}

/** Focuses a row's number box and selects its content. */
export function focusScore(position: number): void {
  const box = scoreBox(position);
  focusInRow(box, position);
  box?.select();
}

/** Focuses an element outside the rows. Bars over the page are always in view. */
export function focusOutside(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
  const { top = 0, bottom = 0 } = element?.getBoundingClientRect() ?? {};
  if (top < 0 || bottom > innerHeight) element?.scrollIntoView({ block: "nearest" });
}

/** Focuses an element outside the rows by identifier. */
export function focusId(id: string): void {
  focusOutside(document.getElementById(id));
}

/** Types into the number box at the cursor, like the browser. */
export function typeInto(position: number, digit: string): void {
  const box = scoreBox(position);
  if (!box) return;
  if (document.activeElement !== box) focusScore(position);
  box.setRangeText(digit, box.selectionStart ?? 0, box.selectionEnd ?? 0, "end");
  box.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Focuses an element and scrolls its whole row into view, no further. */
function focusInRow(element: HTMLElement | null, position: number): void {
  element?.focus({ preventScroll: true });
  document.getElementById(rowId(position))?.scrollIntoView({ block: "nearest" });
}

function scoreBox(position: number): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>(`input#${scoreId(position)}`);
}

/** Sends an action to the session. */
export type Dispatch = (action: Action) => void;

/** Shows a sentence in the page's status line. An empty one removes the last. */
export type Say = (message: string) => void;

/** Optional views of a sentence. */
export const VIEWS = ["differences", "context", "byScore", "compact"] as const;
type View = typeof VIEWS[number];

/** A rater's actions in a row, by display position. */
interface RowActions {
  /**
   * Chooses a bucket.
   * By mouse the number box then gets the focus; by key the result is announced.
   */
  readonly choose: (
    position: number,
    bucket: string | undefined,
    by: "mouse" | "radio" | "key",
  ) => void;
  readonly score: (position: number, da: number | string | undefined, isStroke?: true) => void;
  /** Adds points to a score, within the scale. Without a score it reports that there is none. */
  readonly nudge: (position: number, points: number) => void;
  /** Copies a row's rating to all rows with the same text. */
  readonly alike: (position: number) => void;
  readonly enter: (position: number) => void;
}

/** Context of the parts of the rating screen. */
export interface Desk {
  readonly session: Session;
  readonly texts: Texts;
  /** Rows by display position, and positions from top to bottom. */
  readonly rows: readonly RowView[];
  readonly order: readonly number[];
  /** Position of the active row. */
  readonly active: number;
  /** Progress by sentence. */
  readonly states: readonly ItemState[];
  readonly rowActions: RowActions;
  readonly dispatch: Dispatch;
  /** Dispatches an action and moves the focus. */
  readonly go: Dispatch;
  /** Goes to a sentence. The function is the same in every rendering. */
  readonly onJump: (index: number) => void;
  readonly say: Say;
  readonly saving: Saving;
  /** True if another tab has the run, so that nothing may change here. */
  readonly readOnly: boolean;
  readonly views: Readonly<Record<View, boolean>>;
  readonly toggle: Readonly<Record<View, () => void>>;
  readonly showKeys: () => void;
}

type Timed = { readonly action: Action; readonly now: Now };

/** Actions allowed in a read-only tab. Next moves on without confirming the sentence. */
const LOOKING = ["back", "jump", "first-incomplete", "next-invalid", "highlight"];

/** The page's only state: a session, with the only way to change it. */
export function useSession(opened: Session, readOnly: boolean): readonly [Session, Dispatch] {
  const step = useCallback((session: Session, { action, now }: Timed): Session => {
    if (!readOnly) return reduce(session, action, now);
    const looking = action.kind === "next"
      ? { kind: "jump", index: session.current + 1 } as const
      : action;
    return LOOKING.includes(looking.kind) ? reduce(session, looking, now) : session;
  }, [readOnly]);
  const [session, apply] = useReducer(step, opened);
  const dispatch = useCallback((action: Action) => apply({ action, now: clockNow() }), []);
  return [session, dispatch];
}

/** Returns the time by wall clock and monotonic clock. */
export function clockNow(): Now {
  return { iso: new Date().toISOString(), monotonicMs: performance.now() };
}

/** Returns the rows' actions, stable across renderings, and the active row. */
export function useRowActions(session: Session, dispatch: Dispatch, say: Say) {
  const [active, setActive] = useState(0);
  const latest = useRef(session);
  latest.current = session;
  const rowActions = useMemo((): RowActions => {
    const at = (position: number) => {
      const { config, workbook, current } = latest.current;
      const { input, evaluation: { displayMap, ratings } } = workbook.items[current]!;
      const translation = displayMap[position]!;
      const rating = ratings[translation]!;
      return { config, texts: textsOf(config), input, displayMap, translation, rating };
    };
    /** Announces a row's new rating after a key, instead of the screen reader's default. */
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
      score(position, da, isStroke) {
        say("");
        const { translation } = at(position);
        dispatch({ kind: "score", translation, da, ...isStroke && { isStroke } });
      },
      nudge(position, points) {
        const { config: { daMin, daMax }, texts, translation, rating } = at(position);
        if (typeof rating.da !== "number") {
          focusScore(position);
          return say(texts("nothingToMove", { row: position + 1 }));
        }
        // Twelve digits hide binary rounding errors such as that of 0.1 + 0.2.
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
  return { rowActions, active };
}

/**
 * Returns rows whose reported faults do not flicker while a score is typed. A fault appears after a
 * pause in typing, a new sentence, a refused Next, or a change of row. The 7 of a 72 is thus not
 * reported.
 */
export function useSettledRows(
  live: readonly RowView[],
  { input: { itemId } }: WorkbookItem,
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

/** Milliseconds without typing after which faults are shown. */
const QUIET_MS = 600;

/** Returns the last stable value (debounced). A new `occasion` updates it at once. */
export function useSettled<T>(live: T, occasion = ""): T {
  const [, draw] = useReducer((drawn: number, _: undefined) => drawn + 1, 0);
  const settled = useRef({ occasion, value: live });
  if (settled.current.occasion !== occasion) settled.current = { occasion, value: live };
  useEffect(() => {
    const timer = setTimeout(() => {
      settled.current = { occasion, value: live };
      draw(undefined);
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [occasion, JSON.stringify(live)]);
  return settled.current.value;
}

/**
 * Milliseconds that the line is empty before a repeated message. Otherwise it would not be
 * announced.
 */
const AGAIN_MS = 80;

/** Returns the status line's text and its setter. Screen readers announce each change. */
export function useStatus(): readonly [string, Say] {
  const [shown, show] = useState("");
  const last = useRef("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const say = useCallback((message: string) => {
    clearTimeout(timer.current);
    const again = message !== "" && message === last.current;
    last.current = message;
    show(again ? "" : message);
    if (again) timer.current = setTimeout(() => show(message), AGAIN_MS);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  return [shown, say];
}

/** Minimum milliseconds between two reported activities; the session counts longer gaps. */
const EVERY_MS = 5_000;
const SIGNS = ["pointermove", "pointerdown", "keydown", "scroll", "wheel"] as const;

/** Reports the rater's activity to the session, and hiding of the page. */
export function useActivity(dispatch: Dispatch): void {
  useEffect(() => {
    let last = -Infinity;
    const sign = () => {
      if (document.hidden || performance.now() - last < EVERY_MS) return;
      last = performance.now();
      dispatch({ kind: "activity" });
    };
    const visibility = () => dispatch({ kind: document.hidden ? "pause" : "activity" });
    const gone = new AbortController();
    const { signal } = gone;
    for (const name of SIGNS) addEventListener(name, sign, { passive: true, signal });
    document.addEventListener("visibilitychange", visibility, { signal });
    return () => gone.abort();
  }, [dispatch]);
}

/** Pixels between the focused element and a bar. */
const GAP = 8;

/** Keeps the focused element clear of the bars over the rows. */
export function useScrollPadding(): void {
  useLayoutEffect(() => {
    const root = document.documentElement;
    const bars = [".source", ".foot"].map((name) => document.querySelector<HTMLElement>(name));
    const measure = () => {
      const [above, below] = bars.map((bar) =>
        bar && getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0
      );
      root.style.scrollPadding = `${above! + GAP}px 0 ${below! + GAP}px`;
      // A message that makes the footer taller must not cover the row that it concerns.
      document.activeElement?.closest(".row")?.scrollIntoView({ block: "nearest" });
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const bar of bars) if (bar) observer.observe(bar);
    // A bar may become sticky with the window, without changing its size.
    addEventListener("resize", measure);
    return () => {
      observer.disconnect();
      removeEventListener("resize", measure);
      root.style.scrollPadding = "";
    };
  }, []);
}

/**
 * Number of characters from which a text counts as a paragraph. Such a text takes two or more
 * lines.
 */
const PARAGRAPH = 240;

/** Makes rows compact if most texts are paragraphs, until the rater changes it. */
export function useCompact(items: readonly WorkbookItem[]) {
  return useState(() => {
    const texts = items.flatMap(({ input }) => input.translations);
    return texts.filter(({ length }) => length > PARAGRAPH).length > texts.length / 2;
  });
}

/** Memoises a component by shallow comparison; preact/compat would change event semantics. */
export function shallowMemo<P extends object>(draw: FunctionComponent<P>): new () => Component<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const names = Object.keys({ ...this.props, ...next }) as (keyof P)[];
      return names.some((name) => this.props[name] !== next[name]);
    }
    override render() {
      return h(draw, this.props as P);
    }
  };
}
