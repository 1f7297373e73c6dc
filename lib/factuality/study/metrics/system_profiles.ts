import type { ClaimMatrix } from "../../metrics/claim_matrix.ts";
import type { ClassifiedResponse } from "../../metrics/classified_response.ts";
import type { AbstentionAnswer } from "../../abstention/answer.ts";
import type { AbstentionQuery } from "../../abstention/query.ts";
import {
  type HallucinationProfile,
  hallucinationProfile,
} from "../../profile/hallucination_profile.ts";
import type { ProfileProvenance } from "../../profile/profile_input.ts";
import { RATING_LABELS } from "../../profile/profile_of_evaluations.ts";
import { RESPONDING_SYSTEMS } from "../../responses/systems.ts";
import type { ClaimLabelRow, RatingRow } from "../../responses/response_tables.ts";
import { claimRatings } from "./classified_responses.ts";
import { consensusOf } from "./consensus_scores.ts";
import { type ChoiceCells, queryUncertainties, refusalsOf } from "./query_outcomes.ts";

/** What the study measured of its systems. */
export interface SystemMeasurements {
  readonly responses: readonly ClassifiedResponse[];
  readonly matrices: readonly ClaimMatrix[];
  readonly ratings: readonly RatingRow[];
  readonly labels: readonly ClaimLabelRow[];
  readonly choices: readonly ChoiceCells[];
  readonly abstentionAnswers: readonly AbstentionAnswer[];
  readonly abstentionQueries: readonly AbstentionQuery[];
}

/** When the profiles are made, and with which settings each system's figures were. */
export interface SystemProvenance {
  readonly madeAt: string;
  readonly settingsOf: (system: string) => ProfileProvenance["settings"];
  readonly seed: number | string;
}

/**
 * A profile of each system. Uncertainty and false acceptance were measured of models by themselves,
 * without passages shown: they are the closed book's, and unavailable for the open book.
 */
export function systemProfiles(
  measured: SystemMeasurements,
  { madeAt, settingsOf, seed }: SystemProvenance,
): readonly HallucinationProfile[] {
  const { responses, matrices, ratings, labels } = measured;
  return RESPONDING_SYSTEMS.map(({ name, model, openBook }) =>
    hallucinationProfile({
      model: name,
      responses: responses.filter((response) => response.model === name),
      consensus: consensusOf(name, matrices),
      ratings: claimRatings(name, ratings, labels),
      ratingLabels: RATING_LABELS,
      uncertainties: openBook ? [] : queryUncertainties(model, measured.choices),
      refusals: openBook
        ? []
        : refusalsOf(model, measured.abstentionAnswers, measured.abstentionQueries),
      provenance: { madeAt, settings: settingsOf(name) },
      seed,
    })
  );
}
