import { softmax } from "../../stats/softmax.ts";

/** How log-probabilities of the options' words become probabilities of the options. */
export type OptionReadout = "sum" | "per character";

/**
 * Fixed before any held-out country was asked about. On 32 questions about training countries, one
 * thought each, SmolLM2 was right 17 times by the sum, 17 per character and 16 by pointwise mutual
 * information, with Brier scores of 0.63, 0.61 and 0.74. The sum is the one that is a probability of
 * the model's own; per character nearly every answer is unsure.
 */
export const OPTION_READOUT: OptionReadout = "sum";

/**
 * Probabilities of the options, together 1. By the `sum` it is P(option | one of the options), which
 * favours words that are likely anyhow; `per character` evens out their length, at the price of
 * probabilities that lie close together and mean less.
 *
 * @param logProbabilities log P(option | question, thought) in nats, in the order of the options.
 */
export function optionProbabilities(
  options: readonly string[],
  logProbabilities: readonly number[],
  readout: OptionReadout = OPTION_READOUT,
): readonly number[] {
  const length = (option: string) => (readout === "sum" ? 1 : option.length);
  return softmax(options.map((option, i) => logProbabilities[i]! / length(option)));
}
