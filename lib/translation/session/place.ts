import type { Evaluation } from "../item.ts";
import type { Now, Session } from "./session.ts";

/** The session with another evaluation of one item. */
export function withEvaluation(session: Session, index: number, evaluation: Evaluation): Session {
  const { workbook } = session;
  const items = workbook.items.with(index, { ...workbook.items[index]!, evaluation });
  return { ...session, workbook: { ...workbook, items } };
}

/**
 * The session with another item on screen: off the completion screen, nothing typed into, and the
 * item stamped as started if it was never opened before. An index without an item changes nothing.
 */
export function goTo(session: Session, index: number, { iso }: Now): Session {
  const item = session.workbook.items[index];
  if (item === undefined) return session;
  const there = { ...session, current: index, finished: false, typing: undefined };
  return item.evaluation.startedAt === undefined
    ? withEvaluation(there, index, { ...item.evaluation, startedAt: iso })
    : there;
}
