/** What the stages of an evaluation share, and how each calls a component. */
import { setImmediate } from "node:timers/promises";
import { withTimeLimit } from "../../models/in_flight.ts";
import { errorWords } from "../component.ts";
import type { EvaluationRequest } from "../types.ts";
import type { EvaluationComponents } from "./components.ts";

/** Time for an evaluation: the time of day, and milliseconds on a clock that only goes forward. */
export interface EvaluationClock {
  now(): Date;
  milliseconds(): number;
}

/** What the stages of one evaluation share. */
export interface EvaluationRun {
  readonly request: EvaluationRequest;
  readonly components: EvaluationComponents;
  readonly clock: EvaluationClock;
  readonly signal: AbortSignal | undefined;
  /** What went wrong and was passed over, in sentences. */
  readonly problems: Set<string>;
  /** Those of them for which a part of the evaluation is missing. */
  readonly failed: Set<string>;
  /** Told how far a stage is. */
  readonly advance: (done: number, total: number) => void;
}

/** The result of `work`, tried again where memory was short; else `instead`, the problem reported. */
export async function attempt<Result>(
  run: EvaluationRun,
  what: string,
  work: () => Promise<Result>,
  instead: (message: string) => Result,
): Promise<Result> {
  const { components, problems, signal } = run;
  await nextTurn(signal);
  try {
    return await Promise.try(work).catch(async (error) => {
      signal?.throwIfAborted();
      if (!isMemoryError(error)) throw error;
      await components.clearCaches?.();
      problems.add(`${what} ran out of memory; caches were cleared and it was tried again.`);
      return await work();
    });
  } catch (error) {
    return instead(failure(run, what, error));
  }
}

/** Notes what failed, in a sentence. @throws the signal's reason on abort. */
export function failure(
  { problems, failed, signal }: EvaluationRun,
  what: string,
  error: unknown,
): string {
  signal?.throwIfAborted();
  const message = `${what} failed: ${errorWords(error)}`;
  problems.add(message);
  failed.add(message);
  return message;
}

/** Waits for the event loop, so that Ctrl-C is noticed. @throws the signal's reason on abort. */
export async function nextTurn(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}

/** The result of `work` in its turn, within the seconds of a limit if any. @throws {TimeLimitError} */
export function within<Result>(
  { components: { inTurn = (work) => work() }, signal }: EvaluationRun,
  seconds: number | undefined,
  work: (signal?: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return inTurn(() => {
    signal?.throwIfAborted();
    return seconds === undefined ? work(signal) : withTimeLimit(work, seconds, signal);
  });
}

/** What engines, libraries and V8 say when memory does not suffice. */
const OUT_OF_MEMORY =
  /\bout of memory\b|array buffer allocation failed|invalid (?:array|typed array|string) length|cannot allocate|failed to allocate|bad_alloc|ENOMEM|failed to (?:create|initialize) (?:the )?context|insufficient memory/i;

/** Whether an error, or one of its causes, says that memory does not suffice. */
export function isMemoryError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return OUT_OF_MEMORY.test(error.message) || error.cause !== error && isMemoryError(error.cause);
}
