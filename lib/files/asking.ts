/**
 * Asking models, row by row: the address of an answer, the work of a run, and the asking of what is
 * missing.
 */
import { sha256Hex } from "./atomic.ts";
import type { OpenTable } from "./table.ts";

/** Settings by which a model, verifier, judge or other component is described. */
export type Settings = Readonly<Record<string, string | number | boolean>>;

/**
 * Settings that cannot change an answer: machine, engine, speed, time limits, licence.
 *
 * Everything else counts, so that an unforeseen setting makes answers stale rather than wrong.
 * `refused`, the extras that a server refuses, follows from the rest.
 */
const NOT_ASKED: ReadonlySet<string> = new Set([
  "engine",
  "access",
  "threads",
  "batchTokens",
  "sharedTexts",
  "sharedTokens",
  "timeoutSeconds",
  "refused",
  "licence",
  "calibratedOn",
]);

/**
 * Returns true if a setting can change an answer. `verifier.threads` is the `threads` of a
 * verifier.
 */
const isAsked = (key: string) => !NOT_ASKED.has(key.slice(key.lastIndexOf(".") + 1));

/** Returns the settings that can change an answer. */
export const askedSettings = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([key]) => isAsked(key)));

/**
 * Returns the address of an answer, or a part of it: 12 hexadecimal digits of a SHA-256.
 *
 * Settings may be in any order; those that cannot change an answer do not count, at any depth. 48
 * bits distinguish a million questions. @param asked A text, or any JSON value.
 */
export function addressOf(asked: unknown): string {
  const counted = inOrder(asked);
  return sha256Hex(typeof counted === "string" ? counted : JSON.stringify(counted)).slice(0, 12);
}

/** Copies content with object keys in code-unit order, without settings that do not count. */
function inOrder(asked: unknown): unknown {
  if (Array.isArray(asked)) return asked.map(inOrder);
  if (typeof asked !== "object" || asked === null) return asked;
  return Object.entries(asked)
    .filter(([key, value]) => value !== undefined && isAsked(key))
    .sort(([one], [other]) => one < other ? -1 : 1)
    .map(([key, value]) => [key, inOrder(value)]);
}

/** Questions of a run: each planned one, its current answer or its absence. */
export interface Work<Question, Row> {
  readonly planned: readonly Question[];
  /** Current answers by key; grows as answers come. */
  readonly kept: ReadonlyMap<string, Row>;
  /** Questions without a current answer by key, in the order planned; shrinks as answers come. */
  readonly missing: ReadonlyMap<string, Question>;
  readonly keyOf: (question: Question) => string;
  /** Reason for each question that got no answer in this run, by key. */
  readonly failures: ReadonlyMap<string, AskingFailure>;
  /** Notes the answer to the question of this key. */
  keep(key: string, row: Row): void;
  /** Notes that the question of this key got none; one that no run can answer is missing no more. */
  fail(key: string, failure: AskingFailure): void;
  /** Compares the questions with the rows again, once the models' settings are known. */
  compare(rows: ReadonlyMap<string, Row>, isCurrent: IsCurrent<Question, Row>): void;
  /** Returns the part of the work that is wanted; answers put there count here too. */
  within(isWanted: (question: Question) => boolean): Work<Question, Row>;
}

/** Reason for a missing answer, and whether a later run may get one. */
export interface AskingFailure {
  readonly message: string;
  readonly mayPass: boolean;
}

/** Returns true if a row answers the question as asked now, by their addresses. */
type IsCurrent<Question, Row> = (row: Row, question: Question) => boolean;

/** Planned questions and the rows so far. */
export interface Plan<Question, Row> {
  readonly questions: readonly Question[];
  /** Key of the row that answers a question, as `table.keyOf` gives it. */
  readonly keyOf: (question: Question) => string;
  readonly rows: ReadonlyMap<string, Row>;
  /** By default every row counts. */
  readonly isCurrent?: IsCurrent<Question, Row> | undefined;
}

/**
 * Compares planned questions with the rows so far, once per run.
 *
 * Every reader of the plan, its progress and its asking shares the result.
 */
