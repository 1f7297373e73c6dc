import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import {
  type Action,
  type Now,
  reduce,
  sameTexts,
  type Session,
  type Stroke,
} from "../../lib/translation/session/session.ts";
import { type Texts, textsOf } from "../../lib/translation/texts.ts";
import type { RatedItem, Rating } from "../../lib/translation/types.ts";
import type { Saving } from "../storage/saving.ts";
import { ratingWords } from "../words.ts";
import { focusScore } from "./places.ts";
import type { ItemState, RowView } from "./rows.ts";

/** Hands an action to the session. */
export type Dispatch = (action: Action) => void;

/** Says a sentence in the page's status line; an empty one takes back what was said. */
export type Say = (message: string) => void;

/** Ways to look at a sentence, on or off. */
export const VIEWS = ["differences", "context", "byScore", "compact"] as const;
type View = typeof VIEWS[number];

/** What the rater does in a row, by its display position. */
export interface RowDeeds {
  /** By the mouse the number box takes the focus; what a digit did is said. */
  readonly choose: (
    position: number,
    bucket: string | undefined,
    by: "mouse" | "radio" | "key",
  ) => void;
  readonly score: (position: number, da: number | string | undefined, stroke?: Stroke) => void;
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
      score(position, da, stroke) {
        say("");
        const { translation } = at(position);
        dispatch({ kind: "score", translation, da, ...stroke && { stroke } });
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
  { input: { itemId } }: RatedItem,
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
