import { sum } from "simple-statistics";
import { unavailable, unorderedPairs } from "../../stats/agreement.ts";
import { kendallTauB, pearson, spearman } from "../../stats/correlation.ts";
import type { Bounds, Measure } from "../../stats/measure.ts";
import { krippendorffAlpha, type MeasurementLevel } from "../../stats/multirater.ts";
import {
  type AnalysisOptions,
  average,
  coefficientOf,
  estimate,
  groupedBy,
  itemKey,
  type ItemValue,
  meansBySystem,
  type Placed,
  resampled,
  standardised,
  type StandardisedRating,
} from "./estimate.ts";
import type { UnblindedRun } from "./ratings.ts";
import { meansOf } from "./systems.ts";

type Ratings = readonly StandardisedRating[];
type Score = (rating: StandardisedRating) => number | undefined;

/**
 * Returns agreement between raters: Krippendorff's α and pairwise correlations.
 * α is computed on items with at least two raters, with intervals over items: of raw scores (where
 * harshness counts as disagreement), of standardised scores (where it does not) and of buckets.
 */
export function interRater(runs: readonly UnblindedRun[], options: AnalysisOptions) {
  const ratings = standardised(runs);
  const raters = [...new Set(ratings.map(({ rater }) => rater))];
  const shared = sharedItems(ratings, raters);
  const alpha = (level: MeasurementLevel, figure: Score) =>
    alphaOf(shared, raters, level, figure, options);
  return {
    raters,
    items: shared.length,
    alphaDa: alpha("interval", ({ da }) => da),
    alphaZ: alpha("interval", ({ z }) => z),
    alphaBucket: alpha("ordinal", ({ bucket_rank }) => bucket_rank),
    pairs: unorderedPairs(raters).map(([first, second]) =>
      raterPair(ratings, first, second, options)
    ),
  };
}

/** Returns the segments that at least two of the raters rated. Each has these raters' ratings. */
function sharedItems(ratings: Ratings, raters: readonly string[]): readonly ItemValue<Ratings>[] {
  return groupedBy(ratings.filter(({ rater }) => raters.includes(rater)), itemKey)
    .filter(({ value }) => new Set(value.map(({ rater }) => rater)).size > 1);
}

function alphaOf(
  items: readonly ItemValue<Ratings>[],
  raters: readonly string[],
  level: MeasurementLevel,
  figure: Score,
  options: AnalysisOptions,
): Measure {
  if (items.length === 0) return unavailable("no item has two raters");
  // A rater who rated the segment in two runs contributes the mean.
  const valueOf = (rater: string, raterRatings: Ratings) =>
    average(
      raterRatings.filter((it) => it.rater === rater).map(figure).filter((it) => it !== undefined),
    );
  const units = items.map(({ value, ...place }) => ({
    ...place,
    value: [...Map.groupBy(value, ({ system }) => system).values()]
      .map((systemRatings) => raters.map((rater) => valueOf(rater, systemRatings))),
  }));
  return estimate(units, (drawn) => {
    const result = krippendorffAlpha(drawn.flat(), level);
    return result.kind === "alpha" ? result.alpha : undefined;
  }, options);
}

/**
 * Returns the agreement of two raters on the items that both rated.
 * `spearman` is ρ of all scores, high already if both distinguish good systems from bad;
 * `beyondSystems` is {@link correlationBeyondSystems}; `systemRanking` is τ-b of the systems' mean
 * scores.
 */
function raterPair(ratings: Ratings, first: string, second: string, options: AnalysisOptions) {
  const shared = sharedItems(ratings, [first, second]);
  const scores = shared
    .map(({ value, ...place }) => ({ ...place, value: pairedMeans(value, first, second) }));
  const means = pairedMeans(shared.flatMap(({ value }) => value), first, second);
  const rho = (drawn: readonly (readonly PairedScore[])[]) =>
    coefficientOf(spearman(...columns(drawn.flat())));
  return {
    first,
    second,
    items: shared.length,
    spearman: estimate(scores, rho, options, [-1, 1]),
    beyondSystems: estimate(scores, correlationBeyondSystems, options, [-1, 1]),
    systemRanking: kendallTauB(...columns(means)),
  };
}

/** Two raters' scores of one translation, in points. */
interface PairedScore {
  readonly system: string;
  readonly one: number;
  readonly other: number;
}

const columns = (scores: readonly PairedScore[]) =>
  [scores.map(({ one }) => one), scores.map(({ other }) => other)] as const;

/** Returns both raters' mean scores of each system that both rated. */
function pairedMeans(ratings: Ratings, first: string, second: string): readonly PairedScore[] {
  const [one, other] = [first, second].map((rater) =>
    meansBySystem(ratings.filter((rating) => rating.rater === rater), ({ da }) => da)
  );
  return [...one!].flatMap(([system, mean]) =>
    other!.has(system) ? [{ system, one: mean, other: other!.get(system)! }] : []
  );
}

