import { attentionResult } from "./attention.ts";
import { bucketCounts } from "./bucket_counts.ts";
import { bucketScoreAgreement } from "./bucket_score.ts";
import { average, estimate } from "./estimate.ts";
import { heaping } from "./heaping.ts";
import { ratedOnly } from "./item_scores.ts";
import { positionBias } from "./position_bias.ts";
import type { UnblindedRun } from "./rated_run.ts";
import { repeatConsistency } from "./repeats.ts";
import type { AnalysisOptions, RaterReliability } from "./results.ts";
import { sessionDrift, sessionTime } from "./session_time.ts";

/** Everything that one run says of its rater. No figure here depends on which system is which. */
export function raterReliability(
  { rater, config, ratings }: UnblindedRun,
  options: AnalysisOptions,
): RaterReliability {
  const rated = ratedOnly(ratings);
  const scores = rated.map(({ segment, document, da }) => ({ segment, document, value: da }));
  return {
    rater,
    items: new Set(rated.map(({ itemId }) => itemId)).size,
    ratings: rated.length,
    meanDa: estimate("rater", scores, average, options),
    buckets: bucketCounts(rated, config),
    bucketAndScore: bucketScoreAgreement(ratings, options),
    heaping: heaping(ratings, config, options),
    position: positionBias(ratings, options),
    repeats: repeatConsistency(ratings, options),
    attention: attentionResult(ratings, options),
    time: sessionTime(ratings),
    drift: sessionDrift(ratings, options),
  };
}
