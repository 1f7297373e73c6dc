/** The one way to ask of a model, row by row, what has no answer yet. */
import type { OpenTable } from "./table.ts";

/** Where the asking stands: what earlier runs did is among `done`. */
export interface AskingState {
  readonly done: number;
  readonly total: number;
  /** Questions of this run that got no answer. */
  readonly failed: number;
  /** How many were answered before this run. */
  readonly resumed: number;
}

/** What is asked, of whom, and where the answers go. */
export interface Asking<Question, Row> {
  readonly questions: readonly Question[];
  /** The key of the row that answers a question, as `table.keyOf` gives it. */
  readonly keyOf: (question: Question) => string;
  readonly table: Pick<OpenTable<Row>, "rows" | "put">;
  /** Whether a row answers this very question (commonly by `digestOf`); else it is asked anew. */
  readonly isCurrent?: (row: Row, question: Question) => boolean;
  /** The answer, or undefined where none came: nothing is written then, and the next run asks again. */
  readonly ask: (question: Question, signal: AbortSignal) => Promise<Row | undefined>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (state: AskingState) => void;
  /** Questions under way at a time; one unless told. */
  readonly concurrency?: number | undefined;
  /** An answer waits for those before it, so that rows are in order; an abort loses those. */
  readonly inOrder?: boolean;
}

/** How asking ended. */
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
 * Asks whatever the table has no current answer to, no question twice; each answer is on disk as it
 * comes. Rows of other questions are left alone. An abort ends it: nothing further is asked, and an
 * answer that comes after the abort is not kept.
 * @throws whatever `ask` throws, once what is under way has ended; what was answered stays.
 */
export async function askMissing<Question, Row>(
  asking: Asking<Question, Row>,
): Promise<AskingOutcome<Row>> {
  const { questions, keyOf, table, isCurrent = () => true, ask, onProgress } = asking;
  const { signal = new AbortController().signal, concurrency = 1, inOrder = false } = asking;
  const byKey = Map.groupBy(questions, keyOf);
  const waiting = [...byKey].flatMap(([key, [question]]) => {
    const row = table.rows.get(key);
    return row !== undefined && isCurrent(row, question!) ? [] : [question!];
  });
  const lacking = new Set(waiting.map(keyOf));
  const total = byKey.size;
  const resumed = total - waiting.length;
  let [asked, failed] = [0, 0];
  const failures: unknown[] = [];
  const tell = () => onProgress?.({ done: resumed + asked, total, failed, resumed });
  tell();
  const keep = (row: Row | undefined, place: number) => {
    if (row === undefined) failed += 1;
    else {
      table.put(row);
      lacking.delete(keyOf(waiting[place]!));
      asked += 1;
    }
    tell();
  };
  /** What came of the questions after `kept`, by their places among those that wait. */
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
  const work = async () => {
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
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, work));
  // Behind one that threw; after an abort the next run has them in order.
  if (!signal.aborted) [...held].sort(([a], [b]) => a - b).forEach(([at, row]) => keep(row, at));
  if (failures.length > 0) throw failures[0];
  const rows = questions.map(keyOf).filter((key) => !lacking.has(key))
    .map((key) => table.rows.get(key)!);
  return { asked, failed, missing: lacking.size, rows };
}
