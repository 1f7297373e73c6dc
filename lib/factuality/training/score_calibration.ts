import { balancedAccuracy, confusionTable } from "../metrics/classification.ts";
import type { ScoreCalibration } from "../verifiers/score_verifier.ts";
import type { VerdictLabel } from "../verdicts/verdict.ts";
import { fitLogistic } from "./multinomial_logistic.ts";

/** A claim's likeness to its sources, and what is known of it. */
export interface ScoredCase {
  readonly score: number;
  readonly label: VerdictLabel;
}

const SIDES = ["supported", "not supported"] as const;

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
      SIDES,
      cases.map(({ score, label }) => ({
        truth: label === "supported" ? label : "not supported",
        predicted: score >= threshold ? "supported" : "not supported",
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
