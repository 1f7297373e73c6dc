import { useEffect, useRef } from "preact/hooks";
import type { Session } from "../../lib/translation/session/session.ts";
import { textsOf } from "../../lib/translation/texts.ts";
import { type Command, commandOf, nudgeSteps, rowAfterEnter } from "../keyboard.ts";
import { focusId, focusRow, focusScore, NEXT_ID, SOURCE_ID, spotOf, typeInto } from "./places.ts";
import { assess, type RowView } from "./rows.ts";
import type { RowDeeds } from "./translation_row.tsx";
import type { Say } from "./use_page.ts";
import type { Dispatch } from "./use_session.ts";

/** What keys work on. */
interface KeyContext {
  readonly session: Session;
  readonly rows: readonly RowView[];
  /** Display positions from top to bottom, as the rows stand on the screen. */
  readonly order: readonly number[];
  readonly deeds: RowDeeds;
  /** Position of the row in hand. */
  readonly active: number;
  /** Another tab has the run: nothing may change here. */
  readonly readOnly: boolean;
  /** Like dispatch, and the focus goes along. */
  readonly go: Dispatch;
  readonly say: Say;
  readonly save: () => void;
  readonly showKeys: () => void;
  readonly toggle: Readonly<Record<"context" | "byScore", () => void>>;
}

/** What would change a rating or save it. */
const CHANGES = "bucket no-such-bucket clear-bucket type nudge alike undo redo save".split(" ");

/** The whole page listens, so that keys work wherever the focus is. */
export function useKeys(context: KeyContext): void {
  const latest = useRef(context);
  latest.current = context;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event, latest.current);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}

function onKey(event: KeyboardEvent, context: KeyContext): void {
  // An open dialogue has its own keys; an input method is still composing its text.
  if (event.isComposing || document.querySelector("dialog[open]")) return;
  const { key, code, shiftKey: shift, altKey: alt, target } = event;
  const { session: { config }, rows, active, readOnly, say } = context;
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
  if (!command) return;
  event.preventDefault();
  // A key that is held down must not commit one sentence after another.
  if (event.repeat && ["commit", "back", "save"].includes(command.kind)) return;
  if (readOnly && CHANGES.includes(command.kind)) say(textsOf(config)("onlyLook"));
  else if (position === undefined) onPage(command, context);
  else onRow(command, position, context);
}

function onPage(command: Command, context: KeyContext): void {
  const { order, go, save, showKeys } = context;
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
      return save();
    case "show-keys":
      return showKeys();
    case "context":
      return context.toggle.context();
    case "by-score":
      return context.toggle.byScore();
  }
}

function onRow(command: Command, position: number, context: KeyContext): void {
  const { session: { config }, order, deeds, say } = context;
  switch (command.kind) {
    case "bucket":
      deeds.choose(position, config.buckets[command.index]!.key, "key");
      return focusScore(position);
    case "no-such-bucket":
      return say(
        textsOf(config)("noSuchBucket", { row: position + 1, n: config.buckets.length }),
      );
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
function enter(position: number, { session, rows, go, say }: KeyContext): void {
  const row = rowAfterEnter(position, rows.map(({ finished }) => finished));
  if (row !== undefined) return focusRow(row);
  const { evaluation } = session.workbook.items[session.current]!;
  if (assess(evaluation, session.config).invalid) return go({ kind: "next" });
  focusId(NEXT_ID);
  say(textsOf(session.config)("allRated"));
}
