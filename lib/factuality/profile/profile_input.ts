import type { UncertaintyParts } from "../../stats/uncertainty_decomposition.ts";
import type { ClassifiedResponse } from "../metrics/classified_response.ts";
import type { ConsensusScore } from "../metrics/consensus_f1.ts";
import type { AbstentionOutcome } from "../metrics/false_acceptance.ts";

/** What one rater (verifier, judge, person) called a claim. */
export interface ClaimRating {
  readonly query: string;
  /** What the bootstrap resamples. */
  readonly cluster: string;
  /** With the query it names the claim. */
  readonly claimId: string;
  readonly text: string;
  readonly rater: string;
  readonly label: string;
}

/** How unsure a model was of the answer to one question, as shares of the greatest there can be. */
export interface QueryUncertainty {
  readonly query: string;
  readonly cluster: string;
  readonly parts: UncertaintyParts;
}

/** What made the figures of a profile. */
export interface ProfileProvenance {
  /** ISO 8601 in UTC. */
  readonly madeAt: string;
  /** Models, verifier, thresholds, prompts, seeds: whatever could change a figure. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
}

/** All that a profile is compiled from. What was not measured is an empty list. */
export interface ProfileInput {
  readonly model: string;
  /** Of this model, one a query. */
  readonly responses: readonly ClassifiedResponse[];
  /** Of this model, one a query that several models answered. */
  readonly consensus: readonly ConsensusScore[];
  /** Of claims of this model. */
  readonly ratings: readonly ClaimRating[];
  /** All labels that raters could give, used or not. */
  readonly ratingLabels: readonly string[];
  readonly uncertainties: readonly QueryUncertainty[];
  readonly refusals: readonly AbstentionOutcome[];
  readonly provenance: ProfileProvenance;
  /** Of the intervals. */
  readonly seed: number | string;
}
