import { eachInFlight } from "../../models/in_flight.ts";
import type { Evaluation, EvaluationRequest } from "../evaluation/evaluation.ts";

/** What a batch is run with. */
export interface BatchRun {
  readonly requests: readonly EvaluationRequest[];
  /** Ids that an earlier run has done. */
  readonly done: ReadonlySet<string>;
  /** Requests under way at once, ≥ 1; 1 is one after another. */
  readonly concurrency: number;
  readonly signal?: AbortSignal;
  evaluate(request: EvaluationRequest): Promise<Evaluation>;
  /** Keeps a result. What it throws ends the batch, for then results would be lost. */
  readonly onResult: (evaluation: Evaluation) => void;
  /** Logs a request that failed; the others go on. What it throws ends the batch. */
  readonly onFailure: (request: EvaluationRequest, error: unknown) => void;
}

/** How a batch ended. */
export interface BatchEnd {
  readonly evaluated: number;
  readonly failed: number;
  /** Done by an earlier run. */
  readonly resumed: number;
  /** Ended by its signal; what was not begun is left for the next run. */
  readonly stopped: boolean;
}

/** Evaluates what has no result yet. A request that fails costs no other. */
export async function runBatch(run: BatchRun): Promise<BatchEnd> {
  const { requests, done, concurrency, signal } = run;
  const left = requests.filter(({ id }) => !done.has(id));
  let [evaluated, failed] = [0, 0];
  await eachInFlight(left, concurrency, async (request) => {
    const outcome = await outcomeOf(run, request);
    if (outcome === "stopped") return false;
    if (outcome.kind === "failure") {
      run.onFailure(request, outcome.error);
      failed += 1;
    } else {
      run.onResult(outcome.evaluation);
      evaluated += 1;
    }
    return true;
  });
  const stopped = signal?.aborted === true && evaluated + failed < left.length;
  return { evaluated, failed, resumed: requests.length - left.length, stopped };
}

type Outcome =
  | "stopped"
  | { readonly kind: "result"; readonly evaluation: Evaluation }
  | { readonly kind: "failure"; readonly error: unknown };

/** An evaluation that was finished is kept, even when the signal came while it was. */
async function outcomeOf(
  { signal, evaluate }: BatchRun,
  request: EvaluationRequest,
): Promise<Outcome> {
  if (signal?.aborted) return "stopped";
  try {
    return { kind: "result", evaluation: await evaluate(request) };
  } catch (error) {
    return signal?.aborted ? "stopped" : { kind: "failure", error };
  }
}
