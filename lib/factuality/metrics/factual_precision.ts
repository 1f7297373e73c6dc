import { type Unavailable, unavailable } from "../../stats/unavailable.ts";
import { pooledCounts } from "./claim_counts.ts";
import type { ClassifiedResponse } from "./classified_response.ts";

/**
 * Factual precision: supported / scored claims of all responses together, 0–1. It is what the
 * requirements call FactScore; the published FActScore is a mean over responses with a penalty for
 * short ones (`factScore`). With every claim scored it is 1 − pooled MiHR of unsupported claims.
 * Unavailable without a scored claim.
 */
export function factualPrecision(
  responses: readonly ClassifiedResponse[],
): number | Unavailable {
  const { supported, scored } = pooledCounts(responses);
  return scored === 0 ? unavailable("no claim was scored") : supported / scored;
}
