import { type Unavailable, unavailable } from "../../stats/unavailable.ts";

/** A statement of confidence and whether it came true. */
export interface Forecast {
  /** Probability given to the label that was named, 0–1. */
  readonly confidence: number;
  readonly right: boolean;
}

/** One bin of a reliability diagram. */
export interface ReliabilityBin {
  /** Confidences from `low` up to but without `high`; the last bin has 1 too. */
  readonly low: number;
  readonly high: number;
  readonly n: number;
  /** Undefined in an empty bin. */
  readonly meanConfidence: number | undefined;
  /** Share that came true; undefined in an empty bin. */
  readonly share: number | undefined;
}

/** Ten bins of equal width, as the field draws them. */
export const RELIABILITY_BINS = 10;

/**
 * Forecasts in bins of equal width over 0–1 (DeGroot & Fienberg 1983).
 * @throws {RangeError} for a confidence outside 0–1.
 */
export function reliabilityBins(
  forecasts: readonly Forecast[],
  bins: number = RELIABILITY_BINS,
): readonly ReliabilityBin[] {
  const filled = Array.from({ length: bins }, (): Forecast[] => []);
  for (const forecast of forecasts) {
    requireProbability(forecast.confidence);
    filled[Math.min(bins - 1, Math.floor(forecast.confidence * bins))]!.push(forecast);
  }
  return filled.map((members, i) => ({
    low: i / bins,
    high: (i + 1) / bins,
    n: members.length,
    meanConfidence: mean(members.map((member) => member.confidence)),
    share: mean(members.map((member) => (member.right ? 1 : 0))),
  }));
}

/**
 * Expected calibration error, Σ (nᵦ/n)·|share − mean confidence| over the bins, 0–1; 0 is perfect
 * (Naeini, Cooper & Hauskrecht 2015; Guo et al. 2017). It depends on the bins: 10 of equal width
 * unless told otherwise. Unavailable without forecasts.
 */
export function calibrationError(
  forecasts: readonly Forecast[],
  bins: number = RELIABILITY_BINS,
): number | Unavailable {
  if (forecasts.length === 0) return unavailable("no forecasts");
  return reliabilityBins(forecasts, bins).reduce((total, { n, share, meanConfidence }) => {
    const gap = n === 0 ? 0 : Math.abs(share! - meanConfidence!);
    return total + (n / forecasts.length) * gap;
  }, 0);
}

/** The probabilities of all labels, and which of them is true. */
export interface ProbabilityForecast<Label extends string> {
  readonly probabilities: Readonly<Record<Label, number>>;
  readonly truth: Label;
}

/**
 * Brier's score: the mean of Σₖ (pₖ − yₖ)² over the labels, 0–2, less is better (Brier 1950, whose
 * sum over all classes this is; half of it for two labels is the form used for binary events).
 * Saying 1/K for each of K labels gives 1 − 1/K. Unavailable without forecasts.
 * @throws {RangeError} for a probability outside 0–1.
 */
export function brierScore<Label extends string>(
  labels: readonly Label[],
  forecasts: readonly ProbabilityForecast<Label>[],
): number | Unavailable {
  const scores = forecasts.map(({ probabilities, truth }) =>
    labels.reduce((total, label) => {
      requireProbability(probabilities[label]);
      return total + (probabilities[label] - (label === truth ? 1 : 0)) ** 2;
    }, 0)
  );
  return mean(scores) ?? unavailable("no forecasts");
}

function mean(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return values.reduce((a, b) => a + b, 0) / values.length;
}

function requireProbability(value: number): void {
  if (!(value >= 0 && value <= 1)) {
    throw new RangeError(`Cannot measure calibration: ${value} is no probability.`);
  }
}
