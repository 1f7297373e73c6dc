import { practiceItem, type RunConfig } from "../configuration.ts";
import { isIncomplete, isInvalid, type Violation, violationsOf } from "../rules/violations.ts";
import { canonicalText, MAX_CELL_LENGTH, wordsOf } from "../text.ts";
import type { Evaluation, InputRow, Rating, RatingWorkbook } from "../types.ts";

/** The time of an action, from two clocks: one for stamps, one that never jumps for durations. */
export interface Now {
  /** ISO 8601 in UTC with milliseconds. */
  readonly iso: string;
  readonly monotonicMs: number;
}

type Score = number | string | undefined;

/** What a rater or the page can do. `translation` is 0 … N−1 (t1 … tN); `index` counts items. */
export type Action =
  | { readonly kind: "bucket"; readonly translation: number; readonly bucket: string | undefined }
  /** `isStroke`: a click or drag of the slider, a step of undo by itself; of other edits time tells. */
  | {
    readonly kind: "score";
    readonly translation: number;
    readonly da: Score;
    readonly isStroke?: boolean;
  }
  /** All translations with the same text as this one take its rating. */
  | { readonly kind: "alike"; readonly translation: number }
  | { readonly kind: "comment"; readonly text: string }
  | { readonly kind: "jump"; readonly index: number }
  | { readonly kind: "next" | "back" | "first-incomplete" | "next-invalid" }
  | { readonly kind: "undo" | "redo" | "finish" }
  | { readonly kind: "highlight"; readonly on: boolean }
  /** `activity`: moved, scrolled or typed without a change. `pause`: the page was hidden. */
  | { readonly kind: "activity" | "pause" };

/** Why Next or Finish did not go on (indices of items, in order); the page moves to the place. */
export type Notice =
  | { readonly kind: "item-invalid"; readonly violations: readonly Violation[] }
  | {
    readonly kind: "not-finished";
    readonly incomplete: readonly number[];
    readonly invalid: readonly number[];
  }
  /** How the practice went, once it is over, or that it is to be passed first. */
  | PracticeTotal & { readonly kind: "practice-over" | "practice-failed" };

/** What was rated of the practice translations, held against the references. */
export interface PracticeTotal {
  /** In the reference's bucket, of so many. */
  readonly right: number;
  readonly n: number;
  /** How many must be right; undefined where practice need not be passed. */
  readonly needed: number | undefined;
  /** Mean distance of the scores from the reference's, in points. */
  readonly distance: number;
}

/** A rating session: a value that {@link Action}s turn into the next. */
export interface Session {
  readonly config: RunConfig;
  readonly workbook: RatingWorkbook;
  /** Index of the item on screen. */
  readonly current: number;
  readonly highlighting: boolean;
  readonly finished: boolean;
  /** Whether the item on screen is to practise on and was confirmed: its reference is shown. */
  readonly feedback: boolean;
  /** What the last action ran into; undefined after an action that went through. */
  readonly notice: Notice | undefined;
  /** How many changes of ratings, comments and confirmations: what autosave compares. */
  readonly revision: number;
  readonly past: readonly Step[];
  readonly future: readonly Step[];
  /** Monotonic time of the last activity; undefined while paused. */
  readonly lastActiveMs: number | undefined;
  /** The field being typed into and when: more of it joins the last step. */
  readonly typing: { readonly field: string; readonly lastMs: number } | undefined;
  /** By item: milliseconds at work, not rounded, so that many short visits add up. */
  readonly clocks: readonly Readonly<Record<"activeMs" | "highlightMs" | "idleMs", number>>[];
}

/** What undo and redo go back to: one item's evaluation, and the field whose change this was. */
interface Step {
  readonly index: number;
  readonly evaluation: Evaluation;
  readonly field: string;
}

/** The session with another evaluation of one item. */
function withEvaluation(session: Session, index: number, evaluation: Evaluation): Session {
  const { workbook } = session;
  const items = workbook.items.with(index, { ...workbook.items[index]!, evaluation });
  return { ...session, workbook: { ...workbook, items } };
}

/**
 * The session with another item on screen, stamped at its first opening; no item, no change. Where
 * practice is to be passed and is not, no item that counts is reached, but the practice item at fault.
 */
function goTo(session: Session, to: number, { iso }: Now): Session {
  const failed = failedPractice(session, to);
  const index = failed?.index ?? to;
  const item = session.workbook.items[index];
  if (item === undefined) return session;
  const notice = failed ? failed.notice : session.notice;
  // Who is sent back sees the references at once.
  const feedback = failed?.notice !== undefined;
  const here = { current: index, finished: false, feedback, typing: undefined, notice };
  const there = { ...session, ...here };
  return item.evaluation.startedAt === undefined
    ? withEvaluation(there, index, { ...item.evaluation, startedAt: iso })
    : there;
}

