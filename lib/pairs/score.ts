/** Likelihoods: models score both members of every pair, what they have not scored yet. */
import { type AskingState, askMissing } from "../files/ask_missing.ts";
import type { LanguageModel, Likelihood } from "../models/model.ts";
import {
  likelihoodKey,
  likelihoodsOf,
  likelihoodTable,
  roundLogProbability,
  type ScoredPair,
} from "./answers.ts";
import { membersDigest, settingsDigest, settingsRecorder } from "./asked.ts";
import type { MinimalPair } from "./pair.ts";
import type { AnswerFiles } from "./study.ts";

export interface LikelihoodOptions {
  /** All pairs of the data set: their order is that of the finished table. */
  readonly pairs: readonly MinimalPair[];
  readonly model: LanguageModel;
  readonly wanted?: (pair: MinimalPair) => boolean;
  readonly files: Pick<AnswerFiles, "likelihoods" | "settings">;
  readonly signal?: AbortSignal;
  readonly onProgress?: (state: AskingState) => void;
}

/**
 * Scores both members of every pair together, with as many pairs in flight as the model allows, and
 * appends each row as it comes. Resuming skips what the same model with the same settings scored,
 * whatever number the pair had then; an abort leaves whole lines.
 * @returns how many pairs were scored now, stood there already, or were not reached before an abort
 * @throws {SyntaxError} before anything is written for wrong columns; later what the model throws, rows kept.
 */
export async function scorePairs(
  { pairs, model, files, wanted = () => true, signal, onProgress }: LikelihoodOptions,
) {
  using table = likelihoodTable(files.likelihoods, { pairIds: pairs.map(({ id }) => id) }).open();
  const digests = new Map(pairs.map((pair) => [pair.id, membersDigest(pair)]));
  if (table.rows.values().some(({ pairId, asked }) => digests.get(pairId) !== asked)) {
    // Rows of pairs that have another number now are put under it.
    likelihoodsOf([...table.rows.values()], pairs).forEach(table.put);
  }
  const record = settingsRecorder(files.settings);
  const questions = pairs.filter(wanted);
  const settings = settingsDigest(model);
  const { asked, missing } = await askMissing<MinimalPair, ScoredPair>({
    questions,
    keyOf: ({ id: pairId }) => likelihoodKey({ model: model.name, pairId }),
    table: {
      rows: table.rows,
      put(row) {
        record(model); // A row must never stand without its model's settings.
        table.put(row);
      },
    },
    isCurrent: (row, pair) => row.settings === settings && row.asked === digests.get(pair.id),
    ask: (pair, signal) => scorePair(model, pair, signal),
    concurrency: model.concurrency,
    signal,
    onProgress,
  });
  table.finish();
  return { scored: asked, kept: questions.length - missing - asked, missing };
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
    asked: membersDigest(pair),
    settings: settingsDigest(model),
  };
}
