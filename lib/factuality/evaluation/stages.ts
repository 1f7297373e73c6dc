import type { EvaluationClock } from "./run.ts";

/** Where an evaluation stands. */
export type EvaluationStage =
  | "splitting"
  | "retrieval"
  | "verification"
  | "consistency"
  | "judging"
  | "report";

/** Stages done one after another, and how long each took. */
export interface Stages {
  /** Does the work of a stage. Throws the signal's reason, before it, when that has aborted. */
  run<Result>(stage: EvaluationStage, work: () => Promise<Result>): Promise<Result>;
  /** Milliseconds of a stage, 0 for one that was not run. */
  milliseconds(stage: EvaluationStage): number;
  /** Milliseconds since the beginning. */
  total(): number;
}

/** Begins now; `onStage` is told as each stage begins, so that a failure can be placed. */
export function openStages(
  clock: EvaluationClock,
  signal: AbortSignal | undefined,
  onStage: (stage: EvaluationStage) => void,
): Stages {
  const begun = clock.milliseconds();
  const took = new Map<EvaluationStage, number>();
  return {
    async run(stage, work) {
      signal?.throwIfAborted();
      onStage(stage);
      const started = clock.milliseconds();
      const result = await work();
      took.set(stage, clock.milliseconds() - started);
      return result;
    },
    milliseconds: (stage) => took.get(stage) ?? 0,
    total: () => clock.milliseconds() - begun,
  };
}
