import type { RandomSource } from "../../stats/random.ts";
import { areaUnderCurve, clusterFolds, FOLDS } from "../judges/calibrate_judges.ts";
import type { MeasuredAccuracy } from "../judges/judgement.ts";
import { balancedAccuracy } from "../metrics/classification.ts";
import { classificationInterval } from "../metrics/classification_interval.ts";
import { fitScoreCalibration, type ScoredCase } from "../training/score_calibration.ts";
import type { ScoreCalibration } from "./score_verifier.ts";

/** A claim's score, and the country or response that it shares its luck with. */
export interface ScoredClaim extends ScoredCase {
  readonly cluster: string;
}

/** A verifier of one number: what it is calibrated with, and how far it can be trusted. */
export interface ScoreMeasurement {
  /** Fitted on all claims. */
  readonly calibration: ScoreCalibration;
  /** Of thresholds fitted without the claim's own cluster. */
  readonly measured: MeasuredAccuracy;
  /** Probability that a supported claim scores above another, ties half; 0.5 is chance. */
  readonly areaUnderCurve: number;
}

const SIDES = ["supported", "not supported"] as const;

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
    truth: label === "supported" ? SIDES[0] : SIDES[1],
    predicted: score >= thresholds[folds.get(cluster)!]! ? SIDES[0] : SIDES[1],
  }));
  const interval = classificationInterval(SIDES, outcomes, balancedAccuracy, random);
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
