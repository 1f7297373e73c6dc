import { krippendorffAlpha, type MeasurementLevel } from "../../stats/krippendorff.ts";
import { kendallTauB, spearman } from "../../stats/rank_correlation.ts";
import { unavailable } from "../../stats/unavailable.ts";
import { correlationBeyondSystems, type PairedScore } from "./beyond_systems.ts";
import { average, estimate, itemKey, type ItemValue } from "./estimate.ts";
import { everyTwo } from "./every_two.ts";
import { groupedBy, meansBySystem, standardised, type StandardisedRating } from "./item_scores.ts";
import type { UnblindedRun } from "./rated_run.ts";
import type { AnalysisOptions, Estimate, InterRater, RaterPair } from "./results.ts";

/** The ratings that several raters gave to one segment's translations. */
type SharedItem = ItemValue<readonly StandardisedRating[]>;

/**
 * Agreement of raters on the items that at least two of them rated. α of raw scores counts it as
 * disagreement when one rater is harsher than another; α of standardised scores does not.
 */
export function interRater(runs: readonly UnblindedRun[], options: AnalysisOptions): InterRater {
  const ratings = standardised(runs);
  const raters = [...new Set(ratings.map(({ rater }) => rater))];
  const shared = sharedItems(ratings, raters);
  return {
    raters,
    items: shared.length,
    alphaDa: alpha(shared, raters, "interval", ({ da }) => da, options),
    alphaZ: alpha(shared, raters, "interval", ({ z }) => z, options),
    alphaBucket: alpha(shared, raters, "ordinal", ({ bucketRank }) => bucketRank, options),
    pairs: everyTwo(raters).map(([first, second]) => raterPair(ratings, first, second, options)),
  };
}

/** Segments that at least two of the raters rated, with these raters' ratings. */
function sharedItems(
  ratings: readonly StandardisedRating[],
  raters: readonly string[],
): readonly SharedItem[] {
  const own = ratings.filter(({ rater }) => raters.includes(rater));
  return groupedBy(own, itemKey)
    .filter(({ value }) => new Set(value.map(({ rater }) => rater)).size > 1);
}

function alpha(
  items: readonly SharedItem[],
  raters: readonly string[],
  level: MeasurementLevel,
  figure: (rating: StandardisedRating) => number | undefined,
  options: AnalysisOptions,
): Estimate {
  if (items.length === 0) return unavailable("no item has two raters");
  const units = items.map(({ value, ...place }) => ({
    ...place,
    value: [...Map.groupBy(value, ({ system }) => system).values()]
      .map((own) => raters.map((rater) => figureOf(rater, own, figure))),
  }));
  return estimate("raters", units, (drawn) => {
    const found = krippendorffAlpha(drawn.flat(), level);
    return found.kind === "alpha" ? found.alpha : undefined;
  }, options);
}

/** A rater who met the segment in two runs has one value all the same: their mean. */
function figureOf(
  rater: string,
  ratings: readonly StandardisedRating[],
  figure: (rating: StandardisedRating) => number | undefined,
): number | undefined {
  const own = ratings.filter((rating) => rating.rater === rater).map(figure);
  return average(own.filter((value) => value !== undefined));
}

function raterPair(
  ratings: readonly StandardisedRating[],
  first: string,
  second: string,
  options: AnalysisOptions,
): RaterPair {
  const shared = sharedItems(ratings, [first, second]);
  const scores = shared.map(({ value, ...place }) => ({
    ...place,
    value: pairedMeans(value, first, second),
  }));
  const all = pairedMeans(shared.flatMap(({ value }) => value), first, second);
  return {
    first,
    second,
    items: shared.length,
    spearman: estimate("raters", scores, (drawn) => {
      const paired = drawn.flat();
      const found = spearman(paired.map(({ one }) => one), paired.map(({ other }) => other));
      return found.kind === "correlation" ? found.coefficient : undefined;
    }, options),
    beyondSystems: estimate("raters", scores, correlationBeyondSystems, options),
    systemRanking: kendallTauB(all.map(({ one }) => one), all.map(({ other }) => other)),
  };
}

/** Both raters' mean scores of each system that both rated. */
function pairedMeans(
  ratings: readonly StandardisedRating[],
  first: string,
  second: string,
): readonly PairedScore[] {
  const meansOf = (rater: string) =>
    meansBySystem(ratings.filter((rating) => rating.rater === rater), ({ da }) => da);
  const [one, other] = [meansOf(first), meansOf(second)];
  return [...one].flatMap(([system, mean]) =>
    other.has(system) ? [{ system, one: mean, other: other.get(system)! }] : []
  );
}
