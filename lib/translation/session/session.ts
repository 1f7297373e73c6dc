import type { RunConfig } from "../configuration.ts";
import { isIncomplete, isInvalid, type Violation, violationsOf } from "../rules/violations.ts";
import { canonicalText, MAX_CELL_LENGTH } from "../text.ts";
import type { Evaluation, Rating, RatingWorkbook } from "../types.ts";

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
interface Typing {
  readonly field: string;
  readonly lastMs: number;
}

/** Milliseconds at work on one item, not rounded, so that many short visits add up. */
interface Clock {
  readonly activeMs: number;
  readonly highlightMs: number;
}

/** What undo and redo go back to: one item's evaluation before or after a change. */
interface Step {
  readonly index: number;
  readonly evaluation: Evaluation;
  /** Keystrokes in one field that follow each other quickly are undone together. */
  readonly field: string;
}

/** The session with another evaluation of one item. */
function withEvaluation(session: Session, index: number, evaluation: Evaluation): Session {
  const { workbook } = session;
  const items = workbook.items.with(index, { ...workbook.items[index]!, evaluation });
  return { ...session, workbook: { ...workbook, items } };
}

/**
 * The session with another item on screen: off the completion screen, nothing typed into, and the
 * item stamped as started if it was never opened before. An index without an item changes nothing.
 */
function goTo(session: Session, index: number, { iso }: Now): Session {
  const item = session.workbook.items[index];
  if (item === undefined) return session;
  const there = { ...session, current: index, finished: false, typing: undefined };
  return item.evaluation.startedAt === undefined
    ? withEvaluation(there, index, { ...item.evaluation, startedAt: iso })
    : there;
}

/** A session at the workbook's first incomplete item, or at its first if none is (FR-6). */
export function openSession(workbook: RatingWorkbook, config: RunConfig, now: Now): Session {
  const session: Session = {
    config,
    workbook,
    current: 0,
    highlighting: false,
    finished: false,
    notice: undefined,
    revision: 0,
    past: [],
    future: [],
    lastActiveMs: now.monotonicMs,
    typing: undefined,
    clocks: workbook.items.map(({ evaluation }) => ({
      activeMs: evaluation.activeSeconds * 1000,
      highlightMs: evaluation.highlightSeconds * 1000,
    })),
  };
  return goTo(session, Math.max(firstIncomplete(session), 0), now);
}

/**
 * The session after an action. Time up to the action counts for the item on screen before it. An
 * action that cannot be (a jump to no item, Back at the first, Undo without a step) changes nothing
 * but the time. Never throws.
 */
export function reduce(session: Session, action: Action, now: Now): Session {
  const timed = countTime(session, now);
  switch (action.kind) {
    case "activity":
      return timed;
    case "pause":
      return { ...timed, lastActiveMs: undefined };
    case "highlight":
      return { ...timed, highlighting: action.on };
    default:
      return acted({ ...timed, notice: undefined }, action, now);
  }
}

type Deed = Exclude<Action, { readonly kind: "activity" | "pause" | "highlight" }>;

function acted(session: Session, action: Deed, now: Now): Session {
  switch (action.kind) {
    case "bucket":
      return rate(session, action.translation, { bucket: action.bucket }, now);
    case "score":
      return rate(session, action.translation, { da: storedScore(action.da) }, now);
    case "comment":
      return comment(session, action.text, now);
    case "next":
      return next(session, now);
    case "back":
      // From the completion screen, back is to the item that was last on screen.
      return goTo(session, session.current - (session.finished ? 0 : 1), now);
    case "jump":
      return goTo(session, action.index, now);
    case "first-incomplete":
      return goTo(session, firstIncomplete(session), now);
    case "next-invalid":
      return goTo(session, nextInvalid(session), now);
    case "undo":
    case "redo":
      return retrace(session, action.kind, now);
    case "finish":
      return finish(session);
  }
}

/** Confirms the item on screen and goes on, or says what stands against it (FR-5, FR-8). */
function next(session: Session, now: Now): Session {
  if (session.finished) return session;
  const { evaluation } = session.workbook.items[session.current]!;
  const violations = violationsOf(evaluation, session.config);
  if (violations.length > 0) return { ...session, notice: { kind: "item-invalid", violations } };
  const again = evaluation.committedAt !== undefined;
  const confirmed = withEvaluation(session, session.current, {
    ...evaluation,
    committedAt: now.iso,
    editCount: evaluation.editCount + (again ? 1 : 0),
  });
  return goTo(
    { ...confirmed, typing: undefined, revision: session.revision + 1 },
    session.current + 1,
    now,
  );
}

