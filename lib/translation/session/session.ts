import { practiceItem, type RunConfig } from "../configuration.ts";
import { isIncomplete, isInvalid, type Violation, violationsOf } from "../rules/violations.ts";
import { canonicalText, MAX_CELL_LENGTH, wordsOf } from "../text.ts";
import type { InputRow, ItemEvaluation, Rating, RatingWorkbook } from "../types.ts";

/** Time of an action: wall clock for stamps, monotonic clock for durations. */
export interface Now {
  /** ISO 8601 in UTC with milliseconds. */
  readonly iso: string;
  readonly monotonicMs: number;
}

type Score = number | string | undefined;

/** An action of rater or page. `translation` is 0 … N−1 for t1 … tN; `index` counts items. */
export type Action =
  | { readonly kind: "bucket"; readonly translation: number; readonly bucket: string | undefined }
  /** `isStroke` marks a complete edit: a click or drag of the slider. It is one step of undo. */
  | {
    readonly kind: "score";
    readonly translation: number;
    readonly da: Score;
    readonly isStroke?: boolean;
  }
  /** Gives this translation's rating to all translations with the same text. */
  | { readonly kind: "alike"; readonly translation: number }
  | { readonly kind: "comment"; readonly text: string }
  | { readonly kind: "jump"; readonly index: number }
  | { readonly kind: "next" | "back" | "first-incomplete" | "next-invalid" }
  | { readonly kind: "undo" | "redo" | "finish" }
  | { readonly kind: "highlight"; readonly on: boolean }
  /** `activity`: movement, scrolling or typing without a change. `pause`: the page was hidden. */
  | { readonly kind: "activity" | "pause" };

/** Reason why Next or Finish was refused. Item indices are in order; the page moves there. */
export type Notice =
  | { readonly kind: "item-invalid"; readonly violations: readonly Violation[] }
  | {
    readonly kind: "not-finished";
    readonly incomplete: readonly number[];
    readonly invalid: readonly number[];
  }
  /** The result of the practice, or the reason why it must be repeated. */
  | PracticeTotal & { readonly kind: "practice-over" | "practice-failed" };

/** Comparison of the practice ratings with the references. */
export interface PracticeTotal {
  /** Number in the reference's bucket, and number of translations. */
  readonly right: number;
  readonly n: number;
  /** Number needed to pass; undefined if no pass is required. */
  readonly needed: number | undefined;
  /** Mean absolute difference from the reference scores, in points. */
  readonly distance: number;
}

/** A rating session: an immutable value that {@link reduce} advances. */
export interface Session {
  readonly config: RunConfig;
  readonly workbook: RatingWorkbook;
  /** Index of the item on screen. */
  readonly current: number;
  readonly highlighting: boolean;
  readonly finished: boolean;
  /** True if the item on screen is a confirmed practice item. Its reference is then shown. */
  readonly feedback: boolean;
  /** Obstacle met by the last action; undefined if it succeeded. */
  readonly notice: Notice | undefined;
  /** Number of changes and confirmations, which autosave compares. */
  readonly revision: number;
  readonly past: readonly Step[];
  readonly future: readonly Step[];
  /** Monotonic time of the last activity; undefined while paused. */
  readonly lastActiveMs: number | undefined;
  /** Field and time of the last typing. Further typing joins its undo step. */
  readonly typing: { readonly field: string; readonly lastMs: number } | undefined;
  /** Time per item in milliseconds, unrounded so that short visits add up. */
  readonly clocks: readonly Readonly<Record<"activeMs" | "highlightMs" | "idleMs", number>>[];
}

/** A step of undo or redo: an item's former evaluation, and the changed field. */
interface Step {
  readonly index: number;
  readonly evaluation: ItemEvaluation;
  readonly field: string;
}

/** Returns the session with one item's evaluation replaced. */
function withEvaluation(session: Session, index: number, evaluation: ItemEvaluation): Session {
  const { workbook } = session;
  const items = workbook.items.with(index, { ...workbook.items[index]!, evaluation });
  return { ...session, workbook: { ...workbook, items } };
}

/**
 * Returns the session with another item on screen, stamped at its first opening.
 * An invalid index changes nothing. While the practice is not passed, counted items cannot be
 * reached; the session goes to the practice item at fault instead.
 */
function goTo(session: Session, to: number, { iso }: Now): Session {
  const failed = failedPractice(session, to);
  const index = failed?.index ?? to;
  const item = session.workbook.items[index];
  if (item === undefined) return session;
  const notice = failed ? failed.notice : session.notice;
  // A rater who is sent back sees the references at once.
  const feedback = failed?.notice !== undefined;
  const here = { current: index, finished: false, feedback, typing: undefined, notice };
  const moved = { ...session, ...here };
  return item.evaluation.startedAt === undefined
    ? withEvaluation(moved, index, { ...item.evaluation, startedAt: iso })
    : moved;
}

