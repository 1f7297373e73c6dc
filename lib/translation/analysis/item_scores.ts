import { mean, sampleStandardDeviation } from "simple-statistics";
import { average, itemKey, type ItemValue, type Placed } from "./estimate.ts";
import type { SystemRating, UnblindedRun } from "./rated_run.ts";

/** A rating with its score standardised per rater; no z where the rater gave one score only. */
export interface StandardisedRating extends SystemRating {
  readonly z: number | undefined;
}

/** One segment's scores: by system, the mean over the raters who rated it. */
export interface ItemScores extends Placed {
  readonly da: ReadonlyMap<string, number>;
  readonly z: ReadonlyMap<string, number>;
}

/** Ratings of items that stand for themselves: no repeats, no attention checks. */
export function ratedOnly<Rating extends SystemRating>(
  ratings: readonly Rating[],
): readonly Rating[] {
  return ratings.filter(({ role }) => role.kind === "rated");
}

/**
 * The rated items of all runs, each score less the rater's mean over the rater's sample standard
 * deviation beside it, as WMT's Direct Assessment does for raters who use the scale differently
 * (Bojar et al. 2016, Findings of WMT16). Mean and deviation are over rated items only.
 */
export function standardised(runs: readonly UnblindedRun[]): readonly StandardisedRating[] {
  const ratings = ratedOnly(runs.flatMap((run) => run.ratings));
  const byRater = [...Map.groupBy(ratings, ({ rater }) => rater).values()];
  return byRater.flatMap((own): StandardisedRating[] => {
    const scores = own.map(({ da }) => da);
    const isConstant = scores.every((score) => score === scores[0]);
    if (isConstant) return own.map((rating) => ({ ...rating, z: undefined }));
    const [centre, deviation] = [mean(scores), sampleStandardDeviation(scores)];
    return own.map((rating) => ({ ...rating, z: (rating.da - centre) / deviation }));
  });
}

/** Ratings that have the same key, together, at the place of the first of them. */
export function groupedBy<Rating extends SystemRating>(
  ratings: readonly Rating[],
  key: (rating: Rating) => string | number,
): readonly ItemValue<readonly Rating[]>[] {
  return [...Map.groupBy(ratings, key).values()]
    .map((value) => ({ segment: value[0]!.segment, document: value[0]!.document, value }));
}

/** One entry per segment, in the order of first appearance. */
export function itemScores(ratings: readonly StandardisedRating[]): readonly ItemScores[] {
  return groupedBy(ratings, itemKey).map(({ value, ...place }) => ({
    ...place,
    da: meansBySystem(value, ({ da }) => da),
    z: meansBySystem(value, ({ z }) => z),
  }));
}

/** Each system's mean of a figure; systems without any are left out. */
export function meansBySystem<Rating extends SystemRating>(
  ratings: readonly Rating[],
  figure: (rating: Rating) => number | undefined,
): ReadonlyMap<string, number> {
  const means = new Map<string, number>();
  for (const [system, own] of Map.groupBy(ratings, (rating) => rating.system)) {
    const value = average(own.map(figure).filter((found) => found !== undefined));
    if (value !== undefined) means.set(system, value);
  }
  return means;
}
