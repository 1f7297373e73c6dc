import type { EvaluationComponents } from "./components.ts";
import type { EvaluationRequest } from "./evaluation.ts";
import { isMemoryError } from "./memory.ts";
import { nextTurn } from "./turn.ts";
import { errorWords, type ProblemLog } from "./problem_log.ts";

/** Time for an evaluation. */
export interface EvaluationClock {
  /** The time of day. */
  now(): Date;
  /** Milliseconds on a clock that only goes forward. */
  milliseconds(): number;
}

/** What the stages of one evaluation share. */
export interface Run {
  readonly request: EvaluationRequest;
  readonly components: EvaluationComponents;
  readonly clock: EvaluationClock;
  readonly signal: AbortSignal | undefined;
  readonly problems: ProblemLog;
}

/**
 * What `work` gives; where it fails the problem is told and `instead` of it is taken. Where memory
 * does not suffice caches are cleared and it is tried once more.
 * @throws the signal's reason when it has aborted.
 */
export async function orElse<Result>(
  { components, problems, signal }: Run,
  what: string,
  work: () => Promise<Result>,
  instead: (message: string) => Result,
): Promise<Result> {
  await nextTurn(signal);
  const attempt = async () => {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (!isMemoryError(error)) throw error;
      await components.clearCaches?.();
      problems.add(`${what} ran out of memory; caches were cleared and it was tried again.`);
      return await work();
    }
  };
  try {
    return await attempt();
  } catch (error) {
    signal?.throwIfAborted();
    const message = `${what} failed: ${errorWords(error)}`;
    problems.add(message);
    return instead(message);
  }
}
