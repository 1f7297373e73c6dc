import { clusteredStatistics, type Measure } from "../../pairs/clustered_statistic.ts";
import type { PairLikelihood } from "../../pairs/likelihood_rows.ts";
import type { DatasetItem } from "../../pairs/number_pairs.ts";
import type { IntervalSettings } from "../../pairs/resampled_sums.ts";
import { ALL, type Statistic } from "../../pairs/statistics_row.ts";
import type { Tally } from "../../pairs/tally.ts";
import { PHENOMENA } from "../contrasts/candidate.ts";

const MEMBERS = ["grammatical", "ungrammatical"] as const;
type Member = (typeof MEMBERS)[number];
type PerplexityCounts = Tally<"pairs" | `${Member}_${"nats" | "tokens"}`>;

const MEASURES = MEMBERS.map((member): Measure<PerplexityCounts> => ({
  name: `perplexity_${member}`,
  method: `exp(-sum of log-probabilities / sum of tokens) over the ${member} members`,
  of: (counts) => Math.exp(-counts[`${member}_nats`] / counts[`${member}_tokens`]),
  n: ({ pairs }) => pairs,
}));

/**
 * The perplexity per token of each model on the grammatical members and on the ungrammatical ones,
 * over all pairs and by phenomenon, with intervals by stem. A pair whose members are compared by
 * perplexity is compared by log-probability per token, which `likelihood_accuracy_per_token` counts:
 * these rows say how far apart the members lie, not how often. Of masked models it is the
 * pseudo-perplexity (Salazar et al. 2020). Tokens are the model's own: two models are not compared by it.
 */
export function perplexityStatistics(
  items: readonly DatasetItem[],
  likelihoods: readonly PairLikelihood[],
  models: readonly string[],
  settings: IntervalSettings,
): readonly Statistic[] {
  return models.flatMap((model) => {
    const own = likelihoods.filter((row) => row.model === model);
    const rows = new Map(own.map((row) => [row.pairId, row]));
    return [ALL, ...PHENOMENA].flatMap((phenomenon) => {
      const counted = items
        .filter(({ pair }) => phenomenon === ALL || pair.phenomenon === phenomenon)
        .flatMap(({ pair, certificate: { lemma } }) => {
          const row = rows.get(pair.id);
          return row ? [{ lemma, counts: countTokens(row) }] : [];
        });
      return clusteredStatistics({ model, phenomenon }, counted, MEASURES, settings);
    });
  });
}

const countTokens = ({ grammatical, ungrammatical }: PairLikelihood): PerplexityCounts => ({
  pairs: 1,
  grammatical_nats: grammatical.logProbability,
  grammatical_tokens: grammatical.tokens,
  ungrammatical_nats: ungrammatical.logProbability,
  ungrammatical_tokens: ungrammatical.tokens,
});