export function planWork<Question, Row>(
  { questions, keyOf, rows: found, isCurrent: isOfNow = () => true }: Plan<Question, Row>,
  above?: Pick<Work<Question, Row>, "keep" | "fail">,
): Work<Question, Row> {
  const planned = new Map<string, Question>();
  for (const question of questions) planned.getOrInsert(keyOf(question), question);
  const kept = new Map<string, Row>();
  const missing = new Map<string, Question>();
  const failures = new Map<string, AskingFailure>();
  const compare: Work<Question, Row>["compare"] = (rows, isCurrent) => {
    kept.clear();
    missing.clear();
    failures.clear();
    for (const [key, question] of planned) {
      const row = rows.get(key);
      if (row !== undefined && isCurrent(row, question)) kept.set(key, row);
      else missing.set(key, question);
    }
  };
  compare(found, isOfNow);
  const keep = (key: string, row: Row) => {
    kept.set(key, row);
    missing.delete(key);
    failures.delete(key);
    above?.keep(key, row);
  };
  const fail: Work<Question, Row>["fail"] = (key, failure) => {
    failures.set(key, failure);
    if (!failure.mayPass) missing.delete(key);
    above?.fail(key, failure);
  };
  const within: Work<Question, Row>["within"] = (isWanted) =>
    planWork({ questions: [...planned.values()].filter(isWanted), keyOf, rows: kept }, {
      keep,
      fail,
    });
  const rest = { keyOf, keep, fail, compare, within };
  return { planned: [...planned.values()], kept, missing, failures, ...rest };
}

/** Progress of asking; answers of earlier runs are among `done`. */
export interface AskingState {
  readonly done: number;
  readonly total: number;
  /** Questions of this run that got no answer. */
  readonly failed: number;
  /** Number of questions answered before this run. */
  readonly resumed: number;
}

/** The party asked, the way of asking, and the table of answers. */
interface AskingHow<Question, Row> {
  readonly table: Pick<OpenTable<Row>, "rows" | "put">;
  /** The answer, or undefined where none came: nothing is written then, and the next run asks again. */
  readonly ask: (question: Question, signal: AbortSignal) => Promise<Row | undefined>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (state: AskingState) => void;
  /** Questions in flight at a time; one by default. */
  readonly concurrency?: number | undefined;
  /**
   * True to hold an answer back until those before it are written: rows stay in order; an abort
   * loses those held.
   */
  readonly inOrder?: boolean;
}

/** Questions that are compared with the table's rows as the asking begins. */
export type Asking<Question, Row> =
  & AskingHow<Question, Row>
  & Omit<Plan<Question, Row>, "rows">;

/** The work of a run, planned before. */
type AskingOfWork<Question, Row> =
  & AskingHow<Question, Row>
  & { readonly work: Work<Question, Row> };

/** Outcome of asking. */
interface AskingOutcome<Row> {
  /** Answered in this run. */
  readonly asked: number;
  /** Asked without an answer. */
  readonly failed: number;
  /** Questions without a current answer now: failed, or not reached before the signal. */
  readonly missing: number;
  /** The current answers, in the order of their questions. */
  readonly rows: readonly Row[];
}

/**
 * Asks every question without a current answer, none twice; each answer is on disk at once.
 *
 * Rows of other questions are left alone. An abort ends it: nothing further is asked, and an answer
 * that comes after the abort is not kept. @throws any error of `ask`, once calls under way have
 * ended; given answers stay.
 */
export async function askMissing<Question, Row>(
  asking: Asking<Question, Row> | AskingOfWork<Question, Row>,
): Promise<AskingOutcome<Row>> {
  const { table, ask, onProgress } = asking;
  const { signal = new AbortController().signal, concurrency = 1, inOrder = false } = asking;
  const work = "work" in asking ? asking.work : planWork({ ...asking, rows: table.rows });
  const { keyOf } = work;
  const questions = "work" in asking ? work.planned : asking.questions;
  const waiting = [...work.missing.values()];
  const total = work.planned.length;
  const resumed = total - waiting.length;
  let [asked, failed] = [0, 0];
  const failures: unknown[] = [];
  const report = () => onProgress?.({ done: resumed + asked, total, failed, resumed });
  report();
  const keep = (row: Row | undefined, place: number) => {
    if (row === undefined) failed += 1;
    else {
      table.put(row);
      work.keep(keyOf(waiting[place]!), row);
      asked += 1;
    }
    report();
  };
  /** Outcomes of questions after `kept`, by their index among those that wait. */
  const held = new Map<number, Row | undefined>();
  let [begun, kept] = [0, 0];
  const settle = (place: number, row: Row | undefined) => {
    if (!inOrder) return keep(row, place);
    held.set(place, row);
    for (; held.has(kept); kept++) {
      keep(held.get(kept), kept);
      held.delete(kept);
    }
  };
  const askOn = async () => {
    while (!signal.aborted && failures.length === 0) {
      const place = begun++;
      const question = waiting[place];
      if (question === undefined) return;
      try {
        const row = await ask(question, signal);
        if (signal.aborted) return;
        settle(place, row);
      } catch (error) {
        if (!signal.aborted) failures.push(error);
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, askOn));
  // Behind one that threw; after an abort the next run has them in order.
  if (!signal.aborted) [...held].sort(([a], [b]) => a - b).forEach(([at, row]) => keep(row, at));
  if (failures.length > 0) throw failures[0];
  const rows = questions.flatMap((question) => work.kept.get(keyOf(question)) ?? []);
  return { asked, failed, missing: work.missing.size, rows };
}
