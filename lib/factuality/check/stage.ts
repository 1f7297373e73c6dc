/** Shared state of an evaluation's stages; calls with retries and time limits. */
import { setImmediate } from "node:timers/promises";
import { withTimeLimit } from "../../models/in_flight.ts";
import { errorWords } from "../component.ts";
import type { EvaluationRequest } from "../types.ts";
import type { EvaluationComponents } from "./components.ts";

/** Clock of an evaluation: the time of day, and monotonic milliseconds. */
export interface EvaluationClock {
  now(): Date;
  milliseconds(): number;
}

/** Shared state of one evaluation's stages. */
export interface EvaluationRun {
  readonly request: EvaluationRequest;
  readonly components: EvaluationComponents;
  readonly clock: EvaluationClock;
  readonly signal: AbortSignal | undefined;
  /** Problems that did not stop the evaluation, in sentences. */
  readonly problems: Set<string>;
  /** Problems that left a part of the evaluation missing. */
  readonly failed: Set<string>;
  /** Receives the progress of a stage. */
  readonly advance: (done: number, total: number) => void;
}

/**
 * Returns the result of `work`, retried where memory was short. After a failure it reports the
 * problem and returns `instead`.
 */
export async function attempt<Result>(
  run: EvaluationRun,
  what: string,
  work: () => Promise<Result>,
  instead: (message: string) => Result,
): Promise<Result> {
  const { components, problems, signal } = run;
  await yieldToEventLoop(signal);
  try {
    return await Promise.try(work).catch(async (error) => {
      signal?.throwIfAborted();
      if (!isMemoryError(error)) throw error;
      await components.clearCaches?.();
      problems.add(`${what} ran out of memory; caches were cleared and it was tried again.`);
      return await work();
    });
  } catch (error) {
    return instead(recordFailure(run, what, error));
  }
}

/** Records a failure in a sentence. @throws the signal's reason on abort. */
export function recordFailure(
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

/** Yields to the event loop, so that Ctrl-C is noticed. @throws the signal's reason on abort. */
export async function yieldToEventLoop(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}

/** Runs `work` in its turn within a time limit in seconds, if any. @throws {TimeLimitError} */
export function withinTimeLimit<Result>(
  { components: { inTurn = (work) => work() }, signal }: EvaluationRun,
  seconds: number | undefined,
  work: (signal?: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return inTurn(() => {
    signal?.throwIfAborted();
    return seconds === undefined ? work(signal) : withTimeLimit(work, seconds, signal);
  });
}

/** Messages of engines, libraries and V8 for insufficient memory. */
const OUT_OF_MEMORY =
  /\bout of memory\b|array buffer allocation failed|invalid (?:array|typed array|string) length|cannot allocate|failed to allocate|bad_alloc|ENOMEM|failed to (?:create|initialize) (?:the )?context|insufficient memory/i;

/** Tests whether an error, or one of its causes, is due to insufficient memory. */
export function isMemoryError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return OUT_OF_MEMORY.test(error.message) || error.cause !== error && isMemoryError(error.cause);
}
