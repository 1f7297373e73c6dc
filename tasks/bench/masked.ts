/** How the character model of Sanskrit was chosen. */
import type { FoldedSentence } from "../../lib/models/baselines.ts";
import { bidirectionalCharacterModel } from "../../lib/models/masked/bidirectional_character_model.ts";
import { pseudoLikelihoodModel } from "../../lib/models/masked/pseudo_likelihood.ts";
import { foldedLines, verseFolds } from "../../lib/sanskrit/baselines.ts";
import { VERSES } from "../../lib/sanskrit/verses.ts";
import { command, EXIT } from "../command.ts";

const VARIANTS = ["original", "within_word_l2r"] as const;

export const TASK = command(
  "masked",
  "How the character model was chosen: how well each setting predicts verses it has not learned",
  (c) => c,
  async () => {
    await compareSettings();
    return EXIT.done;
  },
);

/** One factor and one context around each choice; four seconds a setting, rows of CSV. */
async function compareSettings(): Promise<void> {
  const verses = VERSES.read();
  const sentences = foldedLines(verses, verseFolds(verses));
  console.log(`nats a character, ${sentences.length} lines, fold of verses held out`);
  console.log(`context_characters,back_off_weight,${VARIANTS.join()}`);
  for (const contextCharacters of [4, 5, 6, 7]) {
    for (const backOffWeight of [1, 4, 5, 6]) {
      const means = await heldOutScores(sentences, { contextCharacters, backOffWeight });
      const shown = means.map((mean) => mean.toFixed(4));
      console.log([contextCharacters, backOffWeight, ...shown].join());
    }
  }
}

/**
 * How well the character model predicts each sentence by those of all other folds: mean
 * log P(character | what is not masked) in nats, over all characters, masked in either way.
 *
 * @param sentences no text of which stands in two folds, for what is held out is known by the text.
 */
export async function heldOutScores(
  sentences: readonly FoldedSentence[],
  setting: Readonly<{ contextCharacters: number; backOffWeight: number }>,
) {
  const folds = new Map(sentences.map(({ text, fold }) => [text, fold]));
  const model = bidirectionalCharacterModel(sentences, (text) => [folds.get(text)!], setting);
  return await Array.fromAsync(VARIANTS, async (variant) => {
    const texts = sentences.map(({ text }) => text);
    const found = await pseudoLikelihoodModel(model, variant).score(texts);
    const total = found.reduce((sum, { logProbability }) => sum + logProbability, 0);
    return total / found.reduce((sum, { tokens }) => sum + tokens, 0);
  });
}
