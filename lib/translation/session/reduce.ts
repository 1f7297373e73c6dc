import type { RatedItem, RatingWorkbook } from "../item.ts";
import { isIncomplete, isInvalid } from "../rating/completeness.ts";
import { violationsOf } from "../rating/violations.ts";
import type { RunConfig } from "../run_config.ts";
import { countTime } from "./clock.ts";
import { comment, rate, storedScore } from "./edit.ts";
import { redo, undo } from "./history.ts";
import { goTo, withEvaluation } from "./place.ts";
import type { Action, Now, Session } from "./session.ts";

/** A session at the workbook's first incomplete item, or at its first if none is (FR-6). */
export function openSession(workbook: RatingWorkbook, config: RunConfig, now: Now): Session {
  const session: Session = {
    config,
    workbook,
    current: 0,
    highlighting: false,
    finished: false,
    notice: undefined,
    revision: 0,
    past: [],
    future: [],
    lastActiveMs: now.monotonicMs,
    typing: undefined,
    clocks: workbook.items.map(({ evaluation }) => ({
      activeMs: evaluation.activeSeconds * 1000,
      highlightMs: evaluation.highlightSeconds * 1000,
    })),
  };
  return goTo(session, Math.max(firstIncomplete(session), 0), now);
}

/**
 * The session after an action. Time up to the action counts for the item on screen before it. An
 * action that cannot be (a jump to no item, Back at the first, Undo without a step) changes nothing
 * but the time. Never throws.
 */
export function reduce(session: Session, action: Action, now: Now): Session {
  const timed = countTime(session, now);
  switch (action.kind) {
    case "activity":
      return timed;
    case "pause":
      return { ...timed, lastActiveMs: undefined };
    case "highlight":
      return { ...timed, highlighting: action.on };
    default:
      return acted({ ...timed, notice: undefined }, action, now);
  }
}

type Deed = Exclude<Action, { readonly kind: "activity" | "pause" | "highlight" }>;

function acted(session: Session, action: Deed, now: Now): Session {
  switch (action.kind) {
    case "bucket":
      return rate(session, action.translation, { bucket: action.bucket }, now);
    case "score":
      return rate(session, action.translation, { da: storedScore(action.da) }, now);
    case "comment":
      return comment(session, action.text, now);
    case "next":
      return next(session, now);
    case "back":
      // From the completion screen, back is to the item that was last on screen.
      return goTo(session, session.current - (session.finished ? 0 : 1), now);
    case "jump":
      return goTo(session, action.index, now);
    case "first-incomplete":
      return goTo(session, firstIncomplete(session), now);
    case "next-invalid":
      return goTo(session, nextInvalid(session), now);
    case "undo":
      return undo(session, now);
    case "redo":
      return redo(session, now);
    case "finish":
      return finish(session);
  }
}

/** Confirms the item on screen and goes on, or says what stands against it (FR-5, FR-8). */
function next(session: Session, now: Now): Session {
  if (session.finished) return session;
  const { evaluation } = session.workbook.items[session.current]!;
  const violations = violationsOf(evaluation, session.config);
  if (violations.length > 0) return { ...session, notice: { kind: "item-invalid", violations } };
  const again = evaluation.committedAt !== undefined;
  const confirmed = withEvaluation(session, session.current, {
    ...evaluation,
    committedAt: now.iso,
    editCount: evaluation.editCount + (again ? 1 : 0),
  });
  return goTo(
    { ...confirmed, typing: undefined, revision: session.revision + 1 },
    session.current + 1,
    now,
  );
}

/** Ends the session, or says which items stand against it (FR-7). */
function finish(session: Session): Session {
  const incomplete = indicesWhere(session, ({ evaluation }) => isIncomplete(evaluation));
  const invalid = indicesWhere(
    session,
    ({ evaluation }) => isInvalid(evaluation, session.config),
  );
  return incomplete.length + invalid.length > 0
    ? { ...session, notice: { kind: "not-finished", incomplete, invalid } }
    : { ...session, finished: true, typing: undefined };
}

/** −1 where none is. */
function firstIncomplete({ workbook }: Session): number {
  return workbook.items.findIndex(({ evaluation }) => isIncomplete(evaluation));
}

/** The first invalid item after the one on screen, then from the start; −1 where none is. */
function nextInvalid(session: Session): number {
  const invalid = indicesWhere(
    session,
    ({ evaluation }) => isInvalid(evaluation, session.config),
  );
  return invalid.find((index) => index > session.current) ?? invalid[0] ?? -1;
}

function indicesWhere(
  { workbook }: Session,
  holds: (item: RatedItem) => boolean,
): readonly number[] {
  return workbook.items.flatMap((item, index) => holds(item) ? [index] : []);
}
