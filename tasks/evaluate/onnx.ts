import type { MaskedModel } from "../../lib/models/masked/masked_model.ts";
import {
  type OnnxEntry,
  type OnnxOptions,
  openOnnxMaskedModel,
} from "../../lib/models/masked/onnx_masked_model.ts";
import { pseudoLikelihoodModels } from "../../lib/models/masked/pseudo_likelihood.ts";
import type { PairSet } from "../studies.ts";
import { scoreAll, type ScoringOptions } from "./scoring.ts";

/** Opens a masked model; tests have one without a network. */
export type OpenMasked = (
  entry: OnnxEntry,
  options: OnnxOptions,
) => Promise<MaskedModel & AsyncDisposable>;

/**
 * Scores sets of pairs with a masked model from a folder, opened once, in every variant of
 * pseudo-likelihood; gives whether nothing is left. Its rows stand beside those of the panels as
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
  return await scoreAll(sets.map((set) => ({ ...set, models })), options);
}