/** The practice items of a workbook, with their places. */
const practiceOf = ({ config, workbook }: Session) =>
  config.practice.length === 0 ? [] : workbook.items.flatMap(({ input, evaluation }, index) => {
    const reference = practiceItem(config, input);
    return reference ? [{ index, evaluation, reference }] : [];
  });

/** How the practice went; undefined where there is none, or not all of it is confirmed. */
function practiceTotal(session: Session): PracticeTotal | undefined {
  const own = practiceOf(session);
  if (own.length === 0 || own.some(({ evaluation }) => evaluation.committedAt === undefined)) {
    return undefined;
  }
  const pairs = own.flatMap(({ evaluation, reference }) =>
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

/** Where a rater is sent who may not go to an item yet, and why; undefined who may. */
function failedPractice(session: Session, to: number) {
  const { config, workbook } = session;
  const item = workbook.items[to];
  if (config.practicePass === undefined || !item || practiceItem(config, item.input)) {
    return undefined;
  }
  const own = practiceOf(session);
  const open = own.find(({ evaluation }) => evaluation.committedAt === undefined);
  if (open) return { index: open.index, notice: undefined };
  const total = practiceTotal(session);
  if (total === undefined || total.right >= total.needed!) return undefined;
  const wrong = own.find(({ evaluation, reference }) =>
    reference.translations.some(({ bucket }, t) => bucket !== evaluation.ratings[t]!.bucket)
  )!;
  return { index: wrong.index, notice: { kind: "practice-failed", ...total } as const };
}

/** A session at the workbook's first incomplete item, or at its first if none is (FR-6). */
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

/** The session after an action; time up to it counts for the item on screen before. Never throws. */
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
      return edited(next, { comment: storable(action.text) }, "comment", now);
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
      return retrace(next, action.kind, now);
    case "finish":
      return finish(next, now);
  }
}

/**
 * Confirms the item on screen and goes on, or says what stands against it (FR-5, FR-8). An item to
 * practise on stays once more, with its reference.
 */
function confirm(session: Session, now: Now): Session {
  if (session.finished) return session;
  if (session.feedback) {
    const there = goTo(session, session.current + 1, now);
    const item = there.workbook.items[there.current]!;
    const total = there.notice || practiceItem(there.config, item.input)
      ? undefined
      : practiceTotal(there);
    return total ? { ...there, notice: { kind: "practice-over", ...total } } : there;
  }
  const { evaluation, input } = session.workbook.items[session.current]!;
  const violations = violationsOf(evaluation, session.config);
  if (violations.length > 0) return { ...session, notice: { kind: "item-invalid", violations } };
  const editCount = evaluation.editCount + (evaluation.committedAt === undefined ? 0 : 1);
  const confirmed = { ...evaluation, committedAt: now.iso, editCount };
  const next = { ...session, typing: undefined, revision: session.revision + 1 };
  const there = withEvaluation(next, session.current, confirmed);
  if (practiceItem(session.config, input)) return { ...there, feedback: true };
  return goTo(there, session.current + 1, now);
}

/** Ends the session, or says which items stand against it and goes to an invalid one (FR-7). */
function finish(session: Session, now: Now): Session {
  const incomplete = indicesWhere(session, isIncomplete);
  const invalid = indicesWhere(session, isInvalid);
  if (incomplete.length + invalid.length === 0) {
    return { ...session, finished: true, typing: undefined };
  }
  const { current } = session;
  const there = invalid.includes(current) ? session : goTo(session, invalid[0] ?? current, now);
  return { ...there, notice: { kind: "not-finished", incomplete, invalid } };
}

/** −1 where none is. */
const firstIncomplete = ({ workbook }: Session): number =>
  workbook.items.findIndex(({ evaluation }) => isIncomplete(evaluation));

/** The first invalid item after the one on screen, then from the start; −1 where none is. */
function nextInvalid(session: Session): number {
  const invalid = indicesWhere(session, isInvalid);
  return invalid.find((index) => index > session.current) ?? invalid[0] ?? -1;
}

function indicesWhere(
  { workbook, config }: Session,
  holds: (evaluation: Evaluation, config: RunConfig) => boolean,
): readonly number[] {
  return [...workbook.items.keys()].filter((at) => holds(workbook.items[at]!.evaluation, config));
}

/** Edits of one field this close join one step of undo: a number typed, arrow keys on a slider. */
const SAME_STEP_MS = 2000;

/** The session with one rating changed in part. */
function rate(
  session: Session,
  translation: number,
  change: Partial<Rating>,
  now: Now,
  isStroke?: boolean,
): Session {
  const { ratings } = session.workbook.items[session.current]!.evaluation;
  const changed = ratings.map((own, it) => it === translation ? { ...own, ...change } : own);
  return edited(
    session,
    { ratings: changed },
    `${Object.keys(change)} ${translation}`,
    now,
    isStroke,
  );
}

