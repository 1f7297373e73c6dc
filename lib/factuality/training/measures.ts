import type { Unavailable } from "../../stats/agreement.ts";
import { type BootstrapInterval, clusterBootstrap } from "../../stats/intervals.ts";
import type { RandomSource } from "../../stats/random.ts";
import type { CaseLabel } from "../datasets/labelled_case.ts";
import { isAccepted } from "../decision.ts";
import {
  accuracy,
  areaUnderCurve,
  balancedAccuracy,
  brierScore,
  calibrationError,
  type ConfusionTable,
  confusionTable,
  f1,
  macroF1,
  precision,
  recall,
} from "../metrics/classification.ts";
import { classificationInterval } from "../metrics/intervals.ts";
import {
  type MeasuredAccuracy,
  VERDICT_LABELS,
  type VerdictLabel,
  type VerdictProbabilities,
} from "../types.ts";
import type { ScoreCalibration } from "../verifiers/baselines.ts";
import { type HeadMeasures, type LabelScheme, SCHEME_LABELS } from "../verifiers/head.ts";
import { fitLogistic } from "./fit_head.ts";
import { clusterFolds, FOLDS } from "./measure_judge.ts";

/** What a verifier said of a case. */
export interface JudgedCase {
  readonly label: CaseLabel;
  readonly cluster: string;
  /** Undefined where it is unscored. */
  readonly probabilities: VerdictProbabilities | undefined;
}

/** `three-way` asks which class is likeliest; `binary`, as labels do, whether a claim is accepted. */
export type Reading = LabelScheme;

/** The most probable of three classes, as classifiers are measured; a verdict's label is `decide()`. */
export function likeliest(probabilities: VerdictProbabilities): VerdictLabel {
  return VERDICT_LABELS.reduce((best, label) =>
    probabilities[label] > probabilities[best] ? label : best
  );
}

/** One claim as it is counted. */
interface Counted {
  readonly cluster: string;
  readonly truth: string;
  readonly predicted: string;
  readonly probabilities: Readonly<Record<string, number>>;
}

const [SUPPORTED, REST] = SCHEME_LABELS.binary;
const sideOf = (isSupported: boolean) => isSupported ? SUPPORTED : REST;

/** The scored cases as a reading counts them. */
export function countedCases(cases: readonly JudgedCase[], reading: Reading): readonly Counted[] {
  return cases.flatMap(({ label, cluster, probabilities }): readonly Counted[] => {
    if (probabilities === undefined) return [];
    if (reading === "three-way") {
      return [{ cluster, truth: label, predicted: likeliest(probabilities), probabilities }];
    }
    const supported = Math.min(1, probabilities.supported);
    return [{
      cluster,
      truth: sideOf(label === "supported"),
      predicted: sideOf(isAccepted(supported)),
      probabilities: { [SUPPORTED]: supported, [REST]: 1 - supported },
    }];
  });
}

/** One row of a table of results. */
export interface MeasuredVerdicts {
  readonly reading: Reading;
  /** Scored cases, and those that were not. */
  readonly n: number;
  readonly unscored: number;
  readonly clusters: number;
  readonly accuracy: number | Unavailable;
  readonly balancedAccuracy: number | Unavailable;
  /** Of balanced accuracy, 95 %, by resampling clusters. */
  readonly low: number | Unavailable;
  readonly high: number | Unavailable;
  readonly macroF1: number | Unavailable;
  readonly calibrationError: number | Unavailable;
  readonly brier: number | Unavailable;
}

/**
 * Measures a verifier on cases. Unscored ones are counted and left out.
 * @throws {RangeError} for a three-way reading of a set that knows two labels.
 */
export function measureVerdicts(
  cases: readonly JudgedCase[],
  reading: Reading,
  random: RandomSource,
): MeasuredVerdicts {
  const counted = countedCases(cases, reading);
  const labels: readonly string[] = SCHEME_LABELS[reading];
  const table = confusionTable(labels, counted);
  const interval = classificationInterval(labels, counted, balancedAccuracy, random);
  const known = interval.kind === "interval";
  return {
    reading,
    n: counted.length,
    unscored: cases.length - counted.length,
    clusters: new Set(counted.map(({ cluster }) => cluster)).size,
    accuracy: accuracy(table),
    balancedAccuracy: balancedAccuracy(table),
    low: known ? interval.low : interval,
    high: known ? interval.high : interval,
    macroF1: macroF1(table),
    calibrationError: calibrationError(counted.map(forecastOf)),
    brier: brierScore(labels, counted),
  };
}

