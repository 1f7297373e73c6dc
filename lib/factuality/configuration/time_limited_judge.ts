import { TimeLimitError, withTimeLimit } from "../../models/hosted/time_limit.ts";
import type { Judge } from "../judges/judgement.ts";

/**
 * A judge whose answers must come in time. What is read from probabilities is there as a whole or not
 * at all: there is no partial answer. An engine in this process first ends what it has begun.
 */
export function timeLimitedJudge(
  judge: Judge,
  seconds: number,
  modelSha256: string | undefined,
): Judge {
  return {
    ...judge,
    settings: { ...judge.settings, timeoutSeconds: seconds },
    async judge(task, { signal } = {}) {
      const work = (limit: AbortSignal) => judge.judge(task, { signal: limit });
      try {
        return await withTimeLimit(work, seconds, signal);
      } catch (error) {
        if (!(error instanceof TimeLimitError)) throw error;
        return {
          kind: "unscored",
          reason: "time-out",
          message: `No whole answer within ${seconds} s.`,
          partialText: undefined,
          provenance: { producedBy: judge.name, modelSha256, promptSha256: undefined },
        };
      }
    },
  };
}
