import { useEffect, useRef } from "preact/hooks";
import { type Command, commandOf, nudgeSteps, rowAfterEnter } from "../keyboard.ts";
import type { Desk } from "./desk.ts";
import { focusId, focusRow, focusScore, NEXT_ID, SOURCE_ID, spotOf, typeInto } from "./places.ts";
import { assess } from "./rows.ts";

/** What would change a rating or save it. */
const CHANGES = "bucket no-such-bucket clear-bucket type nudge alike undo redo save".split(" ");

/** The whole page listens, so that keys work wherever the focus is. */
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
  // A click beside everything leaves the focus nowhere: keys then go to the row in hand.
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
      // Outside the rows only the source has such a key, and it is above them.
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
  const { session: { config }, texts, order, deeds, say } = context;
  switch (command.kind) {
    case "bucket":
      deeds.choose(position, config.buckets[command.index]!.key, "key");
      return focusScore(position);
    case "no-such-bucket":
      return say(texts("noSuchBucket", { row: position + 1, n: config.buckets.length }));
    case "clear-bucket":
      return deeds.choose(position, undefined, "key");
    case "type":
      return typeInto(position, command.digit);
    case "to-bucket":
      return focusRow(position);
    case "to-score":
      return focusScore(position);
    case "nudge":
      return deeds.nudge(position, command.points);
    case "row": {
      const place = order.indexOf(position) + command.by;
      return place < 0 ? focusId(SOURCE_ID) : focusRow(order[place] ?? position);
    }
    case "alike":
      return deeds.alike(position);
    case "enter":
      return enter(position, context);
    default:
      return onPage(command, context);
  }
}

/**
 * Goes to what is unfinished, or to Next; where a rule is broken Next is tried at once and says
 * why.
 */
function enter(position: number, { session, texts, rows, go, say }: Desk): void {
  const row = rowAfterEnter(position, rows.map(({ finished }) => finished));
  if (row !== undefined) return focusRow(row);
  const { evaluation } = session.workbook.items[session.current]!;
  if (assess(evaluation, session.config).invalid) return go({ kind: "next" });
  focusId(NEXT_ID);
  say(texts("allRated"));
}
