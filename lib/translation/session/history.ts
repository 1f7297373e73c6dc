import type { Evaluation } from "../item.ts";
import { goTo, withEvaluation } from "./place.ts";
import type { Now, Session, Step } from "./session.ts";

/** The session before its last step, at the item of that step. Without one nothing changes. */
export function undo(session: Session, now: Now): Session {
  const step = session.past.at(-1);
  if (step === undefined) return session;
  const back = restored(session, step, now);
  return {
    ...back.session,
    past: session.past.slice(0, -1),
    future: [...session.future, back.replaced],
  };
}

/** The session with the step that was undone last made again. Without one nothing changes. */
export function redo(session: Session, now: Now): Session {
  const step = session.future.at(-1);
  if (step === undefined) return session;
  const forth = restored(session, step, now);
  return {
    ...forth.session,
    past: [...session.past, forth.replaced],
    future: session.future.slice(0, -1),
  };
}

/** Everything about an item goes back but the time spent on it. */
function restored(
  session: Session,
  { index, evaluation, field }: Step,
  now: Now,
): { readonly session: Session; readonly replaced: Step } {
  const replaced = session.workbook.items[index]!.evaluation;
  const { activeSeconds, highlightSeconds } = replaced;
  const there = goTo({ ...session, revision: session.revision + 1 }, index, now);
  return {
    session: withEvaluation(there, index, {
      ...evaluation,
      editCount: editsAfter(replaced, evaluation),
      activeSeconds,
      highlightSeconds,
    }),
    replaced: { index, evaluation: replaced, field },
  };
}

/**
 * Edits of an item that goes from one state to another. Back at a confirmed state they are what they
 * were then. Back behind a confirmation they do not fall, and going there was one: the item must be
 * confirmed again (FR-8).
 */
function editsAfter(from: Evaluation, to: Evaluation): number {
  if (to.committedAt !== undefined) return to.editCount;
  return Math.max(to.editCount, from.editCount + (from.committedAt === undefined ? 0 : 1));
}
