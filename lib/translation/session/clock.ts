import type { Clock, Now, Session } from "./session.ts";
import { withEvaluation } from "./place.ts";

/** A gap between two signs of life longer than this counts as this long (as Pearmut does). */
const IDLE_CAP_MS = 60_000;

/**
 * The session with the time since the last sign of life counted for the item on screen. A clock that
 * went back counts nothing, and neither does time while paused or on the completion screen.
 */
export function countTime(session: Session, { monotonicMs }: Now): Session {
  const { lastActiveMs, current, clocks, finished } = session;
  const active = { ...session, lastActiveMs: monotonicMs };
  if (lastActiveMs === undefined || finished) return active;
  const gap = Math.min(Math.max(monotonicMs - lastActiveMs, 0), IDLE_CAP_MS);
  if (!(gap > 0)) return active;
  const { activeMs, highlightMs } = clocks[current]!;
  const clock = {
    activeMs: activeMs + gap,
    highlightMs: highlightMs + (session.highlighting ? gap : 0),
  };
  return showing(clock, { ...active, clocks: clocks.with(current, clock) });
}

/** Writes a clock to the workbook's item on screen, in seconds to a tenth. */
function showing({ activeMs, highlightMs }: Clock, session: Session): Session {
  const { evaluation } = session.workbook.items[session.current]!;
  const activeSeconds = tenths(activeMs);
  const highlightSeconds = tenths(highlightMs);
  return evaluation.activeSeconds === activeSeconds &&
      evaluation.highlightSeconds === highlightSeconds
    ? session
    : withEvaluation(session, session.current, { ...evaluation, activeSeconds, highlightSeconds });
}

function tenths(ms: number): number {
  return Math.round(ms / 100) / 10;
}
