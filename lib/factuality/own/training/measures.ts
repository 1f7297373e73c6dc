/**
 * Measures verifiers and judges on labelled claims, with intervals by cluster.
 * @module
 */
import { type Unavailable, unavailable } from "../../../stats/agreement.ts";
import { shown } from "../../../stats/measure.ts";
import type { RandomSource } from "../../../stats/random.ts";
import type { CaseLabel } from "../../types.ts";
import { decide, isAccepted } from "../../decision.ts";
import {
  calibratedProbability,
  fitPlatt,
  isVoteFor,
  logOdds,
  type PlattScaling,
} from "../../judges/ensemble.ts";
import * as metrics from "../../metrics/classification.ts";
import {
  balancedAccuracyInterval,
  BINARY_LABELS,
  binaryLabel,
  classificationInterval,
} from "../../metrics/classification.ts";
import { type MeasuredAccuracy, VERDICT_LABELS } from "../../types.ts";
import type { VerdictLabel, VerdictProbabilities } from "../../types.ts";
import type { ScoreCalibration } from "../../verifiers/baselines.ts";
import type { VerdictCalibration, VerdictOdds } from "../../verifiers/large.ts";
import { fitLogisticRegression } from "./logistic.ts";
import type { VerifierSourceRow } from "./tables.ts";

/** Verdict of a verifier on a case. */
export interface JudgedCase {
  readonly label: CaseLabel;
  readonly cluster: string;
  /** Undefined where the case is unscored. */
  readonly probabilities: VerdictProbabilities | undefined;
}

/**
 * Scoring of labels: `three-way` by the most probable class, `binary` by acceptance of the claim.
 */
type LabelScheme = "binary" | "three-way";

/** A scored case as counted. */
type Counted = Readonly<
  Record<"cluster" | "truth" | "predicted", string> & {
    probabilities: Readonly<Record<string, number>>;
  }
>;

const [SUPPORTED, REST] = BINARY_LABELS;

/** Selects the scored cases and counts them by a label scheme. */
function countedCases(cases: readonly JudgedCase[], reading: LabelScheme): readonly Counted[] {
  return cases.flatMap(({ label, cluster, probabilities }): readonly Counted[] => {
    if (probabilities === undefined) return [];
    if (reading === "three-way") {
      // The most probable of three labels, as usual for classifiers; a verdict's label is
      // `decide()`.
      const predicted = VERDICT_LABELS.reduce((best, one) =>
        probabilities[one] > probabilities[best] ? one : best
      );
      return [{ cluster, truth: label, predicted, probabilities }];
    }
    const supported = Math.min(1, probabilities.supported);
    const predicted = binaryLabel(isAccepted(supported));
    const sides = { [SUPPORTED]: supported, [REST]: 1 - supported };
    return [{ cluster, truth: binaryLabel(label === SUPPORTED), predicted, probabilities: sides }];
  });
}

export type MeasuredVerdicts = ReturnType<typeof measureVerdicts>;

/**
 * Measures a verifier on cases, one row of a table of results. Unscored cases are counted and
 * excluded. `low` and `high` bound the balanced accuracy, 95 %, by cluster. @throws {RangeError}
 * for the three-way scheme on a set with binary labels.
 */
export function measureVerdicts(
  cases: readonly JudgedCase[],
  reading: LabelScheme,
) {
  const counted = countedCases(cases, reading);
  const labels: readonly string[] = reading === "binary" ? BINARY_LABELS : VERDICT_LABELS;
  const table = metrics.confusionTable(labels, counted);
  const interval = classificationInterval(labels, counted, metrics.balancedAccuracy);
  const none = unavailable("reason" in interval ? interval.reason ?? "no interval" : "");
  const { low, high } = interval.kind === "interval" ? interval : { low: none, high: none };
  return {
    reading,
    n: counted.length,
    unscored: cases.length - counted.length,
    clusters: new Set(counted.map(({ cluster }) => cluster)).size,
    accuracy: metrics.accuracy(table),
    balancedAccuracy: metrics.balancedAccuracy(table),
    interval,
    low,
    high,
    macroF1: metrics.macroF1(table),
    calibrationError: metrics.calibrationError(
      counted.map(({ truth, predicted, probabilities }) => (
        { confidence: Math.min(1, probabilities[predicted]!), right: truth === predicted }
      )),
    ),
    brier: metrics.brierScore(labels, counted),
    /** Area under the ROC curve of P(supported). */
    areaUnderCurve: metrics.areaUnderCurve(
      cases.flatMap(({ label, probabilities }) =>
        probabilities === undefined
          ? []
          : [{ supported: label === SUPPORTED, score: probabilities.supported }]
      ),
    ),
  };
}

const CASE_LABELS = [...VERDICT_LABELS, "not supported"] as const;

