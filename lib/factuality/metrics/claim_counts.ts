import type { VerdictLabel } from "../verdicts/verdict.ts";
import type { ClassifiedClaim, ClassifiedResponse } from "./classified_response.ts";

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

const CLASS_OF = {
  supported: "supported",
  refuted: "refuted",
  "not enough info": "unverifiable",
} as const satisfies Readonly<Record<VerdictLabel, keyof ClaimCounts>>;

/** A bootstrap asks for the counts of the same responses thousands of times. */
const counted = new WeakMap<readonly ClassifiedClaim[], ClaimCounts>();

/** Counts claims by what the sources say of them. */
export function claimCounts(claims: readonly ClassifiedClaim[]): ClaimCounts {
  const known = counted.get(claims);
  if (known !== undefined) return known;
  const counts = countOf(claims);
  counted.set(claims, counts);
  return counts;
}

function countOf(claims: readonly ClassifiedClaim[]): ClaimCounts {
  const counts = { supported: 0, refuted: 0, unverifiable: 0, unscored: 0, scored: 0 };
  for (const { label } of claims) {
    counts[label === undefined ? "unscored" : CLASS_OF[label]]++;
    if (label !== undefined) counts.scored++;
  }
  return counts;
}

/** The claims of several responses counted together. */
export function pooledCounts(responses: readonly ClassifiedResponse[]): ClaimCounts {
  const sum = { supported: 0, refuted: 0, unverifiable: 0, unscored: 0, scored: 0 };
  for (const { claims } of responses) {
    const counts = claimCounts(claims);
    sum.supported += counts.supported;
    sum.refuted += counts.refuted;
    sum.unverifiable += counts.unverifiable;
    sum.unscored += counts.unscored;
    sum.scored += counts.scored;
  }
  return sum;
}
