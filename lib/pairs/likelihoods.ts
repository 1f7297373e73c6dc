import type { DamagedLine } from "../files/csv.ts";
import type { LanguageModel, Likelihood } from "../models/model.ts";
import { requireDistinctModels } from "./evaluation_plan.ts";
import { eachInFlight } from "../models/in_flight.ts";
import { openKeyedTable, readTable } from "./keyed_table.ts";
import {
  compareLikelihoods,
  LIKELIHOOD_TABLE,
  likelihoodKey,
  type PairLikelihood,
  roundLogProbability,
} from "./likelihood_rows.ts";
import type { MinimalPair } from "./pair.ts";
import { recordOnAnswer } from "./record_on_answer.ts";
import { pairsHash, type Progress, reconcileSettings } from "./run_settings.ts";

export interface LikelihoodOptions {
  readonly pairs: readonly MinimalPair[];
  readonly models: readonly LanguageModel[];
  /** Which of the pairs are to be scored; all unless told. */
  readonly wanted?: (pair: MinimalPair) => boolean;
  /** `likelihoods.csv` */
  readonly likelihoodsPath: string;
  /** `likelihood_settings.json`: what the scores depend on, by model that was scored with. */
  readonly settingsPath: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: LikelihoodProgress) => void;
}

export interface LikelihoodProgress {
  readonly model: string;
  readonly pairId: string;
  readonly done: number;
  readonly total: number;
}

export interface LikelihoodReport {
  /** Pairs scored now. */
  readonly scored: number;
  /** Pairs that stood there already. */
  readonly kept: number;
  /** Pairs not reached before an abort. */
  readonly missing: number;
  readonly damaged: readonly DamagedLine[];
}

/**
 * Scores both members of every pair, model after model and each with as many pairs in flight as it
 * allows, and appends each row as it comes. The members go to the model together, so that it can
 * share their prefix. Resuming skips what is scored; an abort leaves whole lines.
 *
 * Before anything is written it throws SyntaxError for wrong columns, RangeError for models of one
 * name, Error for results with other settings. What a model throws ends the run, rows kept.
 */
export async function scorePairs(options: LikelihoodOptions): Promise<LikelihoodReport> {
  const { pairs, models, likelihoodsPath, signal, onProgress } = options;
  const record = prepare(options);
  using table = openKeyedTable(likelihoodsPath, LIKELIHOOD_TABLE);
  const wanted = wantedOf(options);
  const total = models.length * wanted.length;
  const tally = { scored: 0, kept: 0 };
  for (const model of models) {
    await eachInFlight(wanted, model.concurrency ?? 1, async (pair) => {
      if (signal?.aborted) return false;
      if (table.rows.has(likelihoodKey({ model: model.name, pairId: pair.id }))) tally.kept += 1;
      else {
        const row = await scoreUnlessAborted(model, pair, signal);
        if (row === undefined) return false;
        record(model.name); // A row must never stand without its model's record.
        table.put(row);
        tally.scored += 1;
      }
      const done = tally.kept + tally.scored;
      onProgress?.({ model: model.name, pairId: pair.id, done, total });
      return true;
    });
  }
  table.finish(compareLikelihoods(pairs.map(({ id }) => id)));
  return { ...tally, missing: total - tally.kept - tally.scored, damaged: table.damaged };
}

/** Nothing, where the model gave up because of the abort: that is no error of its own. */
async function scoreUnlessAborted(
  model: LanguageModel,
  pair: MinimalPair,
  signal?: AbortSignal,
): Promise<PairLikelihood | undefined> {
  try {
    return await scorePair(model, pair, signal);
  } catch (error) {
    if (signal?.aborted) return undefined;
    throw error;
  }
}

/**
 * What a model gives both members of a pair, as one row keeps it.
 * Throws RangeError where the model gives another number of likelihoods, or no log-probability.
 */
export async function scorePair(
  model: LanguageModel,
  pair: MinimalPair,
  signal?: AbortSignal,
): Promise<PairLikelihood> {
  const members = [pair.grammatical, pair.ungrammatical];
  const [grammatical, ungrammatical, ...more] = await model.score(
    members,
    signal ? { signal } : {},
  );
  if (!grammatical || !ungrammatical || more.length > 0) {
    throw new RangeError(`Cannot score ${pair.id}: ${model.name} gave not two likelihoods.`);
  }
  const kept = (likelihood: Likelihood): Likelihood => ({
    ...likelihood,
    logProbability: roundLogProbability(likelihood.logProbability),
  });
  return {
    model: model.name,
    pairId: pair.id,
    grammatical: kept(grammatical),
    ungrammatical: kept(ungrammatical),
  };
}

const wantedOf = ({ pairs, wanted = () => true }: LikelihoodOptions) => pairs.filter(wanted);

function prepare(options: LikelihoodOptions) {
  const { pairs, models, likelihoodsPath, settingsPath } = options;
  requireDistinctModels(models);
  const { rows } = readTable(likelihoodsPath, LIKELIHOOD_TABLE);
  const there = new Set(rows.map(likelihoodKey));
  const progress = (model: string): Progress => {
    if (!rows.some((row) => row.model === model)) return "none";
    const isScored = ({ id }: MinimalPair) => there.has(likelihoodKey({ model, pairId: id }));
    return wantedOf(options).every(isScored) ? "all" : "some";
  };
  const task = { pairsSha256: pairsHash(pairs) };
  const current = models.map(({ name, settings }) => [name, { task, model: settings }]);
  const records = reconcileSettings(settingsPath, Object.fromEntries(current), progress);
  return recordOnAnswer(settingsPath, records);
}
