import type { Evaluation, RatingWorkbook } from "../item.ts";
import type { RunConfig } from "../run_config.ts";
import type { Violation } from "../rating/violation.ts";

/** The time of an action, from two clocks: one for stamps, one that never jumps for durations. */
export interface Now {
  /** ISO 8601 in UTC with milliseconds. */
  readonly iso: string;
  readonly monotonicMs: number;
}

/** What a rater or the page can do. `translation` is 0 … N−1 (t1 … tN); `index` counts items. */
export type Action =
  | { readonly kind: "bucket"; readonly translation: number; readonly bucket: string | undefined }
  | {
    readonly kind: "score";
    readonly translation: number;
    readonly da: number | string | undefined;
  }
  | { readonly kind: "comment"; readonly text: string }
  | { readonly kind: "next" }
  | { readonly kind: "back" }
  | { readonly kind: "jump"; readonly index: number }
  | { readonly kind: "first-incomplete" }
  | { readonly kind: "next-invalid" }
  | { readonly kind: "undo" }
  | { readonly kind: "redo" }
  | { readonly kind: "highlight"; readonly on: boolean }
  /** The rater moved, scrolled or typed without changing anything: time counts as work. */
  | { readonly kind: "activity" }
  /** The page was hidden: time until the next action does not count. */
  | { readonly kind: "pause" }
  | { readonly kind: "finish" };

/** Why Next or Finish did not go on; the page says it and moves to the place. */
export type Notice =
  | { readonly kind: "item-invalid"; readonly violations: readonly Violation[] }
  | {
    readonly kind: "not-finished";
    /** Indices of items, in order. */
    readonly incomplete: readonly number[];
    readonly invalid: readonly number[];
  };

/** A rating session: a value that {@link Action}s turn into the next. */
export interface Session {
  readonly config: RunConfig;
  readonly workbook: RatingWorkbook;
  /** Index of the item on screen. */
  readonly current: number;
  readonly highlighting: boolean;
  readonly finished: boolean;
  /** What the last action ran into; undefined after an action that went through. */
  readonly notice: Notice | undefined;
  /** How many changes of ratings, comments and confirmations: what autosave compares. */
  readonly revision: number;
  readonly past: readonly Step[];
  readonly future: readonly Step[];
  /** Monotonic time of the last activity; undefined while paused. */
  readonly lastActiveMs: number | undefined;
  /** The field being typed into: more of it joins the last step. Undefined after anything else. */
  readonly typing: Typing | undefined;
  /** By item: time at work to the millisecond, of which the workbook holds the rounded form. */
  readonly clocks: readonly Clock[];
}

/** A field and the monotonic time of its last edit. */
export interface Typing {
  readonly field: string;
  readonly lastMs: number;
}

/** Milliseconds at work on one item, not rounded, so that many short visits add up. */
export interface Clock {
  readonly activeMs: number;
  readonly highlightMs: number;
}

/** What undo and redo go back to: one item's evaluation before or after a change. */
export interface Step {
  readonly index: number;
  readonly evaluation: Evaluation;
  /** Keystrokes in one field that follow each other quickly are undone together. */
  readonly field: string;
}
