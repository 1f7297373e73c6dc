import { mean, quantile } from "simple-statistics";
import type { BootstrapInterval } from "../../stats/intervals.ts";
import type { RandomSource } from "../../stats/random.ts";
import { type Unavailable, unavailable } from "../../stats/unavailable.ts";
import { calibrationError } from "../metrics/calibration.ts";
import { accuracy, balancedAccuracy, type ConfusionTable } from "../metrics/classification.ts";
import { classificationInterval } from "../metrics/classification_interval.ts";
import { accepts, type ComponentAnswer } from "./component_answer.ts";

/** In a comparison each claim is supported or not. */
export const BINARY_LABELS = ["supported", "not supported"] as const;

type BinaryLabel = (typeof BINARY_LABELS)[number];

/** A claim with a known label, and a component's answer to it. */
export interface JudgedClaim {
  readonly cluster: string;
  readonly supported: boolean;
  readonly answer: ComponentAnswer;
}

/** How good, how sure and how fast one component was on some claims. */
export interface ComponentFigures {
  readonly component: string;
  readonly scored: number;
  readonly unscored: number;
  /** Over the scored claims, 0–1, with 95 % intervals by resampling responses. */
  readonly accuracy: BootstrapInterval | Unavailable;
  readonly balancedAccuracy: BootstrapInterval | Unavailable;
  /** Mean probability given to the label that was chosen, 0.5–1. */
  readonly confidence: number | Unavailable;
  /** Expected calibration error of that confidence, 0–1, ten bins. */
  readonly calibrationError: number | Unavailable;
  /** Milliseconds a claim, those without a score too. */
  readonly medianMilliseconds: number | Unavailable;
  readonly ninetiethMilliseconds: number | Unavailable;
}

/** The figures of one component on these claims. */
export function componentFigures(
  component: string,
  claims: readonly JudgedClaim[],
  random: RandomSource,
): ComponentFigures {
  const scored = claims.filter(({ answer }) => answer.supported !== undefined);
  const outcomes = scored.map((claim) => ({ cluster: claim.cluster, ...outcomeOf(claim) }));
  const interval = (measure: (table: ConfusionTable<BinaryLabel>) => number | Unavailable) =>
    classificationInterval(BINARY_LABELS, outcomes, measure, random);
  const forecasts = scored.map((claim) => {
    const { truth, predicted } = outcomeOf(claim);
    const { supported } = claim.answer;
    return { confidence: Math.max(supported!, 1 - supported!), right: truth === predicted };
  });
  const times = claims.map(({ answer }) => answer.milliseconds);
  return {
    component,
    scored: scored.length,
    unscored: claims.length - scored.length,
    accuracy: interval(accuracy),
    balancedAccuracy: interval(balancedAccuracy),
    confidence: meanOf(forecasts.map(({ confidence }) => confidence)),
    calibrationError: calibrationError(forecasts),
    medianMilliseconds: quantileOf(times, 0.5),
    ninetiethMilliseconds: quantileOf(times, 0.9),
  };
}

/** What a scored claim is, and what it was taken for. */
export function outcomeOf({ supported, answer }: JudgedClaim) {
  return { truth: labelOf(supported), predicted: labelOf(accepts(answer)!) };
}

const labelOf = (supported: boolean): BinaryLabel => supported ? "supported" : "not supported";

function meanOf(values: readonly number[]): number | Unavailable {
  return values.length === 0 ? unavailable("no claim was scored") : mean([...values]);
}

function quantileOf(values: readonly number[], p: number): number | Unavailable {
  return values.length === 0 ? unavailable("no claim was asked about") : quantile([...values], p);
}
