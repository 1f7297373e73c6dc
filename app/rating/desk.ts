/** The state of the rating screen, what rows do, and where the focus goes. */
import { Component, type FunctionComponent, h } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useReducer, useRef } from "preact/hooks";
import { useState } from "preact/hooks";
import { reduce, sameTexts } from "../../lib/translation/session/session.ts";
import type { Action, Now, Session } from "../../lib/translation/session/session.ts";
import { type Texts, textsOf } from "../../lib/translation/texts.ts";
import type { Rating, WorkbookItem } from "../../lib/translation/types.ts";
import type { FocusTarget } from "../keyboard.ts";
import type { Saving } from "../storage/saving.ts";
import { ratingWords } from "../words.ts";
import type { ItemState, RowView } from "./rows.ts";

/** Where something has the focus; the display position (0 …) is undefined outside the rows. */
interface Spot {
  readonly place: FocusTarget;
  readonly position: number | undefined;
}

/** Identifiers of the page's own elements, by display position; they never carry a t#. */
export const rowId = (position: number): string => `row-${position + 1}`;
export const scoreId = (position: number): string => `score-${position + 1}`;
export const SOURCE_ID = "source";
export const NEXT_ID = "next";
export const FINISH_ID = "finish";

/** Where an event fell, as the rows' own attributes say. */
export function spotOf(target: EventTarget | null): Spot {
  const element = target instanceof Element ? target : undefined;
  const place = element?.closest<HTMLElement>("[data-place]")?.dataset.place as
    | FocusTarget
    | undefined;
  const position = element?.closest<HTMLElement>("[data-position]")?.dataset.position;
  return { place: place ?? "elsewhere", position: position ? Number(position) : undefined };
}

/** Puts the focus on a row: the next digit is its bucket. */
export function focusRow(position: number): void {
  focusInRow(document.getElementById(rowId(position)), position);
}

/** Puts the focus in a row's number box, its content selected, so that typing replaces it. */
export function focusScore(position: number): void {
  const box = scoreBox(position);
  focusInRow(box, position);
  box?.select();
}

/** Puts the focus on an element outside the rows; bars that stand over the page are in view. */
export function focusOutside(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
  const { top = 0, bottom = 0 } = element?.getBoundingClientRect() ?? {};
  if (top < 0 || bottom > innerHeight) element?.scrollIntoView({ block: "nearest" });
}

/** Puts the focus on an element with this identifier, outside the rows. */
export function focusId(id: string): void {
  focusOutside(document.getElementById(id));
}

/** Types into the number box at the cursor, as if the browser had done it. */
export function typeInto(position: number, digit: string): void {
  const box = scoreBox(position);
  if (!box) return;
  if (document.activeElement !== box) focusScore(position);
  box.setRangeText(digit, box.selectionStart ?? 0, box.selectionEnd ?? 0, "end");
  box.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Browsers bring into view what they focus, but the whole row is wanted, and no more scrolling. */
function focusInRow(element: HTMLElement | null, position: number): void {
  element?.focus({ preventScroll: true });
  document.getElementById(rowId(position))?.scrollIntoView({ block: "nearest" });
}

function scoreBox(position: number): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>(`input#${scoreId(position)}`);
}

/** Hands an action to the session. */
export type Dispatch = (action: Action) => void;

/** Says a sentence in the page's status line; an empty one takes back what was said. */
export type Say = (message: string) => void;

/** Ways to look at a sentence, on or off. */
export const VIEWS = ["differences", "context", "byScore", "compact"] as const;
type View = typeof VIEWS[number];

/** What the rater does in a row, by its display position. */
interface RowDeeds {
  /** By the mouse the number box takes the focus; what a digit did is said. */
  readonly choose: (
    position: number,
    bucket: string | undefined,
    by: "mouse" | "radio" | "key",
  ) => void;
  readonly score: (position: number, da: number | string | undefined, isStroke?: true) => void;
  /** Points up or down within the scale; where there is no score no starting point is suggested. */
  readonly nudge: (position: number, points: number) => void;
  /** Gives a row's rating to all rows with the same text. */
  readonly alike: (position: number) => void;
  readonly enter: (position: number) => void;
}