/** Counts the verdicts on cases of each label. Unscored cases and unlabelled ones are left out. */
export function verdictCounts(source: string, cases: readonly JudgedCase[]) {
  return CASE_LABELS.flatMap((label): readonly VerifierSourceRow[] => {
    const predictedLabels = cases.flatMap(({ label: trueLabel, probabilities }) =>
      trueLabel === label && probabilities ? [decide(probabilities)] : []
    );
    const count = (wanted: VerdictLabel) => predictedLabels.filter((one) => one === wanted).length;
    return predictedLabels.length === 0 ? [] : [{
      ...{ source, label, n: predictedLabels.length },
      supported: count("supported"),
      refuted: count("refuted"),
      not_enough_info: count("not enough info"),
    }];
  });
}

/** Returns an available number. @throws {RangeError} where it is unavailable. */
export function numberOrThrow(where: string, what: string, figure: number | Unavailable): number {
  if (typeof figure === "number") return figure;
  throw new RangeError(`Cannot measure ${where}: its ${what} is unknown, ${figure.reason}.`);
}

/**
 * Fits a threshold and a slope to scores of supported claims against the rest.
 *
 * The threshold has the best balanced accuracy (the least of equals, half-way between two scores);
 * the slope is that of a logistic regression on the same cases.
 * @throws {RangeError} unless there are cases on both sides.
 */
export function fitScoreCalibration(
  cases: readonly { readonly score: number; readonly label: CaseLabel }[],
): ScoreCalibration {
  const unsupportedCases = cases.filter(({ label }) => label !== SUPPORTED);
  if (unsupportedCases.length === 0 || unsupportedCases.length === cases.length) {
    throw new RangeError("Cannot choose a threshold: all cases are on one side of it.");
  }
  const scores = [...new Set(cases.map(({ score }) => score))].sort((a, b) => a - b);
  let best = { threshold: scores[0]!, value: 0 };
  for (const [i, score] of scores.slice(1).entries()) {
    const threshold = (score + scores[i]!) / 2;
    const outcomes = cases.map((one) => ({
      truth: binaryLabel(one.label === SUPPORTED),
      predicted: binaryLabel(one.score >= threshold),
    }));
    const value = metrics.balancedAccuracy(
      metrics.confusionTable(BINARY_LABELS, outcomes),
    ) as number;
    if (value > best.value) best = { threshold, value };
  }
  const rows = cases.map(({ score, label }) => {
    return { features: [score], label: Number(label !== SUPPORTED), weight: 1 };
  });
  const { coefficients: [risen] } = fitLogisticRegression(rows, 5e-5);
  const refuted = unsupportedCases.filter(({ label }) => label === "refuted").length;
  return {
    threshold: best.threshold,
    slope: -risen!,
    refutedShare: refuted / unsupportedCases.length,
  };
}

/** Folds of clusters for measuring a fit on unseen data. */
export const FOLDS = 5;

/** Draws a fold, 0 to 4, for each cluster at random. */
export function clusterFolds(
  claims: readonly { readonly cluster: string }[],
  random: RandomSource,
): ReadonlyMap<string, number> {
  const clusters = random.shuffle([...new Set(claims.map(({ cluster }) => cluster))].sort());
  return new Map(clusters.map((cluster, index) => [cluster, index % FOLDS]));
}

/** Returns for each claim the fit without its fold. */
export function crossFitted<Claim extends { readonly cluster: string }, Fit>(
  claims: readonly Claim[],
  random: RandomSource,
  fit: (others: readonly Claim[]) => Fit,
): (claim: Claim) => Fit {
  const folds = clusterFolds(claims, random);
  const foldOf = ({ cluster }: Claim) => folds.get(cluster)!;
  const fits = Array.from(
    new Set(folds.values()),
    (fold) => fit(claims.filter((one) => foldOf(one) !== fold)),
  );
  return (claim) => fits[foldOf(claim)]!;
}

/** Score of a judge for a labelled claim. */
export interface JudgedClaim {
  /** Cluster of folds and intervals: a country or a response. */
  readonly cluster: string;
  readonly supported: boolean;
  /** Score, 0–100, uncalibrated. */
  readonly score: number;
}

/**
 * Measures a judge: balanced accuracy with a 95 % interval by cluster, given the scalings.
 *
 * A written score counts unchanged, from 50 on, and has no scaling; a probability is calibrated
 * first, and each claim measured by a scaling fitted without its cluster. The threshold is the
 * share of supported claims that it was fitted on: where a fold has more of them, the others have
 * fewer, and with 0.5 a judge without information would be wrong more often than by chance.
 */
