import { useCallback, useReducer } from "preact/hooks";
import {
  type Action,
  type Now,
  reduce,
  type Session,
  type Stroke,
} from "../../lib/translation/session/session.ts";
import type { Texts } from "../../lib/translation/texts.ts";
import type { Saving } from "../use_saving.ts";
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
