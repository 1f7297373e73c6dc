import type { FoldedSentence } from "../baselines/baseline.ts";
import { BidirectionalCounts } from "./bidirectional_counts.ts";
import { characterTokens, symbolsOf } from "./character_contexts.ts";
import { assertAnswerable, type MaskedModel, type MaskedQuery } from "./masked_model.ts";

/** What the model is called in every result, before the variant of pseudo-likelihood. */
export const BIDIRECTIONAL_CHARACTER = "bidirectional_character";

/** How far the model looks and how it is smoothed. */
export interface BidirectionalOptions {
  /** Characters seen on each side, ≥ 1; 6 where left out. */
  readonly contextCharacters?: number;
  /** See `HeldOutDistributions`; 5 where left out. */
  readonly backOffWeight?: number;
}

/** @throws {RangeError} for options that make no model. */
function checked(options: BidirectionalOptions): Required<BidirectionalOptions> {
  const { contextCharacters = 6, backOffWeight = 5 } = options;
  if (!Number.isInteger(contextCharacters) || contextCharacters < 1) {
    throw new RangeError(
      `Cannot count contexts of ${contextCharacters} characters: they are a whole number ≥ 1`,
    );
  }
  if (!(backOffWeight > 0 && Number.isFinite(backOffWeight))) {
    throw new RangeError(`Cannot smooth with the weight ${backOffWeight}: it must be above 0`);
  }
  return { contextCharacters, backOffWeight };
}

/**
 * A masked model counted from sentences: P(c | l, r) ∝ P(c | l) · P(c | r) / P(c), where l and r are
 * the characters before and after, up to the first masked one, and each factor is smoothed (see
 * `HeldOutDistributions`). That is Bayes' rule for sides that are independent given the character.
 * Counts of both sides together are too thin in a text of this length: each character masked alone,
 * a half-verse of the Gita has a mean log-probability of −0.934 nats a character by the product where
 * its verse and all that repeat a pāda of it are held out, and of no more than −1.15 by interpolated
 * contexts of both sides. The same measure, never accuracy on pairs, chose six characters and the
 * factor five, beyond which less than 0.003 nats are gained (`deno task masked --held-out`).
 *
 * Characters are code points of the composed text, words stand between white space; the
 * distribution is over all characters of the sentences and one unknown. A sentence's start and end
 * are seen, never predicted.
 *
 * @param heldOutOf the folds whose sentences a text must not be scored by; a fold without sentences
 * holds nothing out, nor does none. What it throws, `tokenise` throws.
 * @throws {RangeError} for options out of range.
 */
export function bidirectionalCharacterModel(
  sentences: readonly FoldedSentence[],
  heldOutOf: (text: string) => readonly string[],
  options: BidirectionalOptions = {},
): MaskedModel {
  const { contextCharacters, backOffWeight } = checked(options);
  // Counting takes half a second: whoever opens a study and scores nothing does not wait for it.
  let counted: BidirectionalCounts | undefined;
  const counts = () =>
    counted ??= new BidirectionalCounts(sentences, contextCharacters, backOffWeight);
  return {
    name: BIDIRECTIONAL_CHARACTER,
    settings: { contextCharacters, backOffWeight, sentences: sentences.length },
    tokenise(text) {
      const heldOut = heldOutOf(text);
      const symbols = symbolsOf(text);
      // Tokens are counted from 0; in front of them stands the start.
      const answer = ({ position, masked }: MaskedQuery) => {
        const hidden = new Set(masked.map((at) => at + 1));
        return counts().logProbability(symbols, position + 1, hidden, heldOut);
      };
      return {
        tokens: characterTokens(text),
        logProbabilities: (queries) =>
          Promise.try(() => {
            assertAnswerable(queries, symbols.length - 2);
            return queries.map(answer);
          }),
      };
    },
  };
}