/**
 * Returns Pearson's r of two raters' scores after double centring.
 * Each rater's means of items and systems are subtracted, which leaves agreement on single
 * translations, attenuated by both raters' noise. Every item must have every system. Undefined if
 * nothing varies, as with a single item.
 */
export function correlationBeyondSystems(
  items: readonly (readonly PairedScore[])[],
): number | undefined {
  const [one, other] = [residuals(items, "one"), residuals(items, "other")];
  const isNothing = (values: readonly number[]) => sum(values.map((value) => value ** 2)) < 1e-9;
  return isNothing(one) || isNothing(other) ? undefined : coefficientOf(pearson(one, other));
}

function residuals(items: readonly (readonly PairedScore[])[], rater: "one" | "other") {
  const deviations = items.flatMap((item) => {
    const centre = average(item.map((score) => score[rater]))!;
    return item.map((score) => ({ system: score.system, deviation: score[rater] - centre }));
  });
  const means = new Map(
    [...Map.groupBy(deviations, ({ system }) => system)]
      .map(([system, group]) => [system, average(group.map(({ deviation }) => deviation))!]),
  );
  return deviations.map(({ system, deviation }) => deviation - means.get(system)!);
}

/** Scores by measure and system; higher is better. */
type Figures = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * Compares the system rankings of every two measures.
 * Returns Kendall's τ-b of the means and pairwise accuracy, where a tie counts as a different order
 * (Kocmi et al. 2021, To ship or not, WMT21).
 */
export function compareRankings(means: Figures) {
  return unorderedPairs([...means.keys()]).map(([first, second]) => {
    const [one, other] = [means.get(first)!, means.get(second)!];
    const systems = [...one.keys()].filter((system) => other.has(system));
    const [ones, others] = [one, other].map((scores) =>
      systems.map((system) => scores.get(system)!)
    );
    const pairs = unorderedPairs([...systems.keys()]);
    const alike = pairs
      .filter(([a, b]) => (ones![a]! - ones![b]!) * (others![a]! - others![b]!) > 0);
    return {
      first,
      second,
      tauB: kendallTauB(ones!, others!),
      pairwiseAccuracy: pairs.length === 0
        ? unavailable("fewer than two systems")
        : alike.length / pairs.length,
    };
  });
}

/** One segment's scores, ordered by measure, then system; arrays keep resampling fast. */
type Scores = readonly (number | undefined)[];

/**
 * Returns {@link compareRankings} of means over segments, with resampled intervals of τ-b.
 * `beyondYardstick` is τ-b minus that of the `yardstick` pair (two rounds of one measure, for
 * example) on the same resamples; undefined for the yardstick itself.
 */
export function resampledRankings(
  segments: readonly (Placed & { readonly scores: Figures })[],
  options: AnalysisOptions,
  yardstick: { readonly first: string; readonly second: string },
) {
  const measures = [...new Set(segments.flatMap(({ scores }) => [...scores.keys()]))];
  const figures = segments.flatMap(({ scores }) => [...scores.values()]);
  const systems = [...new Set(figures.flatMap((bySystem) => [...bySystem.keys()]))];
  const rows = segments.map(({ segment, document, scores }) => ({
    segment,
    document,
    value: measures.flatMap((measure) => systems.map((system) => scores.get(measure)?.get(system))),
  }));
  const rankings = (drawn: readonly Scores[], wanted: readonly string[]) => {
    const means = meansOf(drawn);
    const meansIn = (measure: string) =>
      systems.flatMap((system, place) => {
        const mean = means[measures.indexOf(measure) * systems.length + place];
        return mean === undefined ? [] : [[system, mean] as const];
      });
    return compareRankings(new Map(wanted.map((it) => [it, new Map(meansIn(it))])));
  };
  const tau = (drawn: readonly Scores[], { first, second }: typeof yardstick) => {
    const [pair] = rankings(drawn, [first, second]);
    return pair && coefficientOf(pair.tauB);
  };
  // One name, so that all statistics share the resamples.
  const over = (statistic: (drawn: readonly Scores[]) => number | undefined, bounds: Bounds) =>
    resampled("rankings", rows, statistic, options, bounds);
  return rankings(rows.map(({ value }) => value), measures).map((pair) => {
    const isYardstick = pair.first === yardstick.first && pair.second === yardstick.second;
    return {
      ...pair,
      interval: over((drawn) => tau(drawn, pair), [-1, 1]),
      beyondYardstick: isYardstick ? undefined : over((drawn) => {
        const [one, other] = [tau(drawn, pair), tau(drawn, yardstick)];
        return one === undefined || other === undefined ? undefined : one - other;
      }, [-2, 2]),
    };
  });
}
