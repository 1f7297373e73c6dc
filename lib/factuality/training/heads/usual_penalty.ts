import type { FeatureSet } from "../../verifiers/pair_vector.ts";

/**
 * Penalty λ of a head by what it reads: the best of 0.001, 0.01 and 0.1 on the development countries,
 * logistic heads learning from all training countries. 1,536 numbers of sentence vectors want more
 * restraint than 27 features.
 */
export const USUAL_PENALTY: Readonly<Record<FeatureSet, number>> = {
  readable: 0.001,
  embeddings: 0.1,
  both: 0.1,
};