export function measureJudge(
  claims: readonly JudgedClaim[],
  { on, random, readout }: {
    /** Description of the claims that it was measured on. */
    readonly on: string;
    readonly random: RandomSource;
    readonly readout: "generation" | "next-token";
  },
) {
  const isWritten = readout === "generation";
  const isAcceptedBy = isWritten ? () => isVoteFor : crossFitted(claims, random, (others) => {
    const share = others.filter(({ supported }) => supported).length / others.length;
    const scaling = scalingOf(others);
    return (score: number) => calibratedProbability(score / 100, scaling) >= share;
  });
  const outcomes = claims.map((claim) => {
    const isAccepted = isAcceptedBy(claim)(claim.score);
    return { cluster: claim.cluster, isSupported: claim.supported, isAccepted };
  });
  const interval = balancedAccuracyInterval(outcomes);
  if (interval.kind !== "interval") {
    throw new RangeError(`Cannot measure on ${claims.length} claims: ${interval.reason}`);
  }
  const { estimate: balancedAccuracy, low, high } = interval;
  const measured: MeasuredAccuracy = { balancedAccuracy, low, high, n: outcomes.length, on };
  return {
    scaling: isWritten ? undefined : scalingOf(claims),
    measured,
    areaUnderCurve: metrics.areaUnderCurve(claims),
  };
}

/** Describes a balanced accuracy for the terminal. */
export function accuracyWords(
  { balancedAccuracy, low, high, n, areaUnderCurve, unscored }: Omit<MeasuredAccuracy, "on"> & {
    readonly areaUnderCurve: number;
    readonly unscored: number;
  },
): string {
  const accuracy = shown({ kind: "interval", estimate: balancedAccuracy, low, high }, 3);
  return `balanced accuracy ${accuracy}, AUC ${areaUnderCurve.toFixed(3)}, n = ${n}, ` +
    `${unscored} unscored`;
}

function scalingOf(claims: readonly JudgedClaim[]): PlattScaling {
  const xs = claims.map(({ score }) => logOdds(score / 100));
  return fitPlatt(xs, claims.map(({ supported }) => supported));
}

/** A claim with its odds and its source. */
export interface SourcedOdds {
  readonly source: string;
  readonly cluster: string;
  readonly label: CaseLabel;
  readonly odds: VerdictOdds;
}

/** Penalty in units of mean loss: it holds a slope that a few claims would let grow without end. */
const PENALTY = 0.02;

/**
 * Fits the scaling of two odds, balanced over sources.
 *
 * A source weighs the square root of its claims, half of that on its supported ones: so
 * P(supported) ≥ 0.5 is where as much speaks for as against. Where labels do not distinguish
 * refuted from not enough info, the second odds stay unchanged.
 */
export function fitBySource(claims: readonly SourcedOdds[]): VerdictCalibration {
  const line = (
    rows: readonly SourcedOdds[],
    side: keyof VerdictOdds,
    isYes: (label: CaseLabel) => boolean,
  ) => {
    const sources = Map.groupBy(rows, ({ source }) => source);
    const sides = Map.groupBy(rows, ({ source, label }) => `${source}/${isYes(label)}`);
    const { coefficients: [slope], intercept } = fitLogisticRegression(
      rows.map((one) => {
        const ofSide = sides.get(`${one.source}/${isYes(one.label)}`)!.length;
        const weight = Math.sqrt(sources.get(one.source)!.length) / 2 / ofSide;
        return { features: [one.odds[side]], label: Number(isYes(one.label)), weight };
      }),
      PENALTY,
    );
    return { slope: slope!, intercept };
  };
  const unsupported = claims.filter(({ label }) =>
    label === "refuted" || label === "not enough info"
  );
  const isThreeWay = new Set(unsupported.map(({ label }) => label)).size === 2;
  return {
    supported: line(claims, "supported", (label) => label === SUPPORTED),
    refuted: isThreeWay
      ? line(unsupported, "refuted", (label) => label === "refuted")
      : { slope: 1, intercept: 0 },
  };
}

/**
 * Fits the scaling of two odds: supported against the rest on all claims, refuted against not
 * enough info where both labels occur.
 */
export function fitVerdicts(
  scored: readonly { readonly label: CaseLabel; readonly odds: VerdictOdds }[],
): VerdictCalibration {
  const unsupportedCases = scored.filter(({ label }) =>
    label === "refuted" || label === "not enough info"
  );
  const isThreeWay = new Set(unsupportedCases.map(({ label }) => label)).size === 2;
  return {
    supported: fitPlatt(
      scored.map(({ odds }) => odds.supported),
      scored.map(({ label }) => label === "supported"),
    ),
    refuted: !isThreeWay ? { slope: 1, intercept: 0 } : fitPlatt(
      unsupportedCases.map(({ odds }) => odds.refuted),
      unsupportedCases.map(({ label }) => label === "refuted"),
    ),
  };
}
