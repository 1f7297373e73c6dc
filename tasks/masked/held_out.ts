import type { FoldedSentence } from "../../lib/models/baselines/baseline.ts";
import { bidirectionalCharacterModel } from "../../lib/models/masked/bidirectional_character_model.ts";
import {
  pseudoLikelihoodModel,
  type PseudoLikelihoodVariant,
} from "../../lib/models/masked/pseudo_likelihood.ts";

/** How far the character model may look and how it may be smoothed, as it is compared here. */
export interface HeldOutScore {
  readonly contextCharacters: number;
  readonly backOffWeight: number;
  /** Mean log P(character | what is not masked) in nats, over all characters of all folds. */
  readonly original: number;
  readonly withinWord: number;
}

const CONTEXTS = [4, 5, 6, 7];
const WEIGHTS = [1, 4, 5, 6];

/** Every pair of the settings that are compared; one factor and one context around each choice. */
export const HELD_OUT_GRID = CONTEXTS.flatMap((contextCharacters) =>
  WEIGHTS.map((backOffWeight) => ({ contextCharacters, backOffWeight }))
);

/**
 * How well the character model predicts each sentence by those of all other folds.
 *
 * @param sentences no text of which stands in two folds, for what is held out is known by the text.
 */
export async function heldOutScore(
  sentences: readonly FoldedSentence[],
  options: Pick<HeldOutScore, "contextCharacters" | "backOffWeight">,
): Promise<HeldOutScore> {
  const folds = new Map(sentences.map(({ text, fold }) => [text, fold]));
  const model = bidirectionalCharacterModel(sentences, (text) => [folds.get(text)!], options);
  const mean = async (variant: PseudoLikelihoodVariant) => {
    const texts = sentences.map(({ text }) => text);
    const found = await pseudoLikelihoodModel(model, variant).score(texts);
    const total = found.reduce((sum, { logProbability }) => sum + logProbability, 0);
    return total / found.reduce((sum, { tokens }) => sum + tokens, 0);
  };
  return {
    ...options,
    original: await mean("original"),
    withinWord: await mean("within_word_l2r"),
  };
}
