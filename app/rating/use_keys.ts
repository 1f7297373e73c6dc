import { useCallback, useEffect, useLayoutEffect, useRef } from "preact/hooks";
import {
  describeViolation,
  isMissing,
  type Violation,
} from "../../lib/translation/rules/violations.ts";
import type {
  Action,
  Notice,
  PracticeTotal,
  Session,
} from "../../lib/translation/session/session.ts";
import { textsOf } from "../../lib/translation/page_texts.ts";
import { type Command, commandOf, nudgeSteps, rowAfterEnter } from "../keyboard.ts";
import { ratingWords } from "../formatting.ts";
import { FINISH_ID, focusId, focusOutside, focusRow, focusScore, NEXT_ID } from "./desk.ts";
import { SOURCE_ID, spotOf, typeInto } from "./desk.ts";
import type { Desk, Dispatch } from "./desk.ts";
import { assess, isFinishable, type ItemState, positionsOf } from "./rows.ts";

/** Commands that would change a rating or save it. */
const CHANGES = "bucket no-such-bucket clear-bucket type nudge alike undo redo save".split(" ");

/** Handles keys for the whole page, wherever the focus is. */
export function useKeys(context: Desk): void {
  const latest = useRef(context);
  latest.current = context;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event, latest.current);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}

function onKey(event: KeyboardEvent, context: Desk): void {
  // An open dialogue has its own keys; an input method is still composing its text.
  if (event.isComposing || document.querySelector("dialog[open]")) return;
  const { key, code, shiftKey: shift, altKey: alt, target } = event;
  const { session: { config }, texts, rows, active, readOnly, say } = context;
  // A click on the background leaves no focus: keys then go to the active row.
  const isNowhere = target === document.body;
  const { place, position } = isNowhere
    ? { place: "row", position: active } as const
    : spotOf(target);
  const command = commandOf({ key, code, shift, alt, ctrl: event.ctrlKey || event.metaKey }, {
    place,
    bucketCount: config.buckets.length,
    steps: nudgeSteps(config),
    scoreEmpty: place === "slider"
      ? typeof rows[position ?? 0]?.score !== "number"
      : target instanceof HTMLInputElement && target.value === "",
  });
  // A key that is held down must not commit one sentence after another: browsers click for each Enter.
  const clicks = key === "Enter" && target instanceof HTMLButtonElement;
  if (event.repeat && clicks) return event.preventDefault();
  if (!command) return;
  event.preventDefault();
  if (event.repeat && ["commit", "back", "save"].includes(command.kind)) return;
  if (readOnly && CHANGES.includes(command.kind)) say(texts("onlyLook"));
  else if (position === undefined) onPage(command, context);
  else onRow(command, position, context);
}

function onPage(command: Command, context: Desk): void {
  const { order, go, saving, showKeys, toggle } = context;
  switch (command.kind) {
    case "commit":
      return go({ kind: "next" });
    case "back":
    case "undo":
    case "redo":
      return go({ kind: command.kind });
    case "row":
      // Outside the rows only the source uses this key, and it is above them.
      return focusRow(order[0]!);
    case "save":
      return saving.save();
    case "show-keys":
      return showKeys();
    case "context":
      return toggle.context();
    case "by-score":
      return toggle.byScore();
  }
}

function onRow(command: Command, position: number, context: Desk): void {
  const { session: { config }, texts, order, rowActions, say } = context;
  switch (command.kind) {
    case "bucket":
      rowActions.choose(position, config.buckets[command.index]!.key, "key");
      return focusScore(position);
    case "no-such-bucket":
      return say(texts("noSuchBucket", { row: position + 1, n: config.buckets.length }));
    case "clear-bucket":
      return rowActions.choose(position, undefined, "key");
    case "type":
      return typeInto(position, command.digit);
    case "to-bucket":
      return focusRow(position);
    case "to-score":
      return focusScore(position);
    case "nudge":
      return rowActions.nudge(position, command.points);
    case "row": {
      const place = order.indexOf(position) + command.by;
      return place < 0 ? focusId(SOURCE_ID) : focusRow(order[place] ?? position);
    }
    case "alike":
      return rowActions.alike(position);
    case "enter":
      return enter(position, context);
    default:
      return onPage(command, context);
  }
}

