import { join } from "node:path";
import { groqModel } from "../../lib/models/hosted/groq_model.ts";
import { type KeyedCallsOptions, openKeyedCalls } from "../../lib/models/hosted/keyed_calls.ts";
import { evaluateForcedChoice, type ForcedChoiceOptions } from "../../lib/pairs/evaluation.ts";
import type { EvaluationReport } from "../../lib/pairs/evaluation_report.ts";
import { GENERATION, KEYS, MODELS, pairsOf, TEMPLATE } from "./setting.ts";
import { BACKOFF_SECONDS, TIMEOUT_SECONDS } from "./timing.ts";

/** Where a run writes and whom it asks. */
export interface RunPlace {
  readonly folder: string;
  readonly baseUrl: string;
  readonly pairs: number;
}

export interface RunOptions {
  readonly calls?: KeyedCallsOptions;
  readonly keys?: typeof KEYS;
  readonly models?: typeof MODELS;
  readonly evaluation?: Pick<ForcedChoiceOptions, "signal" | "failuresInARow">;
}

export const resultsPath = (folder: string) => join(folder, "evaluation_results.csv");
export const invalidPath = (folder: string) => join(folder, "invalid_answers.csv");

/** One run of the whole real path: evaluation, key ring, groq-sdk, a connection. It resumes. */
export async function evaluateOnce(
  { folder, baseUrl, pairs }: RunPlace,
  { calls: callOptions = {}, keys = KEYS, models = MODELS, evaluation = {} }: RunOptions = {},
): Promise<EvaluationReport> {
  using calls = openKeyedCalls(keys, {
    timeoutSeconds: TIMEOUT_SECONDS,
    backoffSeconds: BACKOFF_SECONDS,
    usagePath: join(folder, "usage.json"),
    ...callOptions,
  });
  return await evaluateForcedChoice({
    pairs: pairsOf(pairs),
    models: models.map((entry) => groqModel(entry, GENERATION, { calls, baseUrl })),
    template: TEMPLATE,
    resultsPath: resultsPath(folder),
    invalidLogPath: invalidPath(folder),
    settingsPath: join(folder, "evaluation_settings.json"),
    ...evaluation,
  });
}
