/** How far raters of claims (verifier, judges, readers) agree. */
import { type Measure } from "../../stats/measure.ts";
import { cohenKappa, unavailable } from "../../stats/agreement.ts";
import { fleissKappa, gwetAc1, krippendorffAlpha } from "../../stats/multirater.ts";
import { figureInterval, type QueryResult, SIDES } from "./classification.ts";
import { type ProfileMetric, profileMetric } from "./profile_metrics.ts";
import { sharesWords } from "./profile_metrics.ts";

/** What one rater called a claim, which the query and `claimId` name together. */
export interface ClaimRating extends QueryResult {
  readonly claimId: string;
  readonly text: string;
  readonly rater: string;
  /** One of `SIDES`. */
  readonly label: string;
  /** Whether the rater was measured to be better than chance: κ is over these alone. */
  readonly aboveChance: boolean;
}

/** Ratings by claim, in their order. @throws {RangeError} for two of one claim by one rater. */
function ratedClaims(ratings: readonly ClaimRating[]) {
  const byClaim = Map.groupBy(ratings, ({ query, claimId }) => JSON.stringify([query, claimId]));
  return [...byClaim.values()].map((group) => {
    const { query, cluster, claimId, text } = group[0]!;
    const votes = group.map(({ rater, label }) => ({ rater, label }));
    if (new Set(votes.map(({ rater }) => rater)).size === votes.length) {
      return { query, cluster, claimId, text, votes };
    }
    throw new RangeError(
      `Cannot compare raters: one has two ratings of claim ${claimId} of ${query}; keep one.`,
    );
  });
}

/** Claims on which raters differ, most evenly divided first; on which they agree; rated once. */
export function claimAgreement(ratings: readonly ClaimRating[]) {
  const claims = ratedClaims(ratings);
  const rated = claims.filter(({ votes }) => votes.length > 1);
  const largestShare = ({ votes }: typeof claims[number]) => {
    const byLabel = Map.groupBy(votes, ({ label }) => label);
    return Math.max(...[...byLabel.values()].map(({ length }) => length)) / votes.length;
  };
  return {
    disputed: rated.filter((claim) => largestShare(claim) < 1)
      .toSorted((a, b) => largestShare(a) - largestShare(b)),
    consensus: rated.filter((claim) => largestShare(claim) === 1),
    ratedOnce: claims.length - rated.length,
  };
}

/** The rated claims as statistics take them, and those of them that every rater rated. */
function ratedItems(ratings: readonly ClaimRating[]) {
  const raters = [...new Set(ratings.map(({ rater }) => rater))];
  const items = ratedClaims(ratings).map(({ query, cluster, claimId, votes }) => {
    const labels: readonly string[] = votes.map(({ label }) => label);
    return { id: JSON.stringify([query, claimId]), cluster, labels };
  });
  return { raters, items, whole: items.filter(({ labels }) => labels.length === raters.length) };
}

type RatedClaims = readonly ReturnType<typeof ratedItems>["items"][number][];

/** Why raters cannot be compared, with what is known all the same: chance agrees with nobody. */
function notMeaningful(ratings: readonly ClaimRating[]) {
  const { raters, whole } = ratedItems(ratings);
  if (raters.length < 2) {
    return unavailable(raters.length === 0 ? "no claim was rated" : "fewer than two raters");
  }
  const byChance = raters.filter((one) =>
    ratings.some(({ rater, aboveChance }) => rater === one && !aboveChance)
  );
  const { observed, expected } = fleissKappa(whole, SIDES);
  const shares = observed === undefined
    ? ""
    : `; of all ${raters.length}: ${sharesWords({ observed, expected: expected! })}`;
  return unavailable(
    `not meaningful, for not measured above chance: ${byChance.join(", ")}${shares}`,
  );
}

/**
 * How far raters agree about claims, beyond chance, among those measured above chance (requirements
 * 17.1–17.4). Fleiss' κ, with observed and expected agreement and its band, needs equally many ratings
 * of each claim, so it is over the claims that every such rater rated; the others bear missing ratings.
 * @throws {RangeError} for a label that is none of `SIDES`, and a rater with two of one claim.
 */
export function measureRatings(
  ratings: readonly ClaimRating[],
): Readonly<Record<"fleissKappa" | "krippendorffAlpha" | "gwetAc1", ProfileMetric>> {
  const { raters, items, whole } = ratedItems(ratings.filter(({ aboveChance }) => aboveChance));
  if (raters.length < 2) {
    const none = notMeaningful(ratings);
    return { fleissKappa: none, krippendorffAlpha: none, gwetAc1: none };
  }
  const kappas = (drawn: RatedClaims) => {
    const found = fleissKappa(drawn, SIDES);
    return found.kind === "fleiss" ? found.kappa : found;
  };
  const fleiss = (): ProfileMetric => {
    if (whole.length === 0) return unavailable("no claim was rated by every rater");
    const found = fleissKappa(whole, SIDES);
    if (found.kind === "unavailable") {
      return unavailable(`${found.reason}; observed agreement ${found.observed?.toFixed(2)}`);
    }
    const { kappa, observed, expected, band } = found;
    const interval = figureInterval(whole, kappas, [-1, 1]);
    return profileMetric(kappa, found.items, interval, { observed, expected, band });
  };
  const alphaOf = (some: RatedClaims) =>
    krippendorffAlpha(
      some.map((one) => one.labels.map((label) => SIDES.findIndex((side) => side === label))),
      "nominal",
    );
  const [alpha, ac1] = [alphaOf(items), gwetAc1(items, SIDES)];
  const alphas = (drawn: RatedClaims) => {
    const found = alphaOf(drawn);
    return found.kind === "alpha" ? found.alpha : found;
  };
  const ac1s = (drawn: RatedClaims) => {
    const found = gwetAc1(drawn, SIDES);
    return found.kind === "ac1" ? found.ac1 : found;
  };
  return {
    fleissKappa: fleiss(),
    krippendorffAlpha: alpha.kind === "unavailable" ? alpha : profileMetric(
      alpha.alpha,
      alpha.units,
      figureInterval(items, alphas, [-1, 1]),
    ),
    gwetAc1: ac1.kind === "unavailable"
      ? ac1
      : profileMetric(ac1.ac1, ac1.items, figureInterval(items, ac1s, [-1, 1])),
  };
}

/** Cohen's κ of every two raters above chance, `cells[row][column]`, over claims both rated. */
export function agreementOfPairs(ratings: readonly ClaimRating[]) {
  const raters = [...new Set(ratings.map(({ rater }) => rater))];
  const claims = ratedClaims(ratings).map(({ votes }) =>
    new Map(votes.map(({ rater, label }) => [rater, label]))
  );
  const byChance = new Set(
    ratings.filter(({ aboveChance }) => !aboveChance).map(({ rater }) => rater),
  );
  const kappaOf = (one: string, other: string): Measure => {
    if (one === other) return unavailable("the same rater");
    if (byChance.has(one) || byChance.has(other)) return unavailable("not measured above chance");
    const shared = claims.filter((votes) => votes.has(one) && votes.has(other));
    const [first, second] = [one, other].map((rater) => shared.map((votes) => votes.get(rater)!));
    const found = cohenKappa(first!, second!);
    return found.kind === "unavailable" ? found : { kind: "value", estimate: found.kappa };
  };
  return { raters, cells: raters.map((one) => raters.map((other) => kappaOf(one, other))) };
}
