import type { MaskedModel } from "../../lib/models/masked/masked_model.ts";
import {
  type OnnxEntry,
  type OnnxOptions,
  openOnnxMaskedModel,
} from "../../lib/models/masked/onnx_masked_model.ts";
import { pseudoLikelihoodModels } from "../../lib/models/masked/pseudo_likelihood.ts";
import type { PairSet } from "../studies.ts";
import { INCOMPLETE } from "./complete.ts";
import { scoreAll, type Scoring, type ScoringOptions, unscored } from "./scoring.ts";

/** Opens a masked model; tests have one without a network. */
export type OpenMasked = (
  entry: OnnxEntry,
  options: OnnxOptions,
) => Promise<MaskedModel & AsyncDisposable>;

/**
 * Scores sets of pairs with a masked model from a folder, opened once, in every variant of
 * pseudo-likelihood; says where it stands and gives whether nothing is left. Its rows stand beside those of the panels as
 * `ID:pll_original` and `ID:pll_within_word_l2r`.
 */
export async function scoreWithOnnx(
  entry: OnnxEntry,
  sets: readonly PairSet[],
  options: ScoringOptions & OnnxOptions,
  open: OpenMasked = openOnnxMaskedModel,
): Promise<boolean> {
  await using model = await open(entry, options);
  const models = pseudoLikelihoodModels(model);
  const scorings = sets.map((set) => ({ ...set, models }));
  const isComplete = await scoreAll(scorings, options);
  options.print(`\n${isComplete ? scoredWords(scorings) : INCOMPLETE}`);
  return isComplete;
}

/** What to do when all that was to be scored is; a limit leaves pairs over. */
function scoredWords(scorings: readonly Scoring[]): string {
  const left = scorings.flatMap((scoring) =>
    unscored(scoring).map(({ model, pairs }) => `${model} lacks ${pairs} of ${scoring.study.name}`)
  );
  if (left.length > 0) {
    return `Complete for these pairs. ${left.join(", ")}: without --limit they are scored too.`;
  }
  const names = scorings.map(({ study, pairs }) => `${pairs.length} pairs of ${study.name}`);
  return `Complete: ${names.join(", ")}. Now: ${scorings[0]?.study.commands.compute}`;
}
