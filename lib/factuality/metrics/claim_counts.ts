import type { ClassifiedClaim } from "./classified_response.ts";

/** How many claims there are of each class. */
export interface ClaimCounts {
  readonly supported: number;
  readonly refuted: number;
  /** The sources say neither: "not enough info". */
  readonly unverifiable: number;
  /** Without a verdict: in no rate. */
  readonly unscored: number;
  /** Those with a verdict: the denominator of every rate. */
  readonly scored: number;
}

/** Counts claims by what the sources say of them. */
export function claimCounts(claims: readonly ClassifiedClaim[]): ClaimCounts {
  const [supported, refuted, unverifiable] = (["supported", "refuted", "not enough info"] as const)
    .map((label) => claims.filter((claim) => claim.label === label).length) as [
      number,
      number,
      number,
    ];
  const scored = supported + refuted + unverifiable;
  return { supported, refuted, unverifiable, unscored: claims.length - scored, scored };
}
