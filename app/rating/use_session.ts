import { useCallback, useReducer } from "preact/hooks";
import {
  type Action,
  type Now,
  reduce,
  type Session,
} from "../../lib/translation/session/session.ts";

/** Hands an action to the session. */
export type Dispatch = (action: Action) => void;

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
