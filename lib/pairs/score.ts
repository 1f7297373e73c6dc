/** Likelihoods: models score both members of every pair, what they have not scored yet. */
import { type AskingState, askMissing, planWork, type Work } from "../files/asking.ts";
import type { LanguageModel, Likelihood } from "../models/model.ts";
import {
  likelihoodKey,
  likelihoodsOf,
  likelihoodTable,
  roundLogProbability,
  type ScoredPair,
} from "./answers.ts";
import { sentencesAddress, settingsAddress, settingsRecorder } from "./asked.ts";
import type { MinimalPair } from "./pair.ts";
import type { AnswerFiles } from "./study.ts";

export interface LikelihoodOptions {
  /** All pairs of the data set: their order is that of the finished table. */
  readonly pairs: readonly MinimalPair[];
  readonly model: LanguageModel;
  readonly wanted?: (pair: MinimalPair) => boolean;
  /** The work of the model, where the run has planned it already; else it is planned here. */
  readonly work?: ScoreWork | undefined;
  readonly files: Pick<AnswerFiles, "likelihoods" | "settings">;
  readonly signal?: AbortSignal;
  readonly onProgress?: (state: AskingState) => void;
}

/** A model's pairs, with those that it has scored and those that it has not. */
export type ScoreWork = Work<MinimalPair, ScoredPair>;

/**
 * Scores both members of every pair together, with as many pairs in flight as the model allows, and
 * appends each row as it comes. Resuming skips what the same model with the same settings scored,
 * whatever number the pair had then; an abort leaves whole lines.
 * @returns how many pairs were scored now, stood there already, or were not reached before an abort
 * @throws {SyntaxError} before anything is written for wrong columns; later what the model throws, rows kept.
 */
export async function scorePairs(
  { pairs, model, files, wanted = () => true, work: whole, signal, onProgress }: LikelihoodOptions,
) {
  using table = likelihoodTable(files.likelihoods, { pairIds: pairs.map(({ id }) => id) }).open();
  const addresses = new Map(pairs.map((pair) => [pair.id, sentencesAddress(pair)]));
  if (table.rows.values().some(({ pairId, asked }) => addresses.get(pairId) !== asked)) {
    // Rows of pairs that have another number now are put under it.
    likelihoodsOf([...table.rows.values()], pairs).forEach(table.put);
  }
  const record = settingsRecorder(files.settings);
  const settings = settingsAddress(model);
  const { rows } = table;
  const isCurrent = (row: ScoredPair, pair: MinimalPair) =>
    row.settings === settings && row.asked === addresses.get(pair.id);
  whole?.compare(rows, isCurrent);
  const keyOf = ({ id: pairId }: MinimalPair) => likelihoodKey({ model: model.name, pairId });
  const work = whole?.within(wanted) ??
    planWork({ questions: pairs.filter(wanted), keyOf, rows, isCurrent });
  const { asked, missing } = await askMissing<MinimalPair, ScoredPair>({
    work,
    table: {
      rows,
      put(row) {
        record(model); // A row must never stand without its model's settings.
        table.put(row);
      },
    },
    ask: (pair, signal) => scorePair(model, pair, signal),
    concurrency: model.concurrency,
    signal,
    onProgress,
  });
  table.finish();
  return { scored: asked, kept: work.planned.length - missing - asked, missing };
}

/**
 * What a model gives both members of a pair, as one row keeps it.
 * @throws {RangeError} where the model gives another number of likelihoods, or no log-probability.
 */
export async function scorePair(
  model: LanguageModel,
  pair: MinimalPair,
  signal?: AbortSignal,
): Promise<ScoredPair> {
  const members = [pair.grammatical, pair.ungrammatical];
  const found = await model.score(members, { signal }).catch((cause) => {
    if (!(cause instanceof RangeError)) throw cause;
    throw new RangeError(`Cannot score ${pair.id}: ${cause.message}`, { cause });
  });
  const [grammatical, ungrammatical] = found;
  if (!grammatical || !ungrammatical || found.length !== 2) {
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
    asked: sentencesAddress(pair),
    settings: settingsAddress(model),
  };
}