/** Returns the practice items of a workbook with their indices. */
const practiceOf = ({ config, workbook }: Session) =>
  config.practice.length === 0 ? [] : workbook.items.flatMap(({ input, evaluation }, index) => {
    const reference = practiceItem(config, input);
    return reference ? [{ index, evaluation, reference }] : [];
  });

/**
 * Returns the practice result.
 * The result is undefined if there is none or it is not fully confirmed.
 */
function practiceTotal(session: Session): PracticeTotal | undefined {
  const items = practiceOf(session);
  if (items.length === 0 || items.some(({ evaluation }) => evaluation.committedAt === undefined)) {
    return undefined;
  }
  const pairs = items.flatMap(({ evaluation, reference }) =>
    reference.translations.map((wanted, t) => ({ wanted, given: evaluation.ratings[t]! }))
  );
  const { practicePass } = session.config;
  return {
    right: pairs.filter(({ wanted, given }) => wanted.bucket === given.bucket).length,
    n: pairs.length,
    needed: practicePass === undefined ? undefined : Math.ceil(practicePass * pairs.length - 1e-9),
    distance:
      pairs.reduce((sum, { wanted, given }) => sum + Math.abs(wanted.da - Number(given.da)), 0) /
      pairs.length,
  };
}

/**
 * Returns the practice item that blocks access to an item.
 * The reason is included; undefined if access is allowed.
 */
function failedPractice(session: Session, to: number) {
  const { config, workbook } = session;
  const item = workbook.items[to];
  if (config.practicePass === undefined || !item || practiceItem(config, item.input)) {
    return undefined;
  }
  const items = practiceOf(session);
  const open = items.find(({ evaluation }) => evaluation.committedAt === undefined);
  if (open) return { index: open.index, notice: undefined };
  const total = practiceTotal(session);
  if (total === undefined || total.right >= total.needed!) return undefined;
  const wrong = items.find(({ evaluation, reference }) =>
    reference.translations.some(({ bucket }, t) => bucket !== evaluation.ratings[t]!.bucket)
  )!;
  return { index: wrong.index, notice: { kind: "practice-failed", ...total } as const };
}

/**
 * Opens a session at the first incomplete item (FR-6). If there is none, it opens at the first
 * item.
 */
export function openSession(workbook: RatingWorkbook, config: RunConfig, now: Now): Session {
  const session: Session = {
    config,
    workbook,
    current: 0,
    highlighting: false,
    finished: false,
    feedback: false,
    notice: undefined,
    revision: 0,
    past: [],
    future: [],
    lastActiveMs: now.monotonicMs,
    typing: undefined,
    clocks: workbook.items.map(({ evaluation }) => ({
      activeMs: evaluation.activeSeconds * 1000,
      highlightMs: evaluation.highlightSeconds * 1000,
      idleMs: evaluation.idleSeconds * 1000,
    })),
  };
  return goTo(session, Math.max(firstIncomplete(session), 0), now);
}

/**
 * Returns the session after an action; never throws.
 * Time before the action counts for the item then shown.
 */
export function reduce(session: Session, action: Action, now: Now): Session {
  const timed = countTime(session, now);
  const next = { ...timed, notice: undefined };
  switch (action.kind) {
    case "activity":
      return timed;
    case "pause":
      return { ...timed, lastActiveMs: undefined };
    case "highlight":
      return { ...timed, highlighting: action.on };
    case "bucket":
      return rate(next, action.translation, { bucket: action.bucket }, now);
    case "score":
      return rate(next, action.translation, { da: storedScore(action.da) }, now, action.isStroke);
    case "alike":
      return rateAlike(next, action.translation, now);
    case "comment":
      return edited(next, { comment: truncated(action.text) }, "comment", now);
    case "next":
      return confirm(next, now);
    case "back":
      // From the completion screen, back is to the item that was last on screen.
      return goTo(next, next.current - (next.finished ? 0 : 1), now);
    case "jump":
      return goTo(next, action.index, now);
    case "first-incomplete":
      return goTo(next, firstIncomplete(next), now);
    case "next-invalid":
      return goTo(next, nextInvalid(next), now);
    case "undo":
    case "redo":
      return undoOrRedo(next, action.kind, now);
    case "finish":
      return finish(next, now);
  }
}

