import type { LanguageModel } from "../../models/model.ts";
import { missingLikelihoods } from "../likelihood_rows.ts";
import type { MinimalPair } from "../pair.ts";
import type { PairStudy } from "../study.ts";
import { readAnswersTo } from "./answers.ts";
import { lockAnswers } from "./lock.ts";
import { type WorkDone, workDone } from "./panel_run.ts";
import { scoreModel } from "./score.ts";

export interface ScoreModelsOptions {
  /** Which of the pairs are to be scored; all unless told. */
  readonly wanted?: (pair: MinimalPair) => boolean;
  readonly signal?: AbortSignal;
}

/**
 * How many of the pairs wanted each model has not scored yet, by its name.
 * @throws {Error} where answers on record belong to other pairs.
 */
export function unscoredPairs(
  study: PairStudy,
  pairs: readonly MinimalPair[],
  models: readonly string[],
  { wanted = () => true }: ScoreModelsOptions = {},
): ReadonlyMap<string, number> {
  const { likelihoods } = readAnswersTo(study, pairs);
  return missingLikelihoods({ pairs: pairs.filter(wanted), likelihoods, models });
}

/**
 * Scores with models that are of no panel, one after the other, what they have not scored yet. Every
 * row is in its file at once. Models that had nothing left to do are not told.
 * @throws {Error} where another process is adding to the answers, or they belong to other pairs.
 */
export async function scoreModels(
  study: PairStudy,
  pairs: readonly MinimalPair[],
  models: readonly LanguageModel[],
  options: ScoreModelsOptions = {},
): Promise<readonly WorkDone[]> {
  const { wanted = () => true, signal } = options;
  const unscored = unscoredPairs(study, pairs, models.map(({ name }) => name), options);
  const pending = models.filter(({ name }) => (unscored.get(name) ?? 0) > 0);
  if (pending.length === 0) return [];
  using _held = lockAnswers(study.lock);
  const done: WorkDone[] = [];
  for (const model of pending) {
    if (signal?.aborted) break;
    const remaining = unscored.get(model.name) ?? 0;
    const own = { wanted, remaining, files: study.files, ...(signal ? { signal } : {}) };
    done.push(workDone(model.name, undefined, await scoreModel(pairs, model, own)));
  }
  return done;
}
