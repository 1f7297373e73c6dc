import { sum } from "simple-statistics";
import { type Correlation, kendallTauB, spearman } from "../../stats/rank_correlation.ts";
import type { Unavailable } from "../../stats/unavailable.ts";
import { average, estimate } from "./estimate.ts";
import { groupedBy, ratedOnly } from "./item_scores.ts";
import type { SystemRating } from "./rated_run.ts";
import type { AnalysisOptions, BucketScoreAgreement } from "./results.ts";

type Correlate = (first: readonly number[], second: readonly number[]) => Correlation | Unavailable;

/**
 * How a rater's buckets and scores go together. Under strict ordering they can never contradict each
 * other, so correlations are high by rule; what varies is how much of the score the bucket tells.
 */
export function bucketScoreAgreement(
  ratings: readonly SystemRating[],
  options: AnalysisOptions,
): BucketScoreAgreement {
  const items = groupedBy(ratedOnly(ratings), ({ itemId }) => itemId);
  const within = (correlate: Correlate) =>
    items.flatMap(({ value, ...place }) => {
      // Rank 1 is the best bucket: turned round, better goes with higher.
      const found = correlate(
        value.map(({ bucketRank }) => -bucketRank),
        value.map(({ da }) => da),
      );
      return found.kind === "correlation" ? [{ ...place, value: found.coefficient }] : [];
    });
  const [rho, tau] = [within(spearman), within(kendallTauB)];
  return {
    spearman: estimate("bucket and score", rho, average, options),
    kendall: estimate("bucket and score", tau, average, options),
    undefinedItems: items.length - rho.length,
    etaSquared: estimate("bucket and score", items, (drawn) => etaSquared(drawn.flat()), options),
  };
}

/** Squared deviations between buckets' means over all squared deviations; undefined if these are 0. */
function etaSquared(ratings: readonly SystemRating[]): number | undefined {
  const total = squaredDeviations(ratings.map(({ da }) => da));
  if (total === 0) return undefined;
  const buckets = [...Map.groupBy(ratings, ({ bucket }) => bucket).values()];
  const inside = sum(buckets.map((own) => squaredDeviations(own.map(({ da }) => da))));
  return 1 - inside / total;
}

function squaredDeviations(scores: readonly number[]): number {
  const centre = average(scores) ?? 0;
  return sum(scores.map((score) => (score - centre) ** 2));
}
