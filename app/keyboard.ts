import type { RunConfig } from "../lib/translation/configuration.ts";
import { asciiDigits, SCORE_SIGN } from "./formatting.ts";

/** Kind of focused element; within a row, its part. */
export type FocusTarget =
  | "row"
  | "bucket"
  | "slider"
  | "score"
  | "source"
  | "comment"
  | "elsewhere";

/** A key event. `ctrl` is Command on a Mac. */
export interface KeyPress {
  readonly key: string;
  /** The physical key, independent of layout: `Digit1`, `KeyB`. */
  readonly code: string;
  readonly ctrl: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
}

/** The context in which a key is interpreted. */
interface Setting {
  readonly place: FocusTarget;
  readonly bucketCount: number;
  /** True if the row's number box is empty. For the slider it is true if there is no thumb. */
  readonly scoreEmpty: boolean;
  readonly steps: NudgeSteps;
}

/** A key's command; `nothing` suppresses a key that would corrupt the score. */
export type Command =
  /** `index` counts the buckets from the best, 0. */
  | { readonly kind: "bucket"; readonly index: number }
  /** A digit for the number box that the browser would not insert itself. */
  | { readonly kind: "type"; readonly digit: string }
  /** Change of the Direct Assessment in points. */
  | { readonly kind: "nudge"; readonly points: number }
  | { readonly kind: "row"; readonly by: 1 | -1 }
  | {
    readonly kind:
      | ("no-such-bucket" | "clear-bucket" | "to-bucket" | "to-score" | "enter" | "nothing")
      | ("commit" | "back" | "undo" | "redo" | "save" | "show-keys")
      | ("alike" | "context" | "by-score");
  };

/**
 * Returns a key's command; undefined for the browser's default behaviour.
 * Digits and letters count by character in any script, else by physical key.
 */
export function commandOf(press: KeyPress, setting: Setting): Command | undefined {
  if (press.ctrl) return press.alt ? undefined : withControl(press);
  if (press.alt) return undefined;
  const { place } = setting;
  if (place === "comment" || place === "elsewhere") return undefined;
  if (press.key === "?") return { kind: "show-keys" };
  if (letterOf(press) === "c") return { kind: "context" };
  if (place === "source") {
    // The source is above the first row.
    return ["ArrowDown", "Enter"].includes(press.key) ? { kind: "row", by: 1 } : undefined;
  }
  return digitCommand(press, setting) ?? named(press, setting) ?? lettered(press, place);
}

/**
 * Returns the row to go to after Enter, wrapping around.
 * The result is undefined if all are finished.
 */
export function rowAfterEnter(position: number, finished: readonly boolean[]): number | undefined {
  const below = finished.indexOf(false, position + 1);
  const unfinished = below < 0 ? finished.indexOf(false) : below;
  return unfinished < 0 ? undefined : unfinished;
}

function withControl(press: KeyPress): Command | undefined {
  if (press.key === "Enter") return { kind: press.shift ? "back" : "commit" };
  switch (letterOf(press)) {
    case "z":
      return { kind: press.shift ? "redo" : "undo" };
    case "y":
      return { kind: "redo" };
    case "s":
      return { kind: "save" };
  }
}

function digitCommand(press: KeyPress, { place, bucketCount }: Setting): Command | undefined {
  const digit = digitOf(press);
  if (digit === undefined || place === "score" && press.key === digit) return undefined;
  if (place === "score" || place === "slider") return { kind: "type", digit };
  const index = Number(digit) - 1;
  return index >= 0 && index < bucketCount ? { kind: "bucket", index } : { kind: "no-such-bucket" };
}

function named(press: KeyPress, { place, scoreEmpty, steps }: Setting): Command | undefined {
  const points = press.shift ? steps.big : steps.small;
  switch (press.key) {
    case "Enter":
      return { kind: "enter" };
    case "Escape":
      return place === "row" ? undefined : { kind: "to-bucket" };
    case "Backspace":
      if (place === "score") return scoreEmpty ? { kind: "to-bucket" } : undefined;
      return place === "row" ? { kind: "clear-bucket" } : undefined;
    case "Delete":
      return place === "row" ? { kind: "clear-bucket" } : undefined;
    case "Home":
    case "End":
    case "PageUp":
    case "PageDown":
      // A slider without a score would start from its middle.
      return place === "slider" && scoreEmpty ? { kind: "nudge", points: 0 } : undefined;
  }
  // Among radio buttons the arrow keys already mean the previous and the next one.
  if (place === "bucket") return undefined;
  switch (press.key) {
    case "ArrowUp":
      return { kind: "row", by: -1 };
    case "ArrowDown":
      return { kind: "row", by: 1 };
    case "ArrowLeft":
      return { kind: "nudge", points: -points };
    case "ArrowRight":
      return { kind: "nudge", points };
  }
}

function lettered(press: KeyPress, place: FocusTarget): Command | undefined {
  if (press.key === "=") return { kind: "alike" };
  const letter = letterOf(press);
  if (letter === "o") return { kind: "by-score" };
  if (letter === "b") return place === "row" ? undefined : { kind: "to-bucket" };
  if (letter === "s") return place === "score" ? { kind: "nothing" } : { kind: "to-score" };
  const spoils = place === "score" && [...press.key].length === 1 && !/\d/.test(press.key) &&
    !SCORE_SIGN.test(press.key);
  return spoils ? { kind: "nothing" } : undefined;
}

/**
 * Returns the digit of a key, `0` … `9`.
 * The character may be of any script; else the digit row or number pad decides.
 */
function digitOf({ key, code, shift }: KeyPress): string | undefined {
  if (/^\p{Nd}$/u.test(key)) return asciiDigits(key);
  // On a French keyboard the digit row gives accents and signs until Shift is held.
  if (shift || key === "?" || SCORE_SIGN.test(key) || [...key].length !== 1) return undefined;
  return /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];
}

function letterOf({ key, code }: KeyPress): string | undefined {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  return /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase();
}

/** Steps by which keys move a score: arrow key, and with Shift. */
interface NudgeSteps {
  readonly small: number;
  readonly big: number;
}

/**
 * Returns the steps of the arrow keys: a point and a tenth of the scale.
 * That is 1 and 10 on 0 … 100, and 1 for both on 0 … 10. With fractions the small step is the power
 * of ten near a hundredth of the scale and the big one ten times it: 0.1 and 1 on 0 … 7.
 */
export function nudgeSteps({ daMin, daMax, integerOnly }: RunConfig): NudgeSteps {
  const range = daMax - daMin;
  const tens = Math.round(Math.log10(range / 100));
  if (!integerOnly) return { small: 10 ** tens, big: 10 ** (tens + 1) };
  return { small: 1, big: Math.max(1, Math.round(range / 10)) };
}
