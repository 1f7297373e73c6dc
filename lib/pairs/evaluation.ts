import type { DamagedLine } from "../files/csv.ts";
import type { ChatModel, Reply } from "../models/model.ts";
import { planEvaluation, type PlannedCall } from "./evaluation_plan.ts";
import { type Order, ORDERS } from "./forced_choice.ts";
import { openKeyedTable } from "./keyed_table.ts";
import type { MinimalPair } from "./pair.ts";
import {
  compareQuestions,
  INVALID_TABLE,
  judgeReply,
  type Question,
  questionKey,
  RESPONSE_TABLE,
} from "./responses.ts";
import { writeRunSettings } from "./run_settings.ts";

export interface ForcedChoiceOptions {
  readonly pairs: readonly MinimalPair[];
  readonly models: readonly ChatModel[];
  /** With the places {sentence1} and {sentence2}; see `forcedChoiceTemplate`. */
  readonly template: string;
  /** Both orders unless told. */
  readonly orders?: readonly Order[];
  /** `evaluation_results.csv` */
  readonly resultsPath: string;
  /** `invalid_answers.csv`: the text of every answer that chose nothing. */
  readonly invalidLogPath: string;
  /** `evaluation_settings.json`: what the results depend on, by model. */
  readonly settingsPath: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: EvaluationProgress) => void;
}

export interface EvaluationProgress {
  readonly question: Question;
  /** Questions passed: answered now or before, or failed. */
  readonly done: number;
  readonly total: number;
}

/** A call that gave no answer: it left no row, the next run asks again. */
export interface FailedCall extends Question {
  readonly message: string;
}

export interface EvaluationReport {
  /** Questions answered now, invalid answers among them. */
  readonly answered: number;
  /** Answers that stood there already. */
  readonly kept: number;
  /** Invalid ones among those answered now. */
  readonly invalid: number;
  readonly failed: readonly FailedCall[];
  /** Questions without an answer: failed, or not reached before an abort. */
  readonly missing: number;
  /** Lines of the results that were set aside; their questions were asked again. */
  readonly damaged: readonly DamagedLine[];
}

/**
 * Asks every model about every pair in every order, one call after the other, and appends each
 * response at once. Resuming skips what is answered. An invalid answer is a row (INVALID, False)
 * with its text in the log; a failed call is none. An abort leaves whole lines.
 *
 * Before anything is written or asked it throws SyntaxError for wrong columns, RangeError for
 * models of one name or of different generation settings, and Error for results with other settings.
 */
export async function evaluateForcedChoice(
  options: ForcedChoiceOptions,
): Promise<EvaluationReport> {
  const { pairs, orders = ORDERS, signal, onProgress } = options;
  const { calls, answered, records } = planEvaluation({ ...options, orders });
  writeRunSettings(options.settingsPath, records);
  using log = openKeyedTable(options.invalidLogPath, INVALID_TABLE);
  using results = openKeyedTable(options.resultsPath, RESPONSE_TABLE);
  const failed: FailedCall[] = [];
  const tally = { answered: 0, invalid: 0 };
  for (const [index, call] of calls.entries()) {
    const { question } = call;
    if (!answered.has(questionKey(question))) {
      const reply = await ask(call, signal);
      if (reply === "aborted") break;
      if (reply.kind === "failure") failed.push({ ...question, message: reply.message });
      else {
        const { response, invalid } = judgeReply(question, reply);
        // The text first: a row INVALID must never stand without it.
        if (invalid) log.put(invalid);
        results.put(response);
        tally.answered += 1;
        tally.invalid += invalid ? 1 : 0;
      }
    }
    onProgress?.({ question, done: index + 1, total: calls.length });
  }
  const compare = compareQuestions(pairs.map(({ id }) => id));
  // A text whose row a killed run did not write, and that was answered otherwise since.
  log.finish(compare, (entry) => results.rows.get(questionKey(entry))?.response === "INVALID");
  results.finish(compare);
  const missing = calls.length - answered.size - tally.answered;
  return { ...tally, kept: answered.size, failed, missing, damaged: results.damaged };
}

/** The reply, or "aborted" where the signal came first: what an abort cut off is no failure. */
async function ask(
  { model, prompt }: PlannedCall,
  signal: AbortSignal | undefined,
): Promise<Reply | "aborted"> {
  if (signal?.aborted) return "aborted";
  try {
    const reply = await model.ask(prompt, signal ? { signal } : {});
    return signal?.aborted && reply.kind === "failure" ? "aborted" : reply;
  } catch (error) {
    if (signal?.aborted) return "aborted";
    throw error;
  }
}
