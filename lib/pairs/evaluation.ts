import { openKeyedTable } from "./keyed_table.ts";
import type { ChatModel } from "../models/model.ts";
import { askPart, FAILURES_IN_A_ROW } from "./evaluation_part.ts";
import { type EvaluationPlan, planEvaluation } from "./evaluation_plan.ts";
import { type EvaluationProgress, type EvaluationReport, reportOf } from "./evaluation_report.ts";
import { eachInFlight } from "../models/in_flight.ts";
import type { OrderPlan } from "./order_plan.ts";
import type { MinimalPair } from "./pair.ts";
import { recordOnAnswer } from "./record_on_answer.ts";
import { compareQuestions, INVALID_TABLE, questionKey, RESPONSE_TABLE } from "./responses.ts";

export interface ForcedChoiceOptions {
  readonly pairs: readonly MinimalPair[];
  readonly models: readonly ChatModel[];
  /** With the places {sentence1} and {sentence2}; see `forcedChoiceTemplate`. */
  readonly template: string;
  /** Every pair in both orders unless told. */
  readonly orders?: OrderPlan;
  /**
   * Models whose answers are compared with these: of those on record they must have been asked
   * alike. All on record unless told.
   */
  readonly comparedWith?: readonly string[];
  /** `evaluation_results.csv` */
  readonly resultsPath: string;
  /** `invalid_answers.csv`: the text of every answer that chose nothing. */
  readonly invalidLogPath: string;
  /** `evaluation_settings.json`: what the results depend on, by model that answered. */
  readonly settingsPath: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: EvaluationProgress) => void;
  /** Calls of one model that may fail in a row before it is asked no more; 10 unless told. */
  readonly failuresInARow?: number;
}

/**
 * Asks every model about every pair in the orders planned, models side by side and each with as
 * many calls in flight as it allows, and appends each response as it comes. Resuming skips what is
 * answered. An invalid answer is a row (INVALID, False) with its text in the log; a failed call is
 * none. A model of which no answer can be had ends its own part only. An abort leaves whole lines,
 * and whatever the order of arrival, a finished run has the same bytes.
 *
 * Before anything is written or asked it throws SyntaxError for wrong columns, RangeError for
 * models of one name or of different generation settings, and Error for results with other settings.
 */
export async function evaluateForcedChoice(
  options: ForcedChoiceOptions,
): Promise<EvaluationReport> {
  const plan = planEvaluation(options);
  const record = recordOnAnswer(options.settingsPath, plan.records);
  using log = openKeyedTable(options.invalidLogPath, INVALID_TABLE);
  using results = openKeyedTable(options.resultsPath, RESPONSE_TABLE);
  const models = await askAll(options, plan, ({ response, invalid }) => {
    // A row must never stand without its model's record, a row INVALID never without its text.
    record(response.model);
    if (invalid) log.put(invalid);
    results.put(response);
  });
  const compare = compareQuestions(options.pairs.map(({ id }) => id));
  // A text whose row a killed run did not write, and that was answered otherwise since.
  log.finish(compare, (entry) => results.rows.get(questionKey(entry))?.response === "INVALID");
  results.finish(compare);
  return reportOf(models, results.damaged);
}

/** All models side by side; an error that is no answer of a model stops them all. */
async function askAll(
  { models, signal, onProgress, failuresInARow = FAILURES_IN_A_ROW }: ForcedChoiceOptions,
  { calls, answered }: EvaluationPlan,
  keep: Parameters<typeof askPart>[0]["keep"],
) {
  const broken = new AbortController();
  const stopped = signal ? AbortSignal.any([signal, broken.signal]) : broken.signal;
  let done = answered.size;
  const parts = models.map((model) => {
    const own = calls.filter((call) => call.model === model);
    const open = own.filter(({ question }) => !answered.has(questionKey(question)));
    return { model, calls: open, kept: own.length - open.length };
  });
  const reports = new Map<ChatModel, Awaited<ReturnType<typeof askPart>>>();
  await eachInFlight(parts, Math.max(1, parts.length), async (part) => {
    try {
      const onCall: Parameters<typeof askPart>[0]["onCall"] = ({ question }, outcome) =>
        onProgress?.({ question, outcome, done: ++done, total: calls.length });
      const own = { ...part, signal: stopped, failuresInARow, keep, onCall };
      reports.set(part.model, await askPart(own));
      return true;
    } catch (error) {
      broken.abort();
      throw error;
    }
  });
  return models.flatMap((model) => reports.get(model) ?? []);
}
