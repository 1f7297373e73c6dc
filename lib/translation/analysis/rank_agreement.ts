import { kendallTauB } from "../../stats/rank_correlation.ts";
import { type Unavailable, unavailable } from "../../stats/unavailable.ts";
import { estimate, type ItemValue, type Placed } from "./estimate.ts";
import { everyTwo } from "./every_two.ts";
import type { AnalysisOptions, Estimate, RankAgreement } from "./results.ts";

/** A figure of each system. */
export type SystemFigures = ReadonlyMap<string, number>;

/** One segment's scores, by measure and system. */
export interface MeasuredSegment extends Placed {
  readonly scores: ReadonlyMap<string, SystemFigures>;
}

/** Two measures. */
export type MeasurePair = Pick<RankAgreement, "first" | "second">;

/** A {@link RankAgreement} with its intervals over segments or documents. */
export interface ResampledRankAgreement extends RankAgreement {
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
    const figures = [
      systems.map((system) => one.get(system)!),
      systems.map((system) => other.get(system)!),
    ] as const;
    return { first, second, tauB: kendallTauB(...figures), pairwiseAccuracy: accuracy(...figures) };
  });
}

/**
 * {@link compareRankings} of the means over segments, with intervals; and how far each pair agrees
 * better or worse than the pair that is the `yardstick`, such as two rounds of one measure.
 */
export function resampledRankings(
  segments: readonly MeasuredSegment[],
  options: AnalysisOptions,
  yardstick: MeasurePair,
): readonly ResampledRankAgreement[] {
  const table = tableOf(segments);
  const rows = table.rows.map(({ value }) => value);
  // Of one name: all statistics have the same resamples.
  const over = (statistic: (drawn: readonly Scores[]) => number | undefined) =>
    estimate("rankings", table.rows, statistic, options);
  return compareRankings(table.meansOf(rows)).map((agreement) => {
    const isYardstick = agreement.first === yardstick.first &&
      agreement.second === yardstick.second;
    const own = (drawn: readonly Scores[]) => tau(table.meansOf(drawn, agreement));
    const beyond = (drawn: readonly Scores[]) => {
      const [one, other] = [own(drawn), tau(table.meansOf(drawn, yardstick))];
      return one === undefined || other === undefined ? undefined : one - other;
    };
    return {
      ...agreement,
      interval: over(own),
      beyondYardstick: isYardstick ? undefined : over(beyond),
    };
  });
}

function tau(means: ReadonlyMap<string, SystemFigures>): number | undefined {
  const [pair] = compareRankings(means);
  return pair?.tauB.kind === "correlation" ? pair.tauB.coefficient : undefined;
}

function accuracy(first: readonly number[], second: readonly number[]): number | Unavailable {
  let [alike, pairs] = [0, 0];
  for (let one = 1; one < first.length; one++) {
    for (let other = 0; other < one; other++) {
      const product = (first[one]! - first[other]!) * (second[one]! - second[other]!);
      if (product > 0) alike++;
      pairs++;
    }
  }
  return pairs === 0 ? unavailable("fewer than two systems") : alike / pairs;
}

/** One segment's scores in the order of the table's measures × systems. */
type Scores = readonly (number | undefined)[];

interface ScoreTable {
  readonly rows: readonly ItemValue<Scores>[];
  /** Each system's mean under both measures of a pair, or under all. */
  readonly meansOf: (
    drawn: readonly Scores[],
    pair?: MeasurePair,
  ) => ReadonlyMap<string, SystemFigures>;
}

/** Scores as arrays, because resampling averages them thousands of times. */
function tableOf(segments: readonly MeasuredSegment[]): ScoreTable {
  const measures = [...new Set(segments.flatMap(({ scores }) => [...scores.keys()]))];
  const systems = [
    ...new Set(
      segments.flatMap(({ scores }) => [...scores.values()].flatMap((own) => [...own.keys()])),
    ),
  ];
  const rows = segments.map(({ segment, document, scores }) => ({
    segment,
    document,
    value: measures.flatMap((measure) => systems.map((system) => scores.get(measure)?.get(system))),
  }));
  const meansOf: ScoreTable["meansOf"] = (drawn, pair) =>
    new Map(
      (pair === undefined ? measures : [pair.first, pair.second]).map((measure) => {
        const from = measures.indexOf(measure) * systems.length;
        const means = systems.map((system, place) =>
          [system, meanAt(from + place, drawn)] as const
        );
        return [
          measure,
          new Map(means.flatMap(([system, mean]) => mean === undefined ? [] : [[system, mean]])),
        ];
      }),
    );
  return { rows, meansOf };
}

function meanAt(place: number, rows: readonly Scores[]): number | undefined {
  let [total, count] = [0, 0];
  for (const row of rows) {
    const score = row[place];
    if (score === undefined) continue;
    total += score;
    count++;
  }
  return count === 0 ? undefined : total / count;
}