/** Goes to an unfinished row, else to Next. If a rule is broken, Next is tried and reports it. */
function enter(position: number, { session, texts, rows, go, say }: Desk): void {
  const row = rowAfterEnter(position, rows.map(({ finished }) => finished));
  if (row !== undefined) return focusRow(row);
  const { evaluation } = session.workbook.items[session.current]!;
  if (assess(evaluation, session.config).invalid) return go({ kind: "next" });
  focusId(NEXT_ID);
  say(texts("allRated"));
}

/** Context of focus changes after an action. */
type ArrivalContext = Pick<Desk, "session" | "texts" | "rows" | "states" | "dispatch" | "say">;

/**
 * Returns a dispatch that also moves the focus to where the rater continues.
 * The focus moves before the next key is handled.
 */
export function useArrival(context: ArrivalContext): Dispatch {
  const { session, texts, dispatch, say } = context;
  const asked = useRef<Action["kind"] | "open" | undefined>("open");
  const seen = useRef({ current: -1, revision: session.revision });
  const go = useCallback((action: Action) => {
    asked.current = action.kind;
    dispatch(action);
  }, [dispatch]);
  useLayoutEffect(() => {
    const kind = asked.current;
    const moved = seen.current.current !== session.current;
    const changed = seen.current.revision !== session.revision;
    asked.current = undefined;
    seen.current = session;
    if (moved) {
      say(placeWords(session));
      scrollTo(0, 0);
    }
    if (kind === "undo" || kind === "redo") {
      if (changed) announceStep(kind, moved, context);
      else say(texts(kind === "undo" ? "nothingToUndo" : "nothingToRedo"));
    } else if (kind !== undefined) arrive(kind, moved, context);
  }, [session]);
  return go;
}

function arrive(kind: Action["kind"] | "open", moved: boolean, context: ArrivalContext): void {
  const { session, texts, rows, states, say } = context;
  const { notice, current } = session;
  if (notice) return showNotice(notice, context);
  if (kind === "next" && !moved && session.feedback && states[current] === "done") {
    say(texts("practised"));
    return focusId(NEXT_ID);
  }
  if (kind === "next" && !moved) {
    const left = states.filter((state) => state !== "done").length;
    say(isFinishable(states) ? texts("allDone") : texts("lastSentence", { n: left }));
    return focusId(FINISH_ID);
  }
  const isInvalid = states[current] === "invalid";
  const words = moved
    ? placeWords(session)
    : kind === "next-invalid"
    ? texts(isInvalid ? "noOtherInvalid" : "noneInvalid")
    : kind === "first-incomplete"
    ? texts(incompleteWords(states[current]!))
    : "";
  if (isInvalid) return showFault(words, context);
  if (words !== "") say(words);
  focusRow(Math.max(rows.findIndex(({ finished }) => !finished), 0));
}

/** Returns the message if First incomplete has nowhere else to go. */
function incompleteWords(state: ItemState) {
  if (state === "done") return "everyComplete";
  return state === "filled" ? "nextConfirms" : "isFirstIncomplete";
}

/** Moves the focus to the fault of an invalid sentence. */
function showFault(words: string, { session, say }: ArrivalContext): void {
  const { evaluation } = session.workbook.items[session.current]!;
  const broken = assess(evaluation, session.config).violations.filter((it) => !isMissing(it));
  say(`${words} ${inWords(broken, session)}`.trim());
  focusFault(broken[0]!, evaluation.displayMap);
}

/**
 * Returns the announcement of the sentence on screen. It names the document if one begins there.
 */
