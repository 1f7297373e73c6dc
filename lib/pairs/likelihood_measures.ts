import type { Measure } from "./clustered_statistic.ts";
import { share } from "./forced_choice_measures.ts";
import { LOGPROB_DECIMALS, type PairLikelihood } from "./likelihood_rows.ts";
import type { Tally } from "./tally.ts";

/** By what a member's log-probability is divided before the members are compared. */
export const NORMALISATIONS = ["total", "per_token", "per_byte"] as const;
export type Normalisation = (typeof NORMALISATIONS)[number];
export type Preference = "grammatical" | "ungrammatical" | "tie";

/** Which member is the more probable; compared in whole numbers, so that a tie is exact. */
export function preference(
  { grammatical, ungrammatical }: Pick<PairLikelihood, "grammatical" | "ungrammatical">,
  normalisation: Normalisation,
): Preference {
  const units = (nats: number) => Math.round(nats * 10 ** LOGPROB_DECIMALS);
  const lengths = {
    total: [1, 1],
    per_token: [grammatical.tokens, ungrammatical.tokens],
    per_byte: [grammatical.bytes, ungrammatical.bytes],
  } as const;
  const [good, bad] = lengths[normalisation];
  // g / good > u / bad, crosswise: no division, no rounding.
  const difference = units(grammatical.logProbability) * bad -
    units(ungrammatical.logProbability) * good;
  return difference > 0 ? "grammatical" : difference < 0 ? "ungrammatical" : "tie";
}

type Count = "pairs" | `${"right" | "tied"}_${Normalisation}`;
export type LikelihoodCounts = Tally<Count>;

/** What one model's likelihoods of one pair add to every measure. */
export function countLikelihood(row: PairLikelihood): LikelihoodCounts {
  const is = (wanted: Preference, normalisation: Normalisation) =>
    Number(preference(row, normalisation) === wanted);
  return {
    pairs: 1,
    right_total: is("grammatical", "total"),
    right_per_token: is("grammatical", "per_token"),
    right_per_byte: is("grammatical", "per_byte"),
    tied_total: is("tie", "total"),
    tied_per_token: is("tie", "per_token"),
    tied_per_byte: is("tie", "per_byte"),
  };
}

const WORDS: Readonly<Record<Normalisation, string>> = {
  total: "total log-probability",
  per_token: "log-probability per token",
  per_byte: "log-probability per UTF-8 byte",
};

/** What likelihoods are measured by: shares of pairs; a tie is not right and is told apart. */
export const LIKELIHOOD_MEASURES: readonly Measure<LikelihoodCounts>[] = NORMALISATIONS.flatMap(
  (normalisation) => [
    {
      name: `likelihood_accuracy_${normalisation}`,
      method: `grammatical member has the higher ${WORDS[normalisation]}; ties not right`,
      of: (counts: LikelihoodCounts) => share(counts[`right_${normalisation}`], counts.pairs),
      n: ({ pairs }: LikelihoodCounts) => pairs,
      isShare: true,
    },
    {
      name: `likelihood_ties_${normalisation}`,
      method: `pairs with equal ${WORDS[normalisation]}`,
      of: (counts: LikelihoodCounts) => share(counts[`tied_${normalisation}`], counts.pairs),
      n: ({ pairs }: LikelihoodCounts) => pairs,
      descriptive: true,
    },
  ],
);
