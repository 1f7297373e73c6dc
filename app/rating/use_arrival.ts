import { useCallback, useLayoutEffect, useRef } from "preact/hooks";
import {
  describeViolation,
  listed,
  type Violation,
} from "../../lib/translation/rules/violations.ts";
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
 * A dispatch after which the focus stands where the rater goes on, before the next key is taken.
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
    if (moved) {
      say(`Sentence ${session.current + 1} of ${session.workbook.items.length}.`);
      scrollTo(0, 0);
    }
    if (deed === "undo" || deed === "redo") {
      if (changed) saidStep(deed, moved, context);
      else say(`Nothing to ${deed}.`);
    } else if (deed !== undefined) arrive(deed, moved, context);
  }, [session]);
  return go;
}

function arrive(deed: Action["kind"] | "open", moved: boolean, context: ArrivalContext): void {
  const { session: { notice, current }, rows, states, say } = context;
  if (notice) return showNotice(notice, context);
  if (deed === "next" && !moved) {
    const left = states.filter((state) => state !== "done").length;
    say(
      isFinishable(states)
        ? "All sentences are done: Finish ends the work."
        : `That was the last sentence; ${counted(left, "is not done", "are not done")} yet.`,
    );
    return focusId(FINISH_ID);
  }
  if (deed === "next-invalid" && !moved) {
    say(`No ${states[current] === "invalid" ? "other " : ""}sentence needs correcting.`);
  }
  if (deed === "first-incomplete" && !moved) {
    say(INCOMPLETE_WORDS[states[current]!] ?? "This is the first incomplete sentence.");
  }
  focusRow(Math.max(rows.findIndex(({ finished }) => !finished), 0));
}

const INCOMPLETE_WORDS: Partial<Record<ItemState, string>> = {
  done: "Every sentence is complete.",
  filled: "Every row of this sentence is rated: Next confirms it.",
};

/** Says what a step back or forth made of a row; on another sentence the focus goes to that row. */
function saidStep(deed: "undo" | "redo", moved: boolean, { session, say }: ArrivalContext): void {
  const { past, future, workbook, current, config } = session;
  const step = (deed === "undo" ? future : past).at(-1);
  const translation = Number(/^(?:bucket|da) (\d+)$/.exec(step?.field ?? "")?.[1]);
  const { displayMap, ratings } = workbook.items[current]!.evaluation;
  const rating = ratings[translation];
  const position = rating ? displayMap.indexOf(translation) : 0;
  const what = rating ? `row ${position + 1}, ${ratingWords(rating, config)}` : "the comment";
  const words = `${deed === "undo" ? "Undone" : "Done again"}: ${what}.`;
  say(moved ? `Sentence ${current + 1}. ${words}` : words);
  if (moved) focusRow(position);
}

function showNotice(notice: Notice, { session, say }: ArrivalContext): void {
  if (notice.kind === "item-invalid") {
    say(`Not yet. ${inWords(notice.violations, session)}`);
    const { displayMap } = session.workbook.items[session.current]!.evaluation;
    return focusFault(notice.violations[0]!, displayMap);
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
  const missing = new Set(
    violations.filter(isMissing).flatMap((it) => positionsOf(it, evaluation.displayMap)),
  );
  const numbers = [...missing].map((position) => String(position + 1));
  const [first, ...others] = violations.filter((violation) => !isMissing(violation));
  const rows = numbers.length === 1 ? `Row ${numbers[0]} is` : `Rows ${listed(numbers, "and")} are`;
  return [
    ...numbers.length > 0 ? [`${rows} not rated in full.`] : [],
    ...first ? [describeViolation(first, evaluation, session.config)] : [],
    ...others.length > 0 ? [`And ${others.length} more.`] : [],
  ].join(" ");
}

function focusFault(violation: Violation, displayMap: readonly number[]): void {
  const first = violation.kind === "ordering" ? violation.repair[0]?.translation : undefined;
  const position = first === undefined
    ? positionsOf(violation, displayMap)[0] ?? 0
    : displayMap.indexOf(first);
  if (violation.kind.endsWith("-bucket")) focusRow(position);
  else focusScore(position);
}

function counted(count: number, one: string, several: string): string {
  if (count === 0) return "";
  return count === 1 ? `1 sentence ${one}` : `${count} sentences ${several}`;
}
