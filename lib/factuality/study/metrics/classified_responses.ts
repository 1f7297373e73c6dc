import type { ClassifiedResponse } from "../../metrics/classified_response.ts";
import type { ClaimRating } from "../../profile/profile_input.ts";
import { RATING_LABELS } from "../../profile/profile_of_evaluations.ts";
import type {
  ClaimLabelRow,
  RatingRow,
  ResponseClaimRow,
  ResponseRow,
} from "../../responses/response_tables.ts";

/** The columns that are read here. */
export type AnswerCells = Pick<ResponseRow, "system" | "question_id">;
export type ClaimCells = Pick<
  ResponseClaimRow,
  "system" | "question_id" | "claim_id" | "claim" | "status" | "label"
>;

/**
 * Answers with their classified claims, in the order of the answers; statements that cannot be checked
 * are left out, other claims without a verdict are kept and count in no rate. A question is about one
 * country, which is the cluster. `abstains` tells answers that decline.
 *
 * @throws {RangeError} for a claim of an answer that is not there.
 */
export function classifiedResponses<Answer extends AnswerCells>(
  answers: readonly Answer[],
  claims: readonly ClaimCells[],
  abstains: (answer: Answer) => boolean,
): readonly ClassifiedResponse[] {
  const byAnswer = Map.groupBy(claims, keyOf);
  const known = new Set(answers.map(keyOf));
  const lost = claims.find((claim) => !known.has(keyOf(claim)));
  if (lost !== undefined) {
    throw new RangeError(
      `Cannot classify answers: claim ${lost.claim_id} is of ${lost.system}'s answer to ` +
        `${lost.question_id}, which is not there; run "deno task respond" again.`,
    );
  }
  return answers.map((answer): ClassifiedResponse => ({
    model: answer.system,
    query: answer.question_id,
    cluster: answer.question_id,
    abstained: abstains(answer),
    claims: (byAnswer.get(keyOf(answer)) ?? [])
      .filter(({ status }) => status !== "not checkable")
      .map(({ claim_id, claim, label }) => ({
        id: claim_id,
        text: claim,
        label: label === "" ? undefined : label,
      })),
  }));
}

const keyOf = ({ system, question_id }: AnswerCells) => JSON.stringify([system, question_id]);

/** Who labelled claims by hand, among the raters. */
export const CAREFUL_READER = "careful reader";

/**
 * One system's claims as several raters call them, the careful reader's labels among them; a rating
 * that was not reached is none.
 */
export function claimRatings(
  system: string,
  ratings: readonly Omit<RatingRow, "score" | "settings_sha256">[],
  labels: readonly Omit<ClaimLabelRow, "reason" | "second_label">[],
): readonly ClaimRating[] {
  const [supported, not] = RATING_LABELS;
  const byHand = labels.map((row) => ({
    ...row,
    rater: CAREFUL_READER,
    label: row.label === "supported" ? supported : not,
  }));
  const rated = new Set(ratings.map(claimKey));
  return [...ratings, ...byHand.filter((row) => rated.has(claimKey(row)))]
    .filter((row) => row.system === system && row.label !== "")
    .map(({ question_id, claim_id, claim, rater, label }) => ({
      ...{ query: question_id, cluster: question_id, claimId: claim_id, text: claim },
      ...{ rater, label },
    }));
}

const claimKey = ({ system, question_id, claim_id }: AnswerCells & { readonly claim_id: string }) =>
  JSON.stringify([system, question_id, claim_id]);