/** The translations of an item, 0 … N−1, that read the same as this one; itself is not among them. */
export function sameTexts({ translations }: InputRow, translation: number): readonly number[] {
  const text = translations[translation]?.trim();
  return [...translations.keys()]
    .filter((it) => it !== translation && translations[it]!.trim() === text);
}

/** The session with one rating given to every translation of the same text. */
function rateAlike(session: Session, translation: number, now: Now): Session {
  const { evaluation: { ratings }, input } = session.workbook.items[session.current]!;
  const same = sameTexts(input, translation);
  const alike = ratings.map((own, it) => same.includes(it) ? ratings[translation] ?? own : own);
  return edited(session, { ratings: alike }, `alike ${translation}`, now, true);
}

/** A score as it is stored: no text at all is no score, and what is no number stays text. */
function storedScore(da: Score): Score {
  if (typeof da === "string") return storable(da).trim() || undefined;
  // −0 would come back from a workbook as 0.
  return da === 0 ? 0 : da === undefined || Number.isFinite(da) ? da : String(da);
}

/** Cut where a cell of the workbook ends. */
function storable(text: string): string {
  return canonicalText(canonicalText(text).slice(0, MAX_CELL_LENGTH));
}

/**
 * The session with the item on screen changed, if it is: no longer confirmed, an edit if it was. More
 * typing at once in a field joins its step.
 */
function edited(
  session: Session,
  change: Partial<Pick<Evaluation, "ratings" | "comment">>,
  field: string,
  now: Now,
  isStep = false,
): Session {
  const { current: index, typing, revision } = session;
  const before = session.workbook.items[index]!.evaluation;
  const evaluation = { ...before, ...change };
  if (JSON.stringify(evaluation) === JSON.stringify(before)) return session;
  const goesOn = typing?.field === field && !isStep &&
    Math.abs(now.monotonicMs - typing.lastMs) <= SAME_STEP_MS;
  const next: Session = {
    ...session,
    past: goesOn ? session.past : [...session.past, { index, evaluation: before, field }],
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
 * The session before its last step, or with the step that was undone last made again, at the item of
 * that step. Everything about an item goes back but the time spent on it, and its edits do not fall:
 * to go back behind a confirmation is one (FR-8).
 */
function retrace(session: Session, deed: "undo" | "redo", now: Now): Session {
  const [from, to] = deed === "undo" ? ["past", "future"] as const : ["future", "past"] as const;
  const step = session[from].at(-1);
  if (step === undefined) return session;
  const { index, evaluation, field } = step;
  const replaced = session.workbook.items[index]!.evaluation;
  const { activeSeconds, highlightSeconds, idleSeconds, committedAt } = replaced;
  const times = { activeSeconds, highlightSeconds, idleSeconds };
  const editCount = evaluation.committedAt !== undefined
    ? evaluation.editCount
    : Math.max(evaluation.editCount, replaced.editCount + (committedAt === undefined ? 0 : 1));
  const there = goTo({ ...session, revision: session.revision + 1 }, index, now);
  return {
    ...withEvaluation(there, index, { ...evaluation, editCount, ...times }),
    [from]: session[from].slice(0, -1),
    [to]: [...session[to], { index, evaluation: replaced, field }],
  };
}

/** A gap between two signs of life counts up to this at least (as Pearmut's does). */
const IDLE_CAP_MS = 60_000;

/**
 * Milliseconds that a word takes to be read with care: 180 words a minute, where people read texts
 * silently at 238 (Brysbaert 2019, Journal of Memory and Language 109, 104047).
 */
const MS_PER_WORD = 1000 / 3;

/** The longest gap that counts as work: who reads twelve paragraphs may touch nothing for minutes. */
function longestGap({ config, workbook, current }: Session): number {
  const { source, translations } = workbook.items[current]!.input;
  const words = wordsOf(source, config.sourceLanguage).length +
    translations.reduce((sum, text) => sum + wordsOf(text, config.targetLanguage).length, 0);
  return Math.max(IDLE_CAP_MS, words * MS_PER_WORD);
}

/**
 * The session with the time since the last sign of life counted for the item on screen, and what of it
 * is longer than reading takes as idle. A clock that went back counts nothing, and neither does time
 * while paused or on the completion screen.
 */
function countTime(session: Session, { monotonicMs }: Now): Session {
  const { lastActiveMs, current, clocks, finished } = session;
  const active = { ...session, lastActiveMs: monotonicMs };
  if (lastActiveMs === undefined || finished) return active;
  const since = monotonicMs - lastActiveMs;
  if (!(since > 0)) return active;
  const gap = since <= IDLE_CAP_MS ? since : Math.min(since, longestGap(session));
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
