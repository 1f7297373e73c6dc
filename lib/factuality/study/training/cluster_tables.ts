import { type BootstrapInterval, clusterBootstrap } from "../../../stats/intervals.ts";
import type { RandomSource } from "../../../stats/random.ts";
import type { Unavailable } from "../../../stats/unavailable.ts";
import { balancedAccuracy, confusionTable } from "../../metrics/classification.ts";
import type { JudgedCase, Reading } from "../../training/measured_verdicts.ts";
import { SCHEME_LABELS } from "../../verifiers/head_labels.ts";
import { mostProbable } from "../../verifiers/verdict_parts.ts";

/** What a head said of one cluster's claims: `counts[i][j]` claims of label i taken for label j. */
export interface ClusterTable {
  readonly cluster: string;
  readonly counts: readonly (readonly number[])[];
}

/** One table a cluster, in the order in which clusters come; unscored claims are left out. */
export function clusterTables(
  cases: readonly JudgedCase[],
  reading: Reading,
): readonly ClusterTable[] {
  const labels: readonly string[] = SCHEME_LABELS[reading];
  const scored = cases.filter(({ probabilities }) => probabilities !== undefined);
  return [...Map.groupBy(scored, ({ cluster }) => cluster)].map(([cluster, own]) => ({
    cluster,
    counts: confusionTable(labels, own.map((one) => outcomeOf(one, reading))).counts,
  }));
}

function outcomeOf({ label, probabilities }: JudgedCase, reading: Reading) {
  if (reading === "three-way") return { truth: label, predicted: mostProbable(probabilities!) };
  const side = (isSupported: boolean) => isSupported ? "supported" : "not supported";
  return {
    truth: side(label === "supported"),
    predicted: side(probabilities!.supported >= 0.5),
  };
}

/** The claims in the tables. */
export function claimsIn(tables: readonly ClusterTable[]): number {
  return tables.flatMap(({ counts }) => counts.flat()).reduce((a, b) => a + b, 0);
}

/** Resamples behind an interval at 95 %. */
const BOOTSTRAP = { confidence: 0.95, resamples: 2_000 };

/**
 * Mean balanced accuracy, 0–1, of several runs on the same clusters, with its interval by cluster. The
 * interval is for other clusters, the trained heads being what they are.
 * @throws {RangeError} where the runs are not on the same clusters.
 */
export function meanBalancedAccuracy(
  runs: readonly (readonly ClusterTable[])[],
  random: RandomSource,
): BootstrapInterval | Unavailable {
  return ofRuns(runs, random, (values) => meanOf(values));
}

/** Balanced accuracy of the first run less that of the second, resampled together. */
export function balancedAccuracyDifference(
  first: readonly ClusterTable[],
  second: readonly ClusterTable[],
  random: RandomSource,
): BootstrapInterval | Unavailable {
  return ofRuns(
    [first, second],
    random,
    ([a, b]) => a === undefined || b === undefined ? undefined : a - b,
  );
}

function ofRuns(
  runs: readonly (readonly ClusterTable[])[],
  random: RandomSource,
  combine: (values: readonly (number | undefined)[]) => number | undefined,
): BootstrapInterval | Unavailable {
  const byCluster = runs.map((tables) => new Map(tables.map((one) => [one.cluster, one.counts])));
  const clusters = [...byCluster[0]?.keys() ?? []];
  requireSameClusters(byCluster, clusters);
  return clusterBootstrap({
    items: clusters.map((cluster) => ({
      cluster,
      value: byCluster.map((tables) => tables.get(cluster)!),
    })),
    statistic: (drawn) => combine(runs.map((_, run) => pooled(drawn.map((one) => one[run]!)))),
    ...BOOTSTRAP,
    random,
  });
}

function requireSameClusters(
  runs: readonly ReadonlyMap<string, unknown>[],
  clusters: readonly string[],
): void {
  const isSame = runs.every((run) =>
    run.size === clusters.length && clusters.every((name) => run.has(name))
  );
  if (isSame) return;
  throw new RangeError("Cannot compare runs: they were not measured on the same clusters.");
}

/** In plain loops: it is done thousands of times for each interval. */
function pooled(tables: readonly ClusterTable["counts"][]): number | undefined {
  const labels = (tables[0] ?? []).map((_, i) => `${i}`);
  const counts = labels.map(() => labels.map(() => 0));
  let n = 0;
  for (const table of tables) {
    for (let i = 0; i < labels.length; i++) {
      for (let j = 0; j < labels.length; j++) {
        counts[i]![j]! += table[i]![j]!;
        n += table[i]![j]!;
      }
    }
  }
  const value = balancedAccuracy({ labels, counts, n });
  return typeof value === "number" ? value : undefined;
}

function meanOf(values: readonly (number | undefined)[]): number | undefined {
  if (values.some((value) => value === undefined)) return undefined;
  return values.reduce((sum: number, value) => sum + value!, 0) / values.length;
}
