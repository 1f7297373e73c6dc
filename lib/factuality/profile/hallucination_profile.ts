import { randomSource } from "../../stats/random.ts";
import type { Unavailable } from "../../stats/unavailable.ts";
import { type ClaimCounts, pooledCounts } from "../metrics/claim_counts.ts";
import type { ClassifiedResponse } from "../metrics/classified_response.ts";
import type { ConsensusScore } from "../metrics/consensus_f1.ts";
import { measureConsensus, measureRefusals, measureUncertainties } from "./measure_queries.ts";
import { measureRatings } from "./measure_ratings.ts";
import { measureResponses, type RandomOf } from "./measure_responses.ts";
import type { ProfileInput, ProfileProvenance } from "./profile_input.ts";
import {
  PROFILE_METRIC_NAMES,
  type ProfileMetricName,
  type ProfileMetrics,
} from "./profile_metrics.ts";
import { type ClaimAgreement, claimAgreement } from "./rated_claims.ts";
import { type Reliability, reliability, type RiskFlag, riskFlag } from "./reliability.ts";

/** What this Touchstone writes and reads. */
export const PROFILE_SCHEMA_VERSION = 1;

/** All that is known of how far a model's claims can be relied upon. */
export interface HallucinationProfile {
  readonly schemaVersion: typeof PROFILE_SCHEMA_VERSION;
  readonly model: string;
  readonly reliability: Reliability | Unavailable;
  readonly risk: RiskFlag;
  readonly metrics: ProfileMetrics;
  /** What could not be computed, and why. */
  readonly notComputed: readonly {
    readonly metric: ProfileMetricName;
    readonly reason: string;
  }[];
  readonly counts: ClaimCounts;
  readonly claims: ClaimAgreement;
  /** Every response with its classified claims, and its score against the others' consensus. */
  readonly responses: readonly ClassifiedResponse[];
  readonly consensus: readonly ConsensusScore[];
  readonly provenance: ProfileProvenance;
  /** Of the intervals: 95 %, by resampling clusters. */
  readonly seed: number | string;
}

/**
 * Compiles the profile of one model. Nothing that was not measured becomes a number.
 *
 * @throws {RangeError} for a response of another model, and as the metrics do.
 */
export function hallucinationProfile(input: ProfileInput): HallucinationProfile {
  requireOneModel(input);
  const metrics = measure(input);
  const notComputed = PROFILE_METRIC_NAMES.flatMap((metric) => {
    const found = metrics[metric];
    return found.kind === "unavailable" ? [{ metric, reason: found.reason }] : [];
  });
  return {
    schemaVersion: PROFILE_SCHEMA_VERSION,
    model: input.model,
    reliability: reliability(metrics),
    risk: riskFlag(metrics),
    metrics,
    notComputed,
    counts: pooledCounts(input.responses),
    claims: claimAgreement(input.ratings),
    responses: input.responses,
    consensus: input.consensus,
    provenance: input.provenance,
    seed: input.seed,
  };
}

function measure(input: ProfileInput): ProfileMetrics {
  const randomOf: RandomOf = (metric) => randomSource(`${input.seed} ${input.model} ${metric}`);
  return {
    ...measureResponses(input.responses, randomOf),
    ...measureConsensus(input.consensus, randomOf),
    ...measureRatings(input.ratings, input.ratingLabels, randomOf),
    ...measureUncertainties(input.uncertainties, randomOf),
    ...measureRefusals(input.refusals, randomOf),
  };
}

function requireOneModel({ model, responses }: ProfileInput): void {
  const other = responses.find((response) => response.model !== model);
  if (other === undefined) return;
  throw new RangeError(
    `Cannot profile ${model}: the response to ${other.query} is of ${other.model}.`,
  );
}
