import { type ChatModel, ModelUnavailable, type Reply } from "../models/model.ts";
import type { PlannedCall } from "./evaluation_plan.ts";
import type {
  EvaluationProgress,
  FailedCall,
  ModelReport,
  PartEnded,
} from "./evaluation_report.ts";
import { eachInFlight } from "../models/in_flight.ts";
import { type InvalidAnswer, judgeReply, type Response } from "./responses.ts";

/** Calls of a model that may fail one after the other before it is asked no more. */
export const FAILURES_IN_A_ROW = 10;

/** One model's part of a run. */
export interface EvaluationPart {
  readonly model: ChatModel;
  /** Its questions that have no answer yet. */
  readonly calls: readonly PlannedCall[];
  /** Its questions that have one. */
  readonly kept: number;
  readonly signal: AbortSignal;
  readonly failuresInARow: number;
  /** Keeps an answer, at once and whole. */
  readonly keep: (
    judged: { readonly response: Response; readonly invalid?: InvalidAnswer },
  ) => void;
  readonly onCall: (call: PlannedCall, outcome: EvaluationProgress["outcome"]) => void;
}

/**
 * Asks one model its questions, as many at once as it allows. Ends early on an abort, where no
 * answer can be had for now, and where call after call fails, in order of arrival: whatever is
 * wrong then, thousands of calls more would not mend it.
 */
export async function askPart(part: EvaluationPart): Promise<ModelReport> {
  const { model, calls, kept, signal } = part;
  const failed: FailedCall[] = [];
  const tally = { answered: 0, invalid: 0, inARow: 0 };
  let ended: PartEnded | undefined;
  await eachInFlight(calls, model.concurrency ?? 1, async (call) => {
    const outcome = await ask(call, signal);
    if (outcome.kind === "aborted") return false;
    if (outcome.kind === "unavailable") {
      ended ??= describeUnavailable(outcome.error);
      return false;
    }
    if (outcome.kind === "failure") {
      failed.push({ ...call.question, message: outcome.message });
      tally.inARow += 1;
      if (tally.inARow >= part.failuresInARow) ended ??= describeFailing(tally.inARow, outcome);
      part.onCall(call, "failed");
    } else {
      const judged = judgeReply(call.question, outcome);
      part.keep(judged);
      tally.answered += 1;
      tally.invalid += judged.invalid ? 1 : 0;
      tally.inARow = 0;
      part.onCall(call, judged.invalid ? "invalid" : "valid");
    }
    return ended === undefined;
  });
  const { answered, invalid } = tally;
  const missing = calls.length - answered;
  const report = { model: model.name, answered, kept, invalid, failed, missing };
  return ended === undefined ? report : { ...report, ended };
}

type Outcome =
  | Reply
  | { readonly kind: "unavailable"; readonly error: ModelUnavailable }
  | { readonly kind: "aborted" };

/** What an abort cut off is no failure, whatever the model made of it. */
async function ask({ model, prompt }: PlannedCall, signal: AbortSignal): Promise<Outcome> {
  if (signal.aborted) return { kind: "aborted" };
  try {
    const reply = await model.ask(prompt, { signal });
    return signal.aborted && reply.kind === "failure" ? { kind: "aborted" } : reply;
  } catch (error) {
    if (signal.aborted) return { kind: "aborted" };
    if (error instanceof ModelUnavailable) return { kind: "unavailable", error };
    throw error;
  }
}

function describeUnavailable({ message, returns }: ModelUnavailable): PartEnded {
  return { kind: "unavailable", message, ...(returns ? { returns } : {}) };
}

function describeFailing(count: number, { message }: { readonly message: string }): PartEnded {
  return {
    kind: "failing",
    message: `${count} calls in a row failed, the last one with: ${message} ` +
      "What was answered is kept; look after the cause, then run again.",
  };
}
