import { cohenKappa } from "../../stats/agreement.ts";
import { pearson, spearman } from "../../stats/rank_correlation.ts";
import { average, estimate, type ItemValue, shareEstimate } from "./estimate.ts";
import type { SystemRating } from "./rated_run.ts";
import type { AnalysisOptions, RepeatConsistency } from "./results.ts";

/** The same rater's ratings of the same translation, first and again. */
interface Twice {
  readonly first: SystemRating;
  readonly again: SystemRating;
}

/**
 * Whether a rater says the same of the same translations when an item comes back unannounced.
 * Repeats whose original was left out do not count. A rater's own noise is the ceiling of what
 * agreement between raters can be.
 */
export function repeatConsistency(
  ratings: readonly SystemRating[],
  options: AnalysisOptions,
): RepeatConsistency {
  const pairs = ratedTwice(ratings);
  const [first, again] = [
    pairs.map(({ value }) => value.first),
    pairs.map(({ value }) => value.again),
  ];
  const scores = [first.map(({ da }) => da), again.map(({ da }) => da)] as const;
  const difference = pairs.map(({ value, ...place }) => ({
    ...place,
    value: Math.abs(value.first.da - value.again.da),
  }));
  const sameBucket = pairs.map(({ value, ...place }) => ({
    ...place,
    value: value.first.bucket === value.again.bucket,
  }));
  return {
    items: new Set(again.map(({ itemId }) => itemId)).size,
    pairs: pairs.length,
    meanAbsoluteDifference: estimate("repeats", difference, average, options),
    pearson: pearson(...scores),
    spearman: spearman(...scores),
    sameBucket: shareEstimate("repeats", sameBucket, options),
    kappa: cohenKappa(first.map(({ bucket }) => bucket), again.map(({ bucket }) => bucket)),
  };
}

function ratedTwice(ratings: readonly SystemRating[]): readonly ItemValue<Twice>[] {
  return ratings.flatMap((again) => {
    const { role, segment, document } = again;
    if (role.kind !== "repeat") return [];
    const first = ratings.find(({ itemId, system }) =>
      itemId === role.of && system === again.system
    );
    return first === undefined ? [] : [{ segment, document, value: { first, again } }];
  });
}