/** Ends the session, or says which items stand against it (FR-7). */
function finish(session: Session): Session {
  const incomplete = indicesWhere(session, isIncomplete);
  const invalid = indicesWhere(session, isInvalid);
  return incomplete.length + invalid.length > 0
    ? { ...session, notice: { kind: "not-finished", incomplete, invalid } }
    : { ...session, finished: true, typing: undefined };
}

/** −1 where none is. */
function firstIncomplete({ workbook }: Session): number {
  return workbook.items.findIndex(({ evaluation }) => isIncomplete(evaluation));
}

/** The first invalid item after the one on screen, then from the start; −1 where none is. */
function nextInvalid(session: Session): number {
  const invalid = indicesWhere(session, isInvalid);
  return invalid.find((index) => index > session.current) ?? invalid[0] ?? -1;
}

function indicesWhere(
  { workbook, config }: Session,
  holds: (evaluation: Evaluation, config: RunConfig) => boolean,
): readonly number[] {
  return workbook.items.flatMap(({ evaluation }, index) =>
    holds(evaluation, config) ? [index] : []
  );
}

/** Edits of one field this close join one step of undo: a number typed, a slider dragged. */
const SAME_STEP_MS = 2000;

/** The session with one rating changed in part. A translation that does not exist is ignored. */
function rate(
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
function comment(session: Session, text: string, now: Now): Session {
  const { evaluation } = session.workbook.items[session.current]!;
  const next = storable(text);
  return next === evaluation.comment
    ? session
    : edited(session, { ...evaluation, comment: next }, "comment", now);
}

/** A score as it is stored: no text at all is no score, and what is no number stays text. */
function storedScore(da: number | string | undefined): number | string | undefined {
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
  const { typing } = session;
  const goesOn = typing?.field === field &&
    Math.abs(monotonicMs - typing.lastMs) <= SAME_STEP_MS;
  const past = goesOn ? session.past : [...session.past, { index, evaluation: before, field }];
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

/**
 * The session before its last step, or with the step that was undone last made again, at the item of
 * that step. Without one nothing changes. Everything about an item goes back but the time spent on it.
 */
function retrace(session: Session, deed: "undo" | "redo", now: Now): Session {
  const [from, to] = deed === "undo" ? ["past", "future"] as const : ["future", "past"] as const;
  const step = session[from].at(-1);
  if (step === undefined) return session;
  const { index, evaluation, field } = step;
  const replaced = session.workbook.items[index]!.evaluation;
  const { activeSeconds, highlightSeconds } = replaced;
  const there = goTo({ ...session, revision: session.revision + 1 }, index, now);
  const editCount = editsAfter(replaced, evaluation);
  return {
    ...withEvaluation(there, index, { ...evaluation, editCount, activeSeconds, highlightSeconds }),
    [from]: session[from].slice(0, -1),
    [to]: [...session[to], { index, evaluation: replaced, field }],
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

/** A gap between two signs of life longer than this counts as this long (as Pearmut does). */
const IDLE_CAP_MS = 60_000;

/**
 * The session with the time since the last sign of life counted for the item on screen. A clock that
 * went back counts nothing, and neither does time while paused or on the completion screen.
 */
function countTime(session: Session, { monotonicMs }: Now): Session {
  const { lastActiveMs, current, clocks, finished } = session;
  const active = { ...session, lastActiveMs: monotonicMs };
  if (lastActiveMs === undefined || finished) return active;
  const gap = Math.min(Math.max(monotonicMs - lastActiveMs, 0), IDLE_CAP_MS);
  if (!(gap > 0)) return active;
  const { activeMs, highlightMs } = clocks[current]!;
  const clock = {
    activeMs: activeMs + gap,
    highlightMs: highlightMs + (session.highlighting ? gap : 0),
  };
  // The workbook has the clock in seconds, to a tenth.
  const [activeSeconds, highlightSeconds] = [clock.activeMs, clock.highlightMs]
    .map((ms) => Math.round(ms / 100) / 10) as [number, number];
  const timed = { ...active, clocks: clocks.with(current, clock) };
  const { evaluation } = session.workbook.items[current]!;
  return evaluation.activeSeconds === activeSeconds &&
      evaluation.highlightSeconds === highlightSeconds
    ? timed
    : withEvaluation(timed, current, { ...evaluation, activeSeconds, highlightSeconds });
}
