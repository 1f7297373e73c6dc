import type { SystemPair } from "../../lib/translation/analysis/results.ts";
import {
  average,
  estimate,
  itemKey,
  type ItemValue,
} from "../../lib/translation/analysis/estimate.ts";
import type { AnalysisOptions } from "../../lib/translation/analysis/results.ts";
import { systemClusters } from "../../lib/translation/analysis/system_clusters.ts";
import { systemPairs } from "../../lib/translation/analysis/system_pairs.ts";
import { longRow } from "../../lib/translation/report/long_rows.ts";
import type { PAIR_COLUMNS, SYSTEM_COLUMNS } from "../../lib/translation/report/wmt23.ts";
import type { Measure } from "./scores.ts";

/** A system's score of one segment by one measure. */
export interface SystemScore extends ItemValue<number> {
  readonly system: string;
}

type Row<Columns extends readonly string[]> = Readonly<
  Record<Columns[number], string | number | boolean>
>;

/** What one measure says of the systems, as rows of `wmt23_systems.csv` and `wmt23_pairs.csv`. */
export interface MeasureRows {
  readonly systems: readonly Row<typeof SYSTEM_COLUMNS>[];
  readonly pairs: readonly Row<typeof PAIR_COLUMNS>[];
}

/**
 * Means, places, pairs and clusters of the systems by one measure. Significance is at `alpha`, with
 * Holm's adjustment and, as WMT's tables have it, without any.
 */
export function compareMeasure(
  measure: Measure,
  scores: readonly SystemScore[],
  options: AnalysisOptions,
  alpha: number,
): MeasureRows {
  const means = [...Map.groupBy(scores, ({ system }) => system)]
    .map(([system, own]) => ({ system, mean: longRow(estimate("systems", own, average, options)) }))
    .sort((a, b) => Number(b.mean.estimate) - Number(a.mean.estimate));
  const order = means.map(({ system }) => system);
  const pairs = systemPairs(order, itemsOf(scores), options);
  const clusters = systemClusters(order, pairs, alpha);
  const unadjusted = systemClusters(order, pairs.map(withoutAdjustment), alpha);
  const documents = new Set(scores.map(({ document }) => document)).size;
  return {
    systems: means.map(({ system, mean: { estimate, low, high, n } }, place) => ({
      ...{ measure, system, segments: n, documents, mean: estimate, low, high },
      rank: 1 + means.filter(({ mean }) => Number(mean.estimate) > Number(estimate)).length,
      ...{ cluster: clusters[place]!, cluster_unadjusted: unadjusted[place]! },
    })),
    pairs: pairs.map((pair) => pairRow(measure, pair, alpha)),
  };
}

function withoutAdjustment(pair: SystemPair): SystemPair {
  return pair.test.kind === "test" ? { ...pair, adjustedP: pair.test.p } : pair;
}

function pairRow(measure: Measure, pair: SystemPair, alpha: number) {
  const { first, second, difference, test, adjustedP } = pair;
  return {
    ...{ measure, first, second, difference: longRow(difference).estimate },
    p: test.kind === "test" ? test.p : "",
    adjusted_p: typeof adjustedP === "number" ? adjustedP : "",
    different: typeof adjustedP === "number" && adjustedP <= alpha,
  };
}

/** Raw scores: a system's score of a segment is one rating, so that there is nothing to average. */
function itemsOf(scores: readonly SystemScore[]) {
  return [...Map.groupBy(scores, itemKey).values()].map((own) => ({
    segment: own[0]!.segment,
    document: own[0]!.document,
    da: new Map(own.map(({ system, value }) => [system, value])),
    z: new Map<string, number>(),
  }));
}
