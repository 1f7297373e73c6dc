import { openProgress } from "../../files/status_line.ts";
import type { LanguageModel } from "../../models/model.ts";
import { scorePairs } from "../likelihoods.ts";
import type { MinimalPair } from "../pair.ts";
import type { AnswerFiles } from "../study.ts";

/** Scores the pairs wanted that a model has not scored yet, with progress on the error output; gives their number. */
export async function scoreModel(
  pairs: readonly MinimalPair[],
  model: LanguageModel,
  options: {
    readonly wanted: (pair: MinimalPair) => boolean;
    /** Pairs wanted without likelihoods. */
    readonly remaining: number;
    readonly files: AnswerFiles;
    readonly signal?: AbortSignal;
  },
): Promise<number> {
  const { wanted, remaining, files, signal } = options;
  const total = pairs.filter(wanted).length;
  const resumed = total - remaining;
  using progress = openProgress(`${model.name} likelihoods`, total, { resumed });
  let shown = resumed;
  const { scored } = await scorePairs({
    pairs,
    wanted,
    models: [model],
    likelihoodsPath: files.likelihoods,
    settingsPath: files.likelihoodSettings,
    ...(signal ? { signal } : {}),
    onProgress: ({ done }) => {
      // What was kept is counted already.
      if (done > shown) progress.advance(done - shown);
      shown = Math.max(shown, done);
    },
  });
  return scored;
}
