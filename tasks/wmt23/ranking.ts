import { clusterBootstrap } from "../../lib/stats/intervals.ts";
import type { BootstrapInterval } from "../../lib/stats/intervals.ts";
import { kendallTauB } from "../../lib/stats/rank_correlation.ts";
import { randomSource } from "../../lib/stats/random.ts";
import type { Unavailable } from "../../lib/stats/unavailable.ts";
import { type Measure, MEASURES, type ScoredTranslation } from "./scores.ts";

/** Kendall's τ-b of the systems' mean scores by two measures. */
export interface MeasureAgreement {
  readonly first: Measure;
  readonly second: Measure;
  readonly systems: number;
  /** Interval by bootstrap over segments, both measures on the same draw. */
  readonly tauB: BootstrapInterval | Unavailable;
}

const SEED = "wmt23 rank agreement";
const RESAMPLES = 2000;

/** How far every two measures put the systems in the same order. */
export function measureAgreements(
  translations: readonly ScoredTranslation[],
): readonly MeasureAgreement[] {
  const systems = [...new Set(translations.map(({ system }) => system))];
  const segments = segmentScores(translations, systems);
  return MEASURES.flatMap((first, index) =>
    MEASURES.slice(index + 1).map((second): MeasureAgreement => ({
      first,
      second,
      systems: systems.length,
      tauB: clusterBootstrap({
        items: segments,
        statistic: (drawn) => tauOfMeans(drawn, first, second),
        resamples: RESAMPLES,
        confidence: 0.95,
        random: randomSource(`${SEED} ${first} ${second}`),
      }),
    }))
  );
}

/** A segment's scores: for each measure one a system, systems in one order throughout. */
type SegmentScores = Readonly<Record<Measure, readonly number[]>>;

function segmentScores(
  translations: readonly ScoredTranslation[],
  systems: readonly string[],
): { readonly cluster: string; readonly value: SegmentScores }[] {
  return [...Map.groupBy(translations, ({ segment }) => segment)].map(([cluster, rows]) => {
    const bySystem = new Map(rows.map((row) => [row.system, row.scores]));
    const scores = MEASURES.map((measure) => [
      measure,
      systems.map((system) => scoreOf(bySystem.get(system), measure, cluster, system)),
    ]);
    return { cluster, value: Object.fromEntries(scores) as SegmentScores };
  });
}

function scoreOf(
  scores: ScoredTranslation["scores"] | undefined,
  measure: Measure,
  segment: string,
  system: string,
): number {
  if (scores !== undefined) return scores[measure];
  throw new RangeError(`Cannot rank: segment ${segment} has no translation by ${system}.`);
}

function tauOfMeans(
  drawn: readonly SegmentScores[],
  first: Measure,
  second: Measure,
): number | undefined {
  // A sum orders systems as a mean does: every system has every segment.
  const sums = (measure: Measure) => {
    const totals = drawn[0]![measure].map(() => 0);
    for (const segment of drawn) segment[measure].forEach((score, i) => totals[i]! += score);
    return totals;
  };
  const tau = kendallTauB(sums(first), sums(second));
  return tau.kind === "correlation" ? tau.coefficient : undefined;
}
