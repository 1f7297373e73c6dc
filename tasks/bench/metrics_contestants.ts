/** Our metrics as they are measured against Python's: on what tables, and what comes out. */
import {
  accuracy,
  balancedAccuracy,
  type ConfusionTable,
  confusionTable,
  f1,
  macroF1,
  precision,
  recall,
} from "../../lib/factuality/metrics/classification.ts";
import { brierScore, reliabilityBins } from "../../lib/factuality/metrics/calibration.ts";
import { cohenKappa, type KappaWeights, weightedKappa } from "../../lib/stats/agreement.ts";
import { shannonEntropy } from "../../lib/stats/entropy.ts";
import { fleissKappa } from "../../lib/stats/fleiss_kappa.ts";
import { gwetAc1 } from "../../lib/stats/gwet_ac1.ts";
import { krippendorffAlpha, type MeasurementLevel } from "../../lib/stats/krippendorff.ts";
import type { RandomSource } from "../../lib/stats/random.ts";
import { kendallTauB, spearman } from "../../lib/stats/rank_correlation.ts";
import type { RatedItem } from "../../lib/stats/rated_items.ts";
import type { Unavailable } from "../../lib/stats/unavailable.ts";
import {
  countTable,
  curveTable,
  distribution,
  forecastTable,
  type OutcomeTable,
  outcomeTable,
  pairedTable,
  type RatedTable,
  ratedTable,
} from "./metrics_tables.ts";

/** A number, or why there is none. */
export type Cell = number | Unavailable;

/** A metric on both sides; Python's has the same name in metrics.py. */
export interface Contestant {
  readonly metric: string;
  /** The Python package that has it. */
  readonly reference: string;
  /** What differs where both are right: an end of a bin, an undefined case. */
  readonly note: string;
  /** A random table as it is sent to Python, with our calculation on it, made ready beforehand. */
  table(random: RandomSource): MeasuredTable;
}

export interface MeasuredTable {
  /** As JSON. */
  readonly sent: unknown;
  readonly ours: () => readonly Cell[];
}

function contestant<Table, Prepared>(
  metric: string,
  reference: string,
  make: (random: RandomSource) => Table,
  prepare: (table: Table) => Prepared,
  ours: (prepared: Prepared) => readonly Cell[],
  note = "",
): Contestant {
  return {
    ...{ metric, reference, note },
    table(random) {
      const sent = make(random);
      const prepared = prepare(sent);
      return { sent, ours: () => ours(prepared) };
    },
  };
}

const same = <T>(table: T) => table;
const names = (classes: number) => Array.from({ length: classes }, (_, k) => `${k}`);

const kappa = (metric: string, weights?: KappaWeights) =>
  contestant(
    metric,
    "scikit-learn",
    pairedTable,
    same,
    ({ first, second }) => {
      const found = weights === undefined
        ? cohenKappa(first, second)
        : weightedKappa(first, second, weights);
      return [found.kind === "kappa" ? found.kappa : found];
    },
  );

const alpha = (level: MeasurementLevel) =>
  contestant(
    `Krippendorff's alpha, ${level}`,
    "krippendorff",
    (random) => ratedTable(random).units,
    (units) => units.map((unit) => unit.map((value) => value ?? undefined)),
    (units) => {
      const found = krippendorffAlpha(units, level);
      return [found.kind === "alpha" ? found.alpha : found];
    },
  );

function ratedItems({ units, classes }: RatedTable) {
  const labels = names(classes);
  const items = units.map((unit, i): RatedItem<string> => ({
    id: `${i}`,
    labels: unit.flatMap((value) => (value === null ? [] : [`${value}`])),
  }));
  return { items, labels };
}

function itemsOfCounts(counts: readonly (readonly number[])[]) {
  const labels = names(counts[0]!.length);
  const items = counts.map((row, i): RatedItem<string> => ({
    id: `${i}`,
    labels: row.flatMap((count, k) => new Array<string>(count).fill(labels[k]!)),
  }));
  return { items, labels };
}

const correlation = (metric: string, measure: typeof spearman) =>
  contestant(metric, "scipy", pairedTable, same, ({ first, second }) => {
    const found = measure(first, second);
    return [found.kind === "correlation" ? found.coefficient : found];
  });

type Measure = (table: ConfusionTable<string>) => readonly Cell[];

const classification = (metric: string, measure: Measure, note = "") =>
  contestant(
    metric,
    "scikit-learn",
    outcomeTable,
    outcomes,
    (prepared) => measure(confusionTable(prepared.labels, prepared.outcomes)),
    note,
  );

function outcomes({ truth, predicted, classes }: OutcomeTable) {
  return {
    labels: names(classes),
    outcomes: truth.map((label, i) => ({ truth: `${label}`, predicted: `${predicted[i]}` })),
  };
}

const perLabel =
  (measure: (table: ConfusionTable<string>, label: string) => Cell): Measure => (table) =>
    table.labels.map((label) => measure(table, label));

const NO_DIVISION = "a label without a case is 0 with a warning there, unavailable here";

/** Every metric that Python has too. */
export const CONTESTANTS: readonly Contestant[] = [
  kappa("Cohen's kappa"),
  kappa("weighted kappa, linear", "linear"),
  kappa("weighted kappa, quadratic", "quadratic"),
  contestant(
    "Fleiss' kappa",
    "statsmodels",
    countTable,
    itemsOfCounts,
    ({ items, labels }) => {
      const found = fleissKappa(items, labels);
      return [found.kind === "fleiss" ? found.kappa : found];
    },
  ),
  alpha("nominal"),
  alpha("ordinal"),
  alpha("interval"),
  contestant(
    "Gwet's AC1",
    "irrCAC",
    ratedTable,
    ratedItems,
    ({ items, labels }) => {
      const found = gwetAc1(items, labels);
      return [found.kind === "ac1" ? found.ac1 : found];
    },
  ),
  correlation("Kendall's tau-b", kendallTauB),
  correlation("Spearman's rho", spearman),
  contestant("Shannon entropy", "scipy", distribution, same, (p) => [shannonEntropy(p)]),
  classification("accuracy", (table) => [accuracy(table)]),
  classification("precision", perLabel(precision), NO_DIVISION),
  classification("recall", perLabel(recall), NO_DIVISION),
  classification("F1", perLabel(f1), NO_DIVISION),
  classification("macro F1", (table) => [macroF1(table)], NO_DIVISION),
  classification(
    "balanced accuracy",
    (table) => [balancedAccuracy(table)],
    "a label without a case is left out of the mean there, unavailable here",
  ),
  contestant("Brier score", "scikit-learn", forecastTable, (table) => ({
    labels: names(table.probabilities[0]!.length),
    forecasts: table.probabilities.map((row, i) => ({
      probabilities: Object.fromEntries(row.map((p, k) => [`${k}`, p])),
      truth: `${table.truth[i]}`,
    })),
  }), ({ labels, forecasts }) => [brierScore(labels, forecasts)]),
  contestant(
    "calibration curve",
    "scikit-learn",
    curveTable,
    ({ confidence, right }) =>
      confidence.map((value, i) => ({ confidence: value, right: right[i] === 1 })),
    (forecasts) =>
      reliabilityBins(forecasts).flatMap(({ n, meanConfidence, share }) =>
        n === 0 ? [] : [meanConfidence!, share!]
      ),
    "a confidence on the end of a bin is in the bin below there, in the one above here",
  ),
];
