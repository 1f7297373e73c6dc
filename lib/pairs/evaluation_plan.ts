import type { ChatModel } from "../models/model.ts";
import { formatPrompt, templateHash } from "./forced_choice.ts";
import { requireSameGeneration } from "./generation_settings.ts";
import { readTable } from "./keyed_table.ts";
import { bothOrders, type OrderPlan } from "./order_plan.ts";
import type { MinimalPair } from "./pair.ts";
import { INVALID_TABLE, type Question, questionKey, RESPONSE_TABLE } from "./responses.ts";
import type { Response } from "./responses.ts";
import {
  pairsHash,
  type Progress,
  readRunSettings,
  reconcileSettings,
  type RunRecord,
} from "./run_settings.ts";

/** One call to be made: the model, what it is asked, and where the answer belongs. */
export interface PlannedCall {
  readonly model: ChatModel;
  readonly question: Question;
  readonly prompt: string;
}

/** A run as planned, before anything is written or asked. */
export interface EvaluationPlan {
  /** Every question of the run, the answered ones among them. */
  readonly calls: readonly PlannedCall[];
  /** Keys of the questions that are answered already. */
  readonly answered: ReadonlySet<string>;
  /** What is to stand in the settings file. */
  readonly records: Readonly<Record<string, RunRecord>>;
}

export interface PlanInput {
  readonly pairs: readonly MinimalPair[];
  readonly models: readonly ChatModel[];
  readonly template: string;
  /** Every pair in both orders unless told. */
  readonly orders?: OrderPlan;
  /** Of the models on record those that must have been asked alike; all unless told. */
  readonly comparedWith?: readonly string[];
  readonly resultsPath: string;
  readonly invalidLogPath: string;
  readonly settingsPath: string;
}

/**
 * Plans a run and checks it against the files there are; reads only. Throws RangeError for a model
 * given twice or generation settings that differ, SyntaxError for wrong columns, Error for results
 * with other settings.
 */
export function planEvaluation(input: PlanInput): EvaluationPlan {
  const { models, resultsPath, invalidLogPath, settingsPath } = input;
  requireDistinctModels(models);
  const texts = new Set(readTable(invalidLogPath, INVALID_TABLE).rows.map(questionKey));
  const { rows } = readTable(resultsPath, RESPONSE_TABLE);
  requireSameGeneration([...models, ...earlierModels(input, rows)]);
  // An invalid answer whose text was lost is asked for again: nobody could check it.
  const isWhole = (row: Response) => row.response !== "INVALID" || texts.has(questionKey(row));
  const there = new Set(rows.filter(isWhole).map(questionKey));
  const calls = planCalls(input);
  const isAnswered = ({ question }: PlannedCall) => there.has(questionKey(question));
  const progress = (name: string): Progress => {
    if (!rows.some(({ model }) => model === name)) return "none";
    return calls.every((call) => call.model.name !== name || isAnswered(call)) ? "all" : "some";
  };
  const task = {
    template: input.template,
    templateSha256: templateHash(input.template),
    pairsSha256: pairsHash(input.pairs),
  };
  const current = models.map(({ name, settings }) => [name, { task, model: settings }]);
  return {
    calls,
    answered: new Set(calls.filter(isAnswered).map(({ question }) => questionKey(question))),
    records: reconcileSettings(settingsPath, Object.fromEntries(current), progress),
  };
}

/** Model by model, pair by pair. A prompt is made when it is asked: a million of them fill memory. */
function planCalls({ pairs, models, template, orders = bothOrders }: PlanInput) {
  const [first] = pairs;
  if (first) formatPrompt(template, first, "A_gram"); // A template without its places is refused now.
  return models.flatMap((model) =>
    pairs.flatMap((pair) =>
      orders(pair.id).map((order): PlannedCall => ({
        model,
        question: { model: model.name, pairId: pair.id, order },
        get prompt() {
          return formatPrompt(template, pair, order);
        },
      }))
    )
  );
}

/** Models that have answered in earlier runs and are compared with those of this one. */
function earlierModels(
  { settingsPath, models, comparedWith }: PlanInput,
  rows: readonly Response[],
): readonly Pick<ChatModel, "name" | "settings">[] {
  const answering = new Set(rows.map(({ model }) => model));
  return Object.entries(readRunSettings(settingsPath))
    .filter(([name]) => answering.has(name) && (comparedWith?.includes(name) ?? true))
    .filter(([name]) => models.every((model) => model.name !== name))
    .map(([name, { model }]) => ({ name, settings: model }));
}

/** Two models of one name would share their rows. Throws RangeError naming it. */
export function requireDistinctModels(models: readonly { readonly name: string }[]): void {
  const names = models.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new RangeError(`Cannot evaluate: two models are called ${twice}.`);
  }
}
