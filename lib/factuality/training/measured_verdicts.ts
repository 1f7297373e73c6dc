import type { RandomSource } from "../../stats/random.ts";
import type { Unavailable } from "../../stats/unavailable.ts";
import type { CaseLabel } from "../cases/labelled_case.ts";
import { brierScore, calibrationError } from "../metrics/calibration.ts";
import { accuracy, balancedAccuracy, confusionTable, macroF1 } from "../metrics/classification.ts";
import { classificationInterval } from "../metrics/classification_interval.ts";
import { VERDICT_LABELS, type VerdictProbabilities } from "../verdicts/verdict.ts";
import { mostProbable } from "../verifiers/verdict_parts.ts";

/** What a verifier said of a case. */
export interface JudgedCase {
  readonly label: CaseLabel;
  readonly cluster: string;
  /** Undefined where it is unscored. */
  readonly probabilities: VerdictProbabilities | undefined;
}

/** `three-way` asks for the label; `binary` for supported or not, at P(supported) ≥ 0.5. */
export type Reading = "three-way" | "binary";

const SIDES = ["supported", "not supported"] as const;

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
  const scored = cases.filter(({ probabilities }) => probabilities !== undefined);
  const read = scored.map(({ label, cluster, probabilities }) => ({
    cluster,
    ...(reading === "binary" ? binary(label, probabilities!) : threeWay(label, probabilities!)),
  }));
  const labels: readonly string[] = reading === "binary" ? SIDES : VERDICT_LABELS;
  const table = confusionTable(labels, read);
  const interval = classificationInterval(labels, read, balancedAccuracy, random);
  const known = interval.kind === "interval";
  return {
    reading,
    n: scored.length,
    unscored: cases.length - scored.length,
    clusters: new Set(scored.map(({ cluster }) => cluster)).size,
    accuracy: accuracy(table),
    balancedAccuracy: balancedAccuracy(table),
    low: known ? interval.low : interval,
    high: known ? interval.high : interval,
    macroF1: macroF1(table),
    calibrationError: calibrationError(read.map(({ truth, predicted, shares }) => ({
      confidence: Math.min(1, shares[predicted]!),
      right: truth === predicted,
    }))),
    brier: brierScore(labels, read.map(({ truth, shares }) => ({ probabilities: shares, truth }))),
  };
}

interface Read {
  readonly truth: string;
  readonly predicted: string;
  readonly shares: Readonly<Record<string, number>>;
}

function binary(label: CaseLabel, { supported }: VerdictProbabilities): Read {
  return {
    truth: label === "supported" ? label : "not supported",
    predicted: supported >= 0.5 ? "supported" : "not supported",
    shares: { supported, "not supported": 1 - supported },
  };
}

function threeWay(truth: CaseLabel, shares: VerdictProbabilities): Read {
  return { truth, predicted: mostProbable(shares), shares };
}
