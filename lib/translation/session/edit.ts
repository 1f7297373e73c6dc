import { canonicalText, MAX_CELL_LENGTH } from "../canonical_text.ts";
import type { Evaluation, Rating } from "../item.ts";
import { withEvaluation } from "./place.ts";
import type { Now, Session, Typing } from "./session.ts";

/** Edits of one field this close join one step of undo: a number typed, a slider dragged. */
const SAME_STEP_MS = 2000;

/** The session with one rating changed in part. A translation that does not exist is ignored. */
export function rate(
  session: Session,
  translation: number,
  change: Partial<Rating>,
  now: Now,
): Session {
  const { evaluation } = session.workbook.items[session.current]!;
  const rating = evaluation.ratings[translation];
  if (rating === undefined) return session;
  const next = { ...rating, ...change };
  if (next.bucket === rating.bucket && next.da === rating.da) return session;
  const ratings = evaluation.ratings.with(translation, next);
  return edited(session, { ...evaluation, ratings }, `${Object.keys(change)} ${translation}`, now);
}

/** The session with another comment, cut where a cell of the workbook ends. */
export function comment(session: Session, text: string, now: Now): Session {
  const { evaluation } = session.workbook.items[session.current]!;
  const next = storable(text);
  return next === evaluation.comment
    ? session
    : edited(session, { ...evaluation, comment: next }, "comment", now);
}

/** A score as it is stored: no text at all is no score, and what is no number stays text. */
export function storedScore(da: number | string | undefined): number | string | undefined {
  if (typeof da === "string") return storable(da).trim() || undefined;
  // −0 would come back from a workbook as 0.
  return da === 0 ? 0 : da === undefined || Number.isFinite(da) ? da : String(da);
}

function storable(text: string): string {
  return canonicalText(canonicalText(text).slice(0, MAX_CELL_LENGTH));
}

/**
 * A changed item is no longer confirmed, and from its confirmation on that counts as an edit. More
 * typing in the same field joins the step that undo goes back by, if it follows at once: a slider
 * dragged a while after a score was typed is another step.
 */
function edited(
  session: Session,
  evaluation: Evaluation,
  field: string,
  { monotonicMs }: Now,
): Session {
  const index = session.current;
  const before = session.workbook.items[index]!.evaluation;
  const isConfirmed = before.committedAt !== undefined;
  const past = goesOn(session.typing, field, monotonicMs)
    ? session.past
    : [...session.past, { index, evaluation: before, field }];
  return withEvaluation(
    {
      ...session,
      past,
      future: [],
      typing: { field, lastMs: monotonicMs },
      finished: false,
      revision: session.revision + 1,
    },
    index,
    {
      ...evaluation,
      committedAt: undefined,
      editCount: evaluation.editCount + (isConfirmed ? 1 : 0),
    },
  );
}

function goesOn(typing: Typing | undefined, field: string, ms: number): boolean {
  return typing?.field === field && Math.abs(ms - typing.lastMs) <= SAME_STEP_MS;
}
