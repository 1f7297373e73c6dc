import { sum } from "simple-statistics";
import { type Unavailable, unavailable } from "../../stats/agreement.ts";
import { type Correlation, kendallTauB, pearson, spearman } from "../../stats/correlation.ts";
import { krippendorffAlpha, type MeasurementLevel } from "../../stats/multirater.ts";
import {
  type AnalysisOptions,
  average,
  type Estimate,
  estimate,
  everyTwo,
  groupedBy,
  itemKey,
  type ItemValue,
  meansBySystem,
  type Placed,
  standardised,
  type StandardisedRating,
} from "./estimate.ts";
import type { UnblindedRun } from "./ratings.ts";
import { meansOf } from "./systems.ts";

/** The ratings that several raters gave to one segment's translations. */
type SharedItem = ItemValue<readonly StandardisedRating[]>;

/** Agreement of several raters. */
export type InterRater = ReturnType<typeof interRater>;

/**
 * Krippendorff's α, with intervals over items, of raters on the items that at least two of them rated. α of raw scores counts it as
 * disagreement when one rater is harsher than another; α of standardised scores does not.
 */
export function interRater(runs: readonly UnblindedRun[], options: AnalysisOptions) {
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

/**
 * Two raters on the items that both rated: ρ of the scores of item × system, high already where
 * systems differ and both raters see it; agreement on single translations, see
 * {@link correlationBeyondSystems}; and τ-b of the systems' mean scores, n the number of systems.
 */
function raterPair(
  ratings: readonly StandardisedRating[],
  first: string,
  second: string,
  options: AnalysisOptions,
) {
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

/** One translation's scores by two raters, in points. */
interface PairedScore {
  readonly system: string;
  readonly one: number;
  readonly other: number;
}

/**
 * Pearson's correlation of two raters' scores once each rater's means of items and of systems are
 * taken off (double centring): whether they agree on single translations, for which it does not help
 * that both see which systems are good. The noise of both raters draws it towards zero.
 *
 * Every item is taken to have every system, as the items of a run do. Undefined where nothing is left
 * of a rater's scores, as with a single item.
 */
export function correlationBeyondSystems(
  items: readonly (readonly PairedScore[])[],
): number | undefined {
  const [one, other] = [leftOf(items, "one"), leftOf(items, "other")];
  const isNothing = (values: readonly number[]) => sum(values.map((value) => value ** 2)) < 1e-9;
  if (isNothing(one) || isNothing(other)) return undefined;
  const found = pearson(one, other);
  return found.kind === "correlation" ? found.coefficient : undefined;
}

function leftOf(
  items: readonly (readonly PairedScore[])[],
  rater: "one" | "other",
): readonly number[] {
  const deviations = items.flatMap((item) => {
    const centre = average(item.map((score) => score[rater]))!;
    return item.map((score) => ({ system: score.system, deviation: score[rater] - centre }));
  });
  const bySystem = Map.groupBy(deviations, ({ system }) => system);
  const means = new Map(
    [...bySystem].map(([system, own]) => [system, average(own.map(({ deviation }) => deviation))!]),
  );
  return deviations.map(({ system, deviation }) => deviation - means.get(system)!);
}

/** A figure of each system. */
type SystemFigures = ReadonlyMap<string, number>;

/** One segment's scores, by measure and system. */
interface MeasuredSegment extends Placed {
  readonly scores: ReadonlyMap<string, SystemFigures>;
}

/** How far two measures put the same systems in the same order. */
interface RankAgreement {
  readonly first: string;
  readonly second: string;
  /** Kendall's τ-b of the systems' means; n is the number of systems. */
  readonly tauB: Correlation | Unavailable;
  /** Share of the pairs of systems that both put in the same order, 0 … 1; a tie counts as another. */
  readonly pairwiseAccuracy: number | Unavailable;
}

/** A {@link RankAgreement} with its intervals over segments or documents. */
interface ResampledRankAgreement extends RankAgreement {
  readonly interval: Estimate;
  /** τ-b less that of the yardstick, on the same resamples; of the yardstick itself undefined. */
  readonly beyondYardstick: Estimate | undefined;
}

/**
 * Kendall's τ-b of systems' means for every two measures, in the order given, over the systems that
 * both have, and pairwise accuracy (Kocmi et al. 2021, To ship or not to ship, WMT21). Measures whose
 * low values are good (error counts) must be turned round first.
 */
export function compareRankings(
  means: ReadonlyMap<string, SystemFigures>,
): readonly RankAgreement[] {
  return everyTwo([...means.keys()]).map(([first, second]) => {
    const [one, other] = [means.get(first)!, means.get(second)!];
    const systems = [...one.keys()].filter((system) => other.has(system));
    const [ones, others] = [one, other].map((own) => systems.map((system) => own.get(system)!));
    return {
      first,
      second,
      tauB: kendallTauB(ones!, others!),
      pairwiseAccuracy: accuracy(ones!, others!),
    };
  });
}

function accuracy(one: readonly number[], other: readonly number[]): number | Unavailable {
  const pairs = everyTwo([...one.keys()]);
  const alike = pairs.filter(([a, b]) => (one[a]! - one[b]!) * (other[a]! - other[b]!) > 0);
  return pairs.length === 0 ? unavailable("fewer than two systems") : alike.length / pairs.length;
}

/** One segment's scores in the order of measures × systems: resampling averages them very often. */
type Scores = readonly (number | undefined)[];

/**
 * {@link compareRankings} of the means over segments, with intervals; and how far each pair agrees
 * better or worse than the pair that is the `yardstick`, such as two rounds of one measure.
 */
export function resampledRankings(
  segments: readonly MeasuredSegment[],
  options: AnalysisOptions,
  yardstick: Pick<RankAgreement, "first" | "second">,
): readonly ResampledRankAgreement[] {
  const measures = [...new Set(segments.flatMap(({ scores }) => [...scores.keys()]))];
  const figures = segments.flatMap(({ scores }) => [...scores.values()]);
  const systems = [...new Set(figures.flatMap((own) => [...own.keys()]))];
  const rows = segments.map(({ segment, document, scores }) => ({
    segment,
    document,
    value: measures.flatMap((measure) => systems.map((system) => scores.get(measure)?.get(system))),
  }));
  /** Each system's mean under these measures. */
  const rankings = (drawn: readonly Scores[], wanted: readonly string[]) => {
    const means = meansOf(drawn);
    return new Map(wanted.map((measure) => {
      const from = measures.indexOf(measure) * systems.length;
      return [
        measure,
        new Map(systems.flatMap((system, place) => {
          const mean = means[from + place];
          return mean === undefined ? [] : [[system, mean] as const];
        })),
      ];
    }));
  };
  const tau = (drawn: readonly Scores[], { first, second }: typeof yardstick) => {
    const [pair] = compareRankings(rankings(drawn, [first, second]));
    return pair?.tauB.kind === "correlation" ? pair.tauB.coefficient : undefined;
  };
  // Of one name: all statistics have the same resamples.
  const over = (statistic: (drawn: readonly Scores[]) => number | undefined) =>
    estimate("rankings", rows, statistic, options);
  const found = compareRankings(rankings(rows.map(({ value }) => value), measures));
  return found.map((agreement) => {
    const isYardstick = agreement.first === yardstick.first &&
      agreement.second === yardstick.second;
    return {
      ...agreement,
      interval: over((drawn) => tau(drawn, agreement)),
      beyondYardstick: isYardstick ? undefined : over((drawn) => {
        const [one, other] = [tau(drawn, agreement), tau(drawn, yardstick)];
        return one === undefined || other === undefined ? undefined : one - other;
      }),
    };
  });
}
