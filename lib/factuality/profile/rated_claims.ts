import type { ClaimRating } from "./profile_input.ts";

/** A claim and what its raters called it. */
export interface RatedClaim {
  readonly query: string;
  readonly cluster: string;
  readonly claimId: string;
  readonly text: string;
  /** One a rater, in the order of the ratings. */
  readonly votes: readonly { readonly rater: string; readonly label: string }[];
}

/** Claims on which raters agree and do not. */
export interface ClaimAgreement {
  /** Two raters or more, who gave different labels. The most evenly divided first. */
  readonly disputed: readonly RatedClaim[];
  /** Two raters or more, who all gave the same label. */
  readonly consensus: readonly RatedClaim[];
  /** Claims with a single rating, which says nothing of agreement. */
  readonly ratedOnce: number;
}

/**
 * Ratings by claim, in the order in which claims come first.
 *
 * @throws {RangeError} for a rater with two ratings of one claim.
 */
export function ratedClaims(ratings: readonly ClaimRating[]): readonly RatedClaim[] {
  const byClaim = Map.groupBy(ratings, ({ query, claimId }) => JSON.stringify([query, claimId]));
  return [...byClaim.values()].map((group): RatedClaim => {
    const { query, cluster, claimId, text } = group[0]!;
    const votes = group.map(({ rater, label }) => ({ rater, label }));
    const raters = new Set(votes.map(({ rater }) => rater));
    if (raters.size === votes.length) return { query, cluster, claimId, text, votes };
    throw new RangeError(
      `Cannot compare raters: one has two ratings of claim ${claimId} of ${query}; keep one.`,
    );
  });
}

/** Sorts claims by whether their raters agree. Throws as {@link ratedClaims} does. */
export function claimAgreement(ratings: readonly ClaimRating[]): ClaimAgreement {
  const claims = ratedClaims(ratings);
  const rated = claims.filter(({ votes }) => votes.length > 1);
  const isDisputed = (claim: RatedClaim) => largestShare(claim) < 1;
  return {
    disputed: rated.filter(isDisputed).toSorted((a, b) => largestShare(a) - largestShare(b)),
    consensus: rated.filter((claim) => !isDisputed(claim)),
    ratedOnce: claims.length - rated.length,
  };
}

/** Votes for the label with the most of them / all votes. */
function largestShare({ votes }: RatedClaim): number {
  const byLabel = Map.groupBy(votes, ({ label }) => label);
  return Math.max(...[...byLabel.values()].map(({ length }) => length)) / votes.length;
}