/**
 * Confirms the item on screen and advances, or reports the obstacles (FR-5, FR-8).
 * A practice item stays on screen with its reference.
 */
function confirm(session: Session, now: Now): Session {
  if (session.finished) return session;
  if (session.feedback) {
    const moved = goTo(session, session.current + 1, now);
    const item = moved.workbook.items[moved.current]!;
    const total = moved.notice || practiceItem(moved.config, item.input)
      ? undefined
      : practiceTotal(moved);
    return total ? { ...moved, notice: { kind: "practice-over", ...total } } : moved;
  }
  const { evaluation, input } = session.workbook.items[session.current]!;
  const violations = violationsOf(evaluation, session.config);
  if (violations.length > 0) return { ...session, notice: { kind: "item-invalid", violations } };
  const editCount = evaluation.editCount + (evaluation.committedAt === undefined ? 0 : 1);
  const confirmed = { ...evaluation, committedAt: now.iso, editCount };
  const next = { ...session, typing: undefined, revision: session.revision + 1 };
  const edited = withEvaluation(next, session.current, confirmed);
  if (practiceItem(session.config, input)) return { ...edited, feedback: true };
  return goTo(edited, session.current + 1, now);
}

/**
 * Ends the session, or reports unfinished items (FR-7).
 * It then goes to the first invalid item, unless an invalid one is on screen.
 */
function finish(session: Session, now: Now): Session {
  const incomplete = indicesWhere(session, isIncomplete);
  const invalid = indicesWhere(session, isInvalid);
  if (incomplete.length + invalid.length === 0) {
    return { ...session, finished: true, typing: undefined };
  }
  const { current } = session;
  const moved = invalid.includes(current) ? session : goTo(session, invalid[0] ?? current, now);
  return { ...moved, notice: { kind: "not-finished", incomplete, invalid } };
}

/** Returns the index of the first incomplete item, −1 if none. */
const firstIncomplete = ({ workbook }: Session): number =>
  workbook.items.findIndex(({ evaluation }) => isIncomplete(evaluation));

/** Returns the index of the next invalid item, wrapping around. The result is −1 if none. */
function nextInvalid(session: Session): number {
  const invalid = indicesWhere(session, isInvalid);
  return invalid.find((index) => index > session.current) ?? invalid[0] ?? -1;
}

function indicesWhere(
  { workbook, config }: Session,
  holds: (evaluation: ItemEvaluation, config: RunConfig) => boolean,
): readonly number[] {
  return [...workbook.items.keys()].filter((at) => holds(workbook.items[at]!.evaluation, config));
}

/**
 * Maximum interval of edits of one field that form one undo step.
 * Such edits are typing a number, or arrow keys on the slider.
 */
const SAME_STEP_MS = 2000;

/** Returns the session with part of one rating changed. */
function rate(
  session: Session,
  translation: number,
  change: Partial<Rating>,
  now: Now,
  isStroke?: boolean,
): Session {
  const { ratings } = session.workbook.items[session.current]!.evaluation;
  const changed = ratings.map((rating, it) =>
    it === translation ? { ...rating, ...change } : rating
  );
  return edited(
    session,
    { ratings: changed },
    `${Object.keys(change)} ${translation}`,
    now,
    isStroke,
  );
}

/** Returns the item's other translations (0 … N−1) with the same text. */
export function sameTexts({ translations }: InputRow, translation: number): readonly number[] {
  const text = translations[translation]?.trim();
  return [...translations.keys()]
    .filter((it) => it !== translation && translations[it]!.trim() === text);
}

/** Returns the session with a rating copied to identical translations. */
function rateAlike(session: Session, translation: number, now: Now): Session {
  const { evaluation: { ratings }, input } = session.workbook.items[session.current]!;
  const same = sameTexts(input, translation);
  const alike = ratings.map((rating, it) =>
    same.includes(it) ? ratings[translation] ?? rating : rating
  );
  return edited(session, { ratings: alike }, `alike ${translation}`, now, true);
}

/** Returns a score in stored form. Empty text is no score, and non-numeric input stays text. */
function storedScore(da: Score): Score {
  if (typeof da === "string") return truncated(da).trim() || undefined;
  // −0 would come back from a workbook as 0.
  return da === 0 ? 0 : da === undefined || Number.isFinite(da) ? da : String(da);
}

/** Truncates a text to the length of a workbook cell. */
function truncated(text: string): string {
  return canonicalText(canonicalText(text).slice(0, MAX_CELL_LENGTH));
}

/**
 * Returns the session with the item on screen edited.
 * A change withdraws the confirmation, if any, and counts as an edit. Continued typing in a field
 * joins its undo step.
 */
