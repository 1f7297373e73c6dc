/** Asks models for missing answers: hashes of questions, planning of a run, and asking. */
import { sha256Hex } from "./atomic.ts";
import type { OpenTable } from "./table.ts";

/** Settings of a component: a model, verifier or judge. */
export type Settings = Readonly<Record<string, string | number | boolean>>;

/**
 * Settings that cannot change an answer: machine, engine, speed, time limits, licence.
 *
 * All others count, so that an unknown setting makes answers outdated rather than wrong. `refused`
 * (parameters that a server rejects) follows from the others.
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
 * Tests whether a setting can change an answer. Prefixes are ignored: `verifier.threads` is
 * `threads`.
 */
const isAsked = (key: string) => !NOT_ASKED.has(key.slice(key.lastIndexOf(".") + 1));

/** Returns the settings that can change an answer. */
export const askedSettings = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([key]) => isAsked(key)));

/**
 * Returns the hash of a question or a part of it: the first 12 hexadecimal digits of its SHA-256.
 *
 * The order of settings has no effect. Settings that cannot change an answer are ignored at any
 * depth. 48 bits distinguish a million questions.
 * @param asked A text, or any JSON value.
 */
export function addressOf(asked: unknown): string {
  const counted = inOrder(asked);
  return sha256Hex(typeof counted === "string" ? counted : JSON.stringify(counted)).slice(0, 12);
}

/** Copies a value with sorted object keys, without settings that are ignored. */
function inOrder(asked: unknown): unknown {
  if (Array.isArray(asked)) return asked.map(inOrder);
  if (typeof asked !== "object" || asked === null) return asked;
  return Object.entries(asked)
    .filter(([key, value]) => value !== undefined && isAsked(key))
    .sort(([one], [other]) => one < other ? -1 : 1)
    .map(([key, value]) => [key, inOrder(value)]);
}

/** Planned questions of a run with current answers and missing ones. */
export interface Work<Question, Row> {
  readonly planned: readonly Question[];
  /** Current answers by key, including new ones. */
  readonly kept: ReadonlyMap<string, Row>;
  /** Questions without a current answer by key, in the planned order. */
  readonly missing: ReadonlyMap<string, Question>;
  readonly keyOf: (question: Question) => string;
  /** Failures of this run by key. */
  readonly failures: ReadonlyMap<string, AskingFailure>;
  /** Records the answer to the question with this key. */
  keep(key: string, row: Row): void;
  /** Records a failure. If it is permanent, the question no longer counts as missing. */
  fail(key: string, failure: AskingFailure): void;
  /** Compares the questions with the rows again, once the models' settings are known. */
  compare(rows: ReadonlyMap<string, Row>, isCurrent: IsCurrent<Question, Row>): void;
  /** Returns the work for selected questions. Its new answers are also recorded here. */
  within(isWanted: (question: Question) => boolean): Work<Question, Row>;
}

/** Reason for a missing answer, and whether a later run may get one. */
export interface AskingFailure {
  readonly message: string;
  readonly mayPass: boolean;
}

/** Tests whether a row answers the current form of a question, by hash. */
type IsCurrent<Question, Row> = (row: Row, question: Question) => boolean;

/** Planned questions and the rows so far. */
export interface Plan<Question, Row> {
  readonly questions: readonly Question[];
  /** Returns the key of the row that answers a question, as `table.keyOf` does. */
  readonly keyOf: (question: Question) => string;
  readonly rows: ReadonlyMap<string, Row>;
  /** Test for current rows; all rows are current by default. */
  readonly isCurrent?: IsCurrent<Question, Row> | undefined;
}

/**
 * Compares planned questions with existing rows, once per run.
 *
 * The result is shared by all readers of the plan, progress and asking.
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

/** Progress of asking. `done` includes answers of earlier runs. */
export interface AskingState {
  readonly done: number;
  readonly total: number;
  /** Number of questions that failed in this run. */
  readonly failed: number;
  /** Number of questions answered before this run. */
  readonly resumed: number;
}

/** Function that asks, options of asking, and table of answers. */
interface AskingHow<Question, Row> {
  readonly table: Pick<OpenTable<Row>, "rows" | "put">;
  /**
   * Returns the answer, or undefined for none. Then nothing is written, and the next run asks
   * again.
   */
  readonly ask: (question: Question, signal: AbortSignal) => Promise<Row | undefined>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (state: AskingState) => void;
  /** Maximum number of concurrent questions; 1 by default. */
  readonly concurrency?: number | undefined;
  /**
   * True to write answers in the order of the questions. An abort then loses answers that wait for
   * earlier ones.
   */
  readonly inOrder?: boolean;
}

/** Asking with questions that are compared with the table's rows at the start. */
export type Asking<Question, Row> =
  & AskingHow<Question, Row>
  & Omit<Plan<Question, Row>, "rows">;

/** Asking with previously planned work. */
type AskingOfWork<Question, Row> =
  & AskingHow<Question, Row>
  & { readonly work: Work<Question, Row> };

/** Outcome of asking. */
interface AskingOutcome<Row> {
  /** Number of questions answered in this run. */
  readonly asked: number;
  /** Number of questions that failed in this run. */
  readonly failed: number;
  /** Number of questions without a current answer: failed, or not asked before the abort. */
  readonly missing: number;
  /** Current answers in the order of their questions. */
  readonly rows: readonly Row[];
}

/**
 * Asks every question without a current answer once, and writes each answer at once.
 *
 * Rows of other questions are kept. After an abort nothing more is asked, and later answers are
 * dropped. @throws errors of `ask` after all running calls have ended; answers so far are kept.
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
  /** Answers that wait for earlier ones, by index among the missing questions. */
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