function placeWords({ config, current, workbook: { items } }: Session): string {
  const texts = textsOf(config);
  const place = texts("sentenceOf", { number: current + 1, n: items.length });
  const { document, context } = items[current]!.input;
  if (document === undefined || items[current - 1]?.input.document === document) return `${place}.`;
  const { place: number, of: n } = context ?? { place: 1, of: 1 };
  // A sentence in the middle of its document begins none.
  const words = number === 1
    ? texts("newDocument", { document })
    : `${texts("documentAt", { document, number, n })}.`;
  return `${place}. ${words}`;
}

/** Announces an undone or redone step. On another sentence the focus goes to its row. */
function announceStep(kind: "undo" | "redo", moved: boolean, context: ArrivalContext): void {
  const { session: { past, future, workbook, current, config }, texts, say } = context;
  const step = (kind === "undo" ? future : past).at(-1);
  const translation = Number(/^(?:bucket|da|alike) (\d+)$/.exec(step?.field ?? "")?.[1]);
  const { displayMap, ratings } = workbook.items[current]!.evaluation;
  const rating = ratings[translation];
  const position = rating ? displayMap.indexOf(translation) : 0;
  const what = rating
    ? texts("rowWhat", { row: position + 1, rating: ratingWords(rating, config) })
    : texts("theComment");
  const words = texts(kind === "undo" ? "undone" : "redone", { what });
  say(moved ? `${texts("sentenceAt", { number: current + 1 })}. ${words}` : words);
  if (moved) focusRow(position);
}

function showNotice(notice: Notice, context: ArrivalContext): void {
  const { session, texts, say } = context;
  if (notice.kind === "item-invalid") {
    say(texts("notYet", { why: inWords(notice.violations, session) }));
    const { displayMap } = session.workbook.items[session.current]!.evaluation;
    return focusFault(notice.violations[0]!, displayMap);
  }
  if (notice.kind !== "not-finished") return showPractice(notice, context);
  const { invalid, incomplete } = notice;
  const parts = [
    invalid.length > 0 && texts("countInvalid", { n: invalid.length }),
    incomplete.length > 0 && texts("countIncomplete", { n: incomplete.length }),
  ];
  const words = texts("notFinished", { parts: parts.filter((part) => part).join(", ") });
  if (invalid.length > 0) return showFault(`${words} ${placeWords(session)}`, context);
  say(words);
  focusOutside(document.querySelector<HTMLElement>(".unfinished button"));
}

/**
 * Shows the practice result at the first counted item.
 * A failed practice shows the part to repeat.
 */
function showPractice(
  total: PracticeTotal & Notice,
  { session, texts, say }: ArrivalContext,
): void {
  const { right, n, needed = 0, distance } = total;
  const words = total.kind === "practice-over"
    ? texts("practiceOver", { right, n, distance: distance.toFixed(1) })
    : texts("practiceFailed", { right, n, needed });
  say(`${words} ${placeWords(session)}`);
  focusRow(0);
}

/** Describes missing entries and the first broken rule. The others are under their rows. */
function inWords(violations: readonly Violation[], session: Session): string {
  const { evaluation } = session.workbook.items[session.current]!;
  const missing = new Set(
    violations.filter(isMissing).flatMap((it) => positionsOf(it, evaluation.displayMap)),
  );
  const numbers = [...missing].map((position) => String(position + 1));
  const [first, ...others] = violations.filter((violation) => !isMissing(violation));
  const texts = textsOf(session.config);
  const unfinished = { n: numbers.length, rows: texts.listed(numbers, "and") };
  return [
    ...numbers.length > 0 ? [texts("rowsUnfinished", unfinished)] : [],
    ...first ? [describeViolation(first, evaluation, session.config)] : [],
    ...others.length > 0 ? [texts("andOthers", { n: others.length })] : [],
  ].join(" ");
}

function focusFault(violation: Violation, displayMap: readonly number[]): void {
  const [position = 0] = positionsOf(violation, displayMap);
  if (violation.kind.endsWith("-bucket")) focusRow(position);
  else focusScore(position);
}