function edited(
  session: Session,
  change: Partial<Pick<ItemEvaluation, "ratings" | "comment">>,
  field: string,
  now: Now,
  isStep = false,
): Session {
  const { current: index, typing, revision } = session;
  const before = session.workbook.items[index]!.evaluation;
  const evaluation = { ...before, ...change };
  if (JSON.stringify(evaluation) === JSON.stringify(before)) return session;
  const isContinued = typing?.field === field && !isStep &&
    Math.abs(now.monotonicMs - typing.lastMs) <= SAME_STEP_MS;
  const next: Session = {
    ...session,
    past: isContinued ? session.past : [...session.past, { index, evaluation: before, field }],
    future: [],
    typing: { field, lastMs: now.monotonicMs },
    finished: false,
    feedback: false,
    revision: revision + 1,
  };
  const editCount = before.editCount + (before.committedAt === undefined ? 0 : 1);
  return withEvaluation(next, index, { ...evaluation, committedAt: undefined, editCount });
}

/**
 * Returns the session after undo or redo, at the item of that step.
 * Everything about the item is restored except its times; its number of edits never falls, since
 * undoing a confirmed rating is an edit (FR-8).
 */
function undoOrRedo(session: Session, direction: "undo" | "redo", now: Now): Session {
  const [from, to] = direction === "undo"
    ? ["past", "future"] as const
    : ["future", "past"] as const;
  const step = session[from].at(-1);
  if (step === undefined) return session;
  const { index, evaluation, field } = step;
  const replaced = session.workbook.items[index]!.evaluation;
  const { activeSeconds, highlightSeconds, idleSeconds, committedAt } = replaced;
  const times = { activeSeconds, highlightSeconds, idleSeconds };
  const editCount = evaluation.committedAt !== undefined
    ? evaluation.editCount
    : Math.max(evaluation.editCount, replaced.editCount + (committedAt === undefined ? 0 : 1));
  const moved = goTo({ ...session, revision: session.revision + 1 }, index, now);
  return {
    ...withEvaluation(moved, index, { ...evaluation, editCount, ...times }),
    [from]: session[from].slice(0, -1),
    [to]: [...session[to], { index, evaluation: replaced, field }],
  };
}

/** A shorter gap between actions always counts as work (as in Pearmut). */
const SHORT_GAP_MS = 60_000;

/**
 * Reading time per word: 180 words per minute.
 * People read silently at 238 (Brysbaert 2019, Journal of Memory and Language 109, 104047).
 */
const MS_PER_WORD = 1000 / 3;

/**
 * Returns the longest gap that counts as work.
 * It is the reading time of the item, but at least one minute.
 */
function longestGap({ config, workbook, current }: Session): number {
  const { source, translations } = workbook.items[current]!.input;
  const words = wordsOf(source, config.sourceLanguage).length +
    translations.reduce((sum, text) => sum + wordsOf(text, config.targetLanguage).length, 0);
  return Math.max(SHORT_GAP_MS, words * MS_PER_WORD);
}

/**
 * Returns the session with the time since the last activity counted.
 * The time is credited to the item on screen; the part beyond the reading time is idle. Nothing
 * counts while paused, on the completion screen, or if the clock went back.
 */
function countTime(session: Session, { monotonicMs }: Now): Session {
  const { lastActiveMs, current, clocks, finished } = session;
  const active = { ...session, lastActiveMs: monotonicMs };
  if (lastActiveMs === undefined || finished) return active;
  const since = monotonicMs - lastActiveMs;
  if (!(since > 0)) return active;
  const gap = since <= SHORT_GAP_MS ? since : Math.min(since, longestGap(session));
  const clock = clocks[current]!;
  const counted = {
    activeMs: clock.activeMs + gap,
    highlightMs: clock.highlightMs + (session.highlighting ? gap : 0),
    idleMs: clock.idleMs + since - gap,
  };
  const timed = { ...active, clocks: clocks.with(current, counted) };
  // The workbook has the clocks in seconds, to a tenth.
  const seconds = (ms: number) => Math.round(ms / 100) / 10;
  const { evaluation } = session.workbook.items[current]!;
  const now = {
    ...evaluation,
    activeSeconds: seconds(counted.activeMs),
    highlightSeconds: seconds(counted.highlightMs),
    idleSeconds: seconds(counted.idleMs),
  };
  const isSame = (["activeSeconds", "highlightSeconds", "idleSeconds"] as const)
    .every((name) => now[name] === evaluation[name]);
  return isSame ? timed : withEvaluation(timed, current, now);
}
