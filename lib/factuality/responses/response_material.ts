import type { JudgedCase } from "../training/measured_verdicts.ts";
import { claimKey } from "./draw_claims.ts";
import type { ClaimLabelRow, ResponseClaimRow } from "./response_tables.ts";

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