function forecastOf({ truth, predicted, probabilities }: Counted) {
  return { confidence: Math.min(1, probabilities[predicted]!), right: truth === predicted };
}

/** A claim's likeness to its sources, and what is known of it. */
interface ScoredCase {
  readonly score: number;
  readonly label: VerdictLabel;
}

/**
 * The threshold with the best balanced accuracy of supported against the rest (the least of equals,
 * half-way between two scores), and the slope of a logistic regression on the same cases.
 * @throws {RangeError} unless there are cases on both sides.
 */
export function fitScoreCalibration(cases: readonly ScoredCase[]): ScoreCalibration {
  const supported = cases.filter(({ label }) => label === "supported").length;
  const rest = cases.length - supported;
  if (supported === 0 || rest === 0) {
    throw new RangeError("Cannot choose a threshold: all cases are on one side of it.");
  }
  return {
    threshold: bestThreshold(cases),
    slope: slopeOf(cases),
    refutedShare: cases.filter(({ label }) => label === "refuted").length / rest,
  };
}

function bestThreshold(cases: readonly ScoredCase[]): number {
  const scores = [...new Set(cases.map(({ score }) => score))].sort((a, b) => a - b);
  const between = scores.slice(1).map((score, i) => (score + scores[i]!) / 2);
  let best = { threshold: scores[0]!, value: 0 };
  for (const threshold of between) {
    const table = confusionTable(
      SCHEME_LABELS.binary,
      cases.map(({ score, label }) => ({
        truth: sideOf(label === "supported"),
        predicted: sideOf(score >= threshold),
      })),
    );
    const value = balancedAccuracy(table) as number;
    if (value > best.value) best = { threshold, value };
  }
  return best.threshold;
}

/** Of a two-class regression: the difference of its two coefficients. */
function slopeOf(cases: readonly ScoredCase[]): number {
  const rows = cases.map(({ score, label }) => ({
    features: [score],
    label: label === "supported" ? 0 : 1,
    weight: 1,
  }));
  const { coefficients } = fitLogistic(rows, { classes: 2, l2: 1e-4 });
  return coefficients[0]![0]! - coefficients[1]![0]!;
}

/** A claim's score, and the country or response that it shares its luck with. */
export interface ScoredClaim extends ScoredCase {
  readonly cluster: string;
}

/** A verifier of one number: what it is calibrated with, and how far it can be trusted. */
interface ScoreMeasurement {
  /** Fitted on all claims. */
  readonly calibration: ScoreCalibration;
  /** Of thresholds fitted without the claim's own cluster. */
  readonly measured: MeasuredAccuracy;
  /** Probability that a supported claim scores above another, ties half; 0.5 is chance. */
  readonly areaUnderCurve: number;
}

/**
 * Balanced accuracy of supported against the rest with a 95 % bootstrap interval by cluster, each
 * claim read by a threshold that was fitted on four fifths of the clusters, not its own. The interval
 * takes those thresholds as given.
 *
 * @param claims At least five clusters, both sides in what is left without any fifth of them.
 * @param on Words for what the claims are.
 * @throws {RangeError} where there are too few.
 */
export function measureScore(
  claims: readonly ScoredClaim[],
  { on, random }: { readonly on: string; readonly random: RandomSource },
): ScoreMeasurement {
  const folds = clusterFolds(claims, random);
  const thresholds = Array.from(
    { length: FOLDS },
    (_, fold) =>
      fitScoreCalibration(claims.filter(({ cluster }) => folds.get(cluster) !== fold)).threshold,
  );
  const outcomes = claims.map(({ cluster, label, score }) => ({
    cluster,
    truth: sideOf(label === "supported"),
    predicted: sideOf(score >= thresholds[folds.get(cluster)!]!),
  }));
  const interval = classificationInterval(SCHEME_LABELS.binary, outcomes, balancedAccuracy, random);
  if (interval.kind === "unavailable") {
    throw new RangeError(`Cannot measure a score on ${claims.length} claims: ${interval.reason}`);
  }
  const { estimate, low, high, n } = interval;
  return {
    calibration: fitScoreCalibration(claims),
    measured: { balancedAccuracy: estimate, low, high, n, on },
    areaUnderCurve: areaUnderCurve(
      claims.map(({ label, score }) => ({ supported: label === "supported", score })),
    ),
  };
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
  const items = countedCases(cases, scheme).map((value) => ({ cluster: value.cluster, value }));
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
