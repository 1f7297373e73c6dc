import type { Provenance, VerdictProbabilities } from "../verdicts/verdict.ts";
import { scoredVerdict } from "./verdict_parts.ts";
import type { Verifier } from "./verifier.ts";

/**
 * Says of every claim what is most often so, with the shares of the development split as its
 * probabilities: what a verifier knows that looks at nothing. It needs no source.
 */
export function majorityVerifier(shares: VerdictProbabilities): Verifier {
  const name = "majority";
  const provenance: Provenance = {
    producedBy: name,
    modelSha256: undefined,
    promptSha256: undefined,
  };
  return {
    name,
    settings: { ...shares },
    verify: (claims) =>
      Promise.resolve(
        claims.map(() => scoredVerdict({ probabilities: shares, evidence: [], provenance })),
      ),
  };
}
