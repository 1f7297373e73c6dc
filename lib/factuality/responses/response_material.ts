import type { ClassifiedResponse } from "../metrics/classified_response.ts";
import type { ClaimRating } from "../profile/profile_input.ts";
import type { JudgedCase } from "../training/measured_verdicts.ts";
import type { VerdictLabel } from "../verdicts/verdict.ts";
import { responseKey } from "./classify_response.ts";
import { claimKey } from "./draw_claims.ts";
import type { ClaimLabelRow, RatingRow, ResponseClaimRow, ResponseRow } from "./response_tables.ts";

function verdictOf({ label }: ResponseClaimRow): VerdictLabel | undefined {
  return label === "" ? undefined : label;
}

/**
 * The responses with their claims, as rates are computed from them: query and cluster are the
 * question, and so the country. Statements that cannot be checked are left out.
 *
 * @param abstained Whether a response declines to answer.
 */
export function classifiedFromRows(
  responses: readonly ResponseRow[],
  claims: readonly ResponseClaimRow[],
  abstained: (response: ResponseRow) => boolean,
): readonly ClassifiedResponse[] {
  const byResponse = Map.groupBy(claims, responseKey);
  return responses.map((response) => ({
    ...{ model: response.system, query: response.question_id, cluster: response.question_id },
    abstained: abstained(response),
    claims: (byResponse.get(responseKey(response)) ?? [])
      .filter(({ status }) => status !== "not checkable")
      .map((row) => ({ id: row.claim_id, text: row.claim, label: verdictOf(row) })),
  }));
}

/** Name among raters of the reader whose labels stand in `response_claim_labels.csv`. */
export const READER = "careful reader";

/** Ratings of one system's claims; what a rater had no score for is left out. */
export function ratingsOf(system: string, ratings: readonly RatingRow[]): readonly ClaimRating[] {
  return ratings.filter((row) => row.system === system && row.label !== "").map((row) => ({
    ...{ query: row.question_id, cluster: row.question_id, claimId: row.claim_id },
    ...{ text: row.claim, rater: row.rater, label: row.label },
  }));
}

/** A reader's labels as ratings of the two kinds that all raters know. */
export function readerRatings(labels: readonly ClaimLabelRow[]): readonly RatingRow[] {
  return labels.map(({ system, question_id, claim_id, claim, label }) => ({
    ...{ system, question_id, claim_id, claim, rater: READER },
    label: label === "supported" ? "supported" : "not supported",
    ...{ score: "", settings_sha256: "" },
  }));
}

/**
 * The verifier's verdicts on claims that a reader has labelled, for `measureVerdicts`: how far it is
 * to be trusted on text that models wrote.
 *
 * @throws {RangeError} for a label of a claim that is not there, or reads otherwise by now.
 */
export function judgedClaims(
  labels: readonly ClaimLabelRow[],
  claims: readonly ResponseClaimRow[],
): readonly JudgedCase[] {
  const known = new Map(claims.map((row) => [claimKey(row), row]));
  return labels.map((label) => {
    const row = known.get(claimKey(label));
    if (row?.claim !== label.claim) {
      throw new RangeError(
        `Cannot measure the verifier: claim ${label.claim_id} of ${label.system} about ` +
          `${label.question_id} is no longer what was labelled; label it again`,
      );
    }
    const { p_supported, p_refuted, p_not_enough_info } = row;
    const scored = p_supported !== "" && p_refuted !== "" && p_not_enough_info !== "";
    return {
      ...{ label: label.label, cluster: label.question_id },
      probabilities: scored
        ? {
          supported: p_supported,
          refuted: p_refuted,
          "not enough info": p_not_enough_info,
        }
        : undefined,
    };
  });
}
