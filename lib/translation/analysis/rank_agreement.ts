import { type Correlation, kendallTauB } from "../../stats/rank_correlation.ts";
import type { Unavailable } from "../../stats/unavailable.ts";
import { average, estimate, type Placed } from "./estimate.ts";
import type { AnalysisOptions, Estimate, RankAgreement } from "./results.ts";

/** A figure of each system. */
export type SystemFigures = ReadonlyMap<string, number>;

/** One segment's scores, by measure and system. */
export interface MeasuredSegment extends Placed {
  readonly scores: ReadonlyMap<string, SystemFigures>;
}

/** A {@link RankAgreement} with its interval over segments. */
export interface ResampledRankAgreement extends RankAgreement {
  readonly interval: Estimate;
}

/**
 * Kendall's τ-b of systems' means for every two measures, in the order given, over the systems that
 * both have. Measures whose low values are good (error counts) must be turned round first.
 */
export function compareRankings(
  means: ReadonlyMap<string, SystemFigures>,
): readonly RankAgreement[] {
  const measures = [...means.keys()];
  return measures.flatMap((first, place) =>
    measures.slice(place + 1).map((second) => ({
      first,
      second,
      tauB: agreement(means.get(first)!, means.get(second)!),
    }))
  );
}

/** {@link compareRankings} of the means over segments, with intervals from resampled segments. */
export function resampledRankings(
  segments: readonly MeasuredSegment[],
  options: AnalysisOptions,
): readonly ResampledRankAgreement[] {
  const values = segments.map(({ segment, document, scores }) => ({
    segment,
    document,
    value: scores,
  }));
  return compareRankings(meansOver(values.map(({ value }) => value))).map((pair) => {
    const statistic = (drawn: readonly MeasuredSegment["scores"][]) => {
      const means = meansOver(drawn, [pair.first, pair.second]);
      const found = agreement(means.get(pair.first)!, means.get(pair.second)!);
      return found.kind === "correlation" ? found.coefficient : undefined;
    };
    return { ...pair, interval: estimate("rankings", values, statistic, options) };
  });
}

function agreement(first: SystemFigures, second: SystemFigures): Correlation | Unavailable {
  const systems = [...first.keys()].filter((system) => second.has(system));
  return kendallTauB(
    systems.map((system) => first.get(system)!),
    systems.map((system) => second.get(system)!),
  );
}

/** Each system's mean under each of the measures; all that occur unless told. */
function meansOver(
  segments: readonly MeasuredSegment["scores"][],
  measures: readonly string[] = [...new Set(segments.flatMap((scores) => [...scores.keys()]))],
): ReadonlyMap<string, SystemFigures> {
  return new Map(measures.map((measure) => {
    const found = segments.flatMap((scores) => [...scores.get(measure) ?? []]);
    const bySystem = Map.groupBy(found, ([system]) => system);
    return [
      measure,
      new Map(
        bySystem.entries().map((
          [system, own],
        ) => [system, average(own.map(([, score]) => score))!]),
      ),
    ];
  }));
}
