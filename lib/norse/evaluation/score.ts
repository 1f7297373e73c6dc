import { openProgress } from "../../files/status_line.ts";
import type { LanguageModel } from "../../models/model.ts";
import { scorePairs } from "../../pairs/likelihoods.ts";
import type { MinimalPair } from "../../pairs/pair.ts";
import type { AnswerFiles } from "./answers.ts";

/** Scores the pairs a model has not scored yet, with progress on the error output; gives their number. */
export async function scoreModel(
  pairs: readonly MinimalPair[],
  model: LanguageModel,
  options: {
    /** Pairs without likelihoods. */
    readonly remaining: number;
    readonly files: AnswerFiles;
    readonly signal?: AbortSignal;
  },
): Promise<number> {
  const { remaining, files, signal } = options;
  const resumed = pairs.length - remaining;
  using progress = openProgress(`${model.name} likelihoods`, pairs.length, { resumed });
  let shown = resumed;
  const { scored } = await scorePairs({
    pairs,
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
