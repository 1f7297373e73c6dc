import { useCallback, useLayoutEffect, useRef } from "preact/hooks";
import { describeViolation, type Violation } from "../../lib/translation/rules/violations.ts";
import type { Action, Notice, Session } from "../../lib/translation/session/session.ts";
import { ratingWords } from "../words.ts";
import { FINISH_ID, focusId, focusOutside, focusRow, focusScore } from "./places.ts";
import { isFinishable, isMissing, type ItemState, positionsOf, type RowView } from "./rows.ts";
import type { Say } from "./use_page.ts";
import type { Dispatch } from "./use_session.ts";

/** What a focus that goes along with an action works on. */
interface ArrivalContext {
  readonly session: Session;
  readonly rows: readonly RowView[];
  readonly states: readonly ItemState[];
  readonly dispatch: Dispatch;
  readonly say: Say;
}

/**
 * A dispatch after which the focus stands where the rater goes on: at the first unfinished row of
 * the new sentence, or at what is missing. It moves before the browser takes the next key.
 */
export function useArrival(context: ArrivalContext): Dispatch {
  const { session, dispatch, say } = context;
  const asked = useRef<Action["kind"] | "open" | undefined>("open");
  const seen = useRef({ current: -1, revision: session.revision });
  const go = useCallback((action: Action) => {
    asked.current = action.kind;
    dispatch(action);
  }, [dispatch]);
  useLayoutEffect(() => {
    const deed = asked.current;
    const moved = seen.current.current !== session.current;
    const changed = seen.current.revision !== session.revision;
    asked.current = undefined;
    seen.current = session;
    if (moved) say(`Sentence ${session.current + 1} of ${session.workbook.items.length}.`);
    if (moved) scrollTo(0, 0);
    if (deed === "undo" || deed === "redo") retrace(deed, changed, moved, context);
    else if (deed !== undefined) arrive(deed, moved, context);
  }, [session]);
  return go;
}

function arrive(deed: Action["kind"] | "open", moved: boolean, context: ArrivalContext): void {
  const { session: { notice }, rows } = context;
  if (notice) return showNotice(notice, context);
  if (deed === "next" && !moved) return afterLast(context);
  if (deed === "next-invalid" && !moved) context.say(onlyInvalid(context));
  if (deed === "first-incomplete" && !moved) context.say(firstIncomplete(context));
  focusRow(Math.max(rows.findIndex(({ finished }) => !finished), 0));
}

/** Says what a step back or forth made of a row; on another sentence the focus goes to that row. */
function retrace(
  deed: "undo" | "redo",
  changed: boolean,
  moved: boolean,
  { session, say }: ArrivalContext,
): void {
  if (!changed) return say(`Nothing to ${deed}.`);
  const { words, position } = stepWords(session, deed);
  say(moved ? `Sentence ${session.current + 1}. ${words}` : words);
  if (moved) focusRow(position);
}

function showNotice(notice: Notice, { session, say }: ArrivalContext): void {
  if (notice.kind === "item-invalid") {
    const { evaluation } = session.workbook.items[session.current]!;
    say(`Not yet. ${inWords(notice.violations, session)}`);
    return focusFault(notice.violations[0]!, evaluation.displayMap);
  }
  const parts = [
    counted(notice.invalid.length, "needs correcting", "need correcting"),
    counted(notice.incomplete.length, "is incomplete", "are incomplete"),
  ];
  say(`Not finished: ${parts.filter((part) => part !== "").join(", ")}.`);
  focusOutside(document.querySelector<HTMLElement>(".unfinished button"));
}

/** What is missing, and the first broken rule: the others stand under their rows. */
function inWords(violations: readonly Violation[], session: Session): string {
  const { evaluation } = session.workbook.items[session.current]!;
  const missing = violations.filter(isMissing)
    .flatMap((violation) => positionsOf(violation, evaluation.displayMap));
  const broken = violations.filter((violation) => !isMissing(violation));
  return [
    ...missing.length > 0 ? [lacking([...new Set(missing)])] : [],
    ...broken.slice(0, 1)
      .map((violation) => describeViolation(violation, evaluation, session.config)),
    ...broken.length > 1 ? [`And ${broken.length - 1} more.`] : [],
  ].join(" ");
}

function lacking(positions: readonly number[]): string {
  const numbers = positions.map((position) => position + 1);
  return numbers.length === 1
    ? `Row ${numbers[0]} is not rated in full.`
    : `Rows ${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)} are not rated in full.`;
}

function focusFault(violation: Violation, displayMap: readonly number[]): void {
  const first = violation.kind === "ordering" ? violation.repair[0]?.translation : undefined;
  const position = first === undefined
    ? positionsOf(violation, displayMap)[0] ?? 0
    : displayMap.indexOf(first);
  const byBucket = ["missing-bucket", "unknown-bucket", "empty-bucket"].includes(violation.kind);
  if (byBucket) focusRow(position);
  else focusScore(position);
}

function afterLast({ states, say }: ArrivalContext): void {
  const left = states.filter((state) => state !== "done").length;
  say(
    isFinishable(states)
      ? "All sentences are done: Finish ends the work."
      : `That was the last sentence; ${counted(left, "is not done", "are not done")} yet.`,
  );
  focusId(FINISH_ID);
}

function onlyInvalid({ states, session }: ArrivalContext): string {
  return states[session.current] === "invalid"
    ? "No other sentence needs correcting."
    : "No sentence needs correcting.";
}

function firstIncomplete({ states, session }: ArrivalContext): string {
  switch (states[session.current]) {
    case "done":
      return "Every sentence is complete.";
    case "filled":
      return "Every row of this sentence is rated: Next confirms it.";
    default:
      return "This is the first incomplete sentence.";
  }
}

function counted(count: number, one: string, several: string): string {
  if (count === 0) return "";
  return count === 1 ? `1 sentence ${one}` : `${count} sentences ${several}`;
}

/** What an undo or redo that was just made changed, and the row where, by display position. */
function stepWords(
  { past, future, workbook, current, config }: Session,
  deed: "undo" | "redo",
): { readonly words: string; readonly position: number } {
  const done = deed === "undo" ? "Undone" : "Done again";
  const step = (deed === "undo" ? future : past).at(-1);
  const translation = Number(/^(?:bucket|da) (\d+)$/.exec(step?.field ?? "")?.[1]);
  const { displayMap, ratings } = workbook.items[current]!.evaluation;
  const rating = ratings[translation];
  if (!rating) return { words: `${done}: the comment.`, position: 0 };
  const position = displayMap.indexOf(translation);
  return { words: `${done}: row ${position + 1}, ${ratingWords(rating, config)}.`, position };
}