/** What the parts of the rating screen work on. */
export interface Desk {
  readonly session: Session;
  readonly texts: Texts;
  /** The rows, by display position, and their positions from top to bottom. */
  readonly rows: readonly RowView[];
  readonly order: readonly number[];
  /** Position of the row in hand. */
  readonly active: number;
  /** Where the rater stands with every sentence. */
  readonly states: readonly ItemState[];
  readonly deeds: RowDeeds;
  readonly dispatch: Dispatch;
  /** Like dispatch, and the focus goes along. */
  readonly go: Dispatch;
  /** To a sentence; the same function from one drawing to the next. */
  readonly onJump: (index: number) => void;
  readonly say: Say;
  readonly saving: Saving;
  /** Another tab has the run: nothing may change here. */
  readonly readOnly: boolean;
  readonly views: Readonly<Record<View, boolean>>;
  readonly toggle: Readonly<Record<View, () => void>>;
  readonly showKeys: () => void;
}

type Timed = { readonly action: Action; readonly now: Now };

/** What another tab's reader may do: look around. Next goes on without committing. */
const LOOKING = ["back", "jump", "first-incomplete", "next-invalid", "highlight"];

/** The page's one state: a session, and the only way to change it. */
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

/** The time by the computer's calendar and by a clock that never jumps. */
export function clockNow(): Now {
  return { iso: new Date().toISOString(), monotonicMs: performance.now() };
}

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

/** Milliseconds of quiet after which the page finds fault with what is being typed. */
const QUIET_MS = 600;

/** A value as it was when it last stood still, or at the last new `occasion`. */
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

/** Milliseconds that the line stands empty before the same words: else nobody would hear them. */
const AGAIN_MS = 80;

/** The words of the status line, which screen readers speak as they change. */
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

/** Milliseconds between two signs of life that are told to the session, which counts longer gaps. */
const EVERY_MS = 5_000;
const SIGNS = ["pointermove", "pointerdown", "keydown", "scroll", "wheel"] as const;

/** Tells the session that the rater is at work, and when the page is hidden. */
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

/** Pixels between what has the focus and a bar. */
const GAP = 8;

/** Keeps what gets the focus clear of the bars that stand over the rows, whatever their heights. */
export function useScrollPadding(): void {
  useLayoutEffect(() => {
    const root = document.documentElement;
    const bars = [".source", ".foot"].map((name) => document.querySelector<HTMLElement>(name));
    const measure = () => {
      const [above, below] = bars.map((bar) =>
        bar && getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0
      );
      root.style.scrollPadding = `${above! + GAP}px 0 ${below! + GAP}px`;
      // A message that makes the foot taller must not cover the row that it is about.
      document.activeElement?.closest(".row")?.scrollIntoView({ block: "nearest" });
    };
    measure();
    const observer = new ResizeObserver(measure);
    for (const bar of bars) if (bar) observer.observe(bar);
    // Whether a bar is sticky depends on the window, though its size may stay.
    addEventListener("resize", measure);
    return () => {
      observer.disconnect();
      removeEventListener("resize", measure);
      root.style.scrollPadding = "";
    };
  }, []);
}

/** Characters from which a text is a paragraph, of two lines and more. */
const PARAGRAPH = 240;

/** Whether rows are compact: where most texts are paragraphs, until the rater says otherwise. */
export function useCompact(items: readonly WorkbookItem[]) {
  return useState(() => {
    const texts = items.flatMap(({ input }) => input.translations);
    return texts.filter(({ length }) => length > PARAGRAPH).length > texts.length / 2;
  });
}

/** A component drawn again only for another property; preact/compat's changes what events mean. */
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
