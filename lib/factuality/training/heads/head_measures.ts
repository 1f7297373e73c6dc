import { type BootstrapInterval, clusterBootstrap } from "../../../stats/intervals.ts";
import type { RandomSource } from "../../../stats/random.ts";
import type { Unavailable } from "../../../stats/unavailable.ts";
import {
  accuracy,
  balancedAccuracy,
  type ConfusionTable,
  confusionTable,
  f1,
  precision,
  recall,
} from "../../metrics/classification.ts";
import { brierScore, calibrationError } from "../../metrics/calibration.ts";
import type { VerdictProbabilities } from "../../verdicts/verdict.ts";
import { type LabelScheme, SCHEME_LABELS } from "../../verifiers/head_labels.ts";
import type { HeadMeasures } from "../../verifiers/head_weights.ts";
import { mostProbable } from "../../verifiers/verdict_parts.ts";
import type { JudgedCase } from "../measured_verdicts.ts";

/** One claim as it is counted. */
interface Counted {
  readonly truth: string;
  readonly predicted: string;
  readonly probabilities: Readonly<Record<string, number>>;
}

type Statistic = (values: readonly Counted[]) => number | Unavailable;

/** 95 % from 2,000 resamples, as elsewhere in the house. */
const BOOTSTRAP = { confidence: 0.95, resamples: 2_000 };

/**
 * Everything that is told of a head on held-out claims, each figure with its interval by cluster.
 * Precision, recall and F1 are of `supported`. Claims without a vector are counted as unscored and
 * left out.
 */
export function measureHead(
  cases: readonly JudgedCase[],
  scheme: LabelScheme,
  random: RandomSource,
): HeadMeasures {
  const items = cases.flatMap(({ label, cluster, probabilities }) =>
    probabilities === undefined ? [] : [{ cluster, value: counted(label, probabilities, scheme) }]
  );
  const figure = (statistic: Statistic): HeadMeasures["accuracy"] => {
    const defined = (values: readonly Counted[]) => {
      const value = statistic(values);
      return typeof value === "number" ? value : undefined;
    };
    const interval = clusterBootstrap({ items, statistic: defined, ...BOOTSTRAP, random });
    return shown(statistic(items.map(({ value }) => value)), interval);
  };
  const labels: readonly string[] = SCHEME_LABELS[scheme];
  const ofTable = (measure: (table: ConfusionTable<string>) => number | Unavailable) =>
    figure((values) => measure(confusionTable(labels, values)));
  return {
    n: items.length,
    unscored: cases.length - items.length,
    clusters: new Set(items.map(({ cluster }) => cluster)).size,
    accuracy: ofTable(accuracy),
    balancedAccuracy: ofTable(balancedAccuracy),
    precision: ofTable((table) => precision(table, "supported")),
    recall: ofTable((table) => recall(table, "supported")),
    f1: ofTable((table) => f1(table, "supported")),
    brier: figure((values) => brierScore(labels, values)),
    calibrationError: figure((values) => calibrationError(values.map(forecastOf))),
  };
}

function counted(
  label: JudgedCase["label"],
  probabilities: VerdictProbabilities,
  scheme: LabelScheme,
): Counted {
  if (scheme === "three-way") {
    return { truth: label, predicted: mostProbable(probabilities), probabilities };
  }
  const supported = Math.min(1, probabilities.supported);
  return {
    truth: label === "supported" ? label : "not supported",
    predicted: supported >= 0.5 ? "supported" : "not supported",
    probabilities: { supported, "not supported": 1 - supported },
  };
}

function forecastOf({ truth, predicted, probabilities }: Counted) {
  return { confidence: Math.min(1, probabilities[predicted]!), right: truth === predicted };
}

function shown(
  estimate: number | Unavailable,
  interval: BootstrapInterval | Unavailable,
): HeadMeasures["accuracy"] {
  if (typeof estimate !== "number") return { unavailable: estimate.reason };
  const short = (value: number) => Number(value.toFixed(6));
  return interval.kind === "unavailable"
    ? { estimate: short(estimate), noInterval: interval.reason }
    : { estimate: short(estimate), low: short(interval.low), high: short(interval.high) };
}
