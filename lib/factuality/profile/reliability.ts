import { writeNumber } from "../../figures/measure.ts";
import { HIGH_UNCERTAINTY } from "../../stats/uncertainty_decomposition.ts";
import { type Unavailable, unavailable } from "../../stats/unavailable.ts";
import { PROFILE_METRICS, type ProfileMetricName, type ProfileMetrics } from "./profile_metrics.ts";

/** A metric on one side of a threshold. */
export interface ThresholdCrossing {
  readonly metric: ProfileMetricName;
  readonly estimate: number;
  readonly threshold: number;
  /** Whether the whole interval is on that side; false too where there is no interval. */
  readonly certain: boolean;
  /** For the reader. */
  readonly words: string;
}

/** Whether a model must not be relied upon unchecked. */
export interface RiskFlag {
  readonly high: boolean;
  /** Every threshold that is passed. */
  readonly reasons: readonly ThresholdCrossing[];
  /** Metrics of the rule that are not known: they could still raise the flag. */
  readonly unknown: readonly ProfileMetricName[];
}

export type ReliabilityLevel = "high" | "medium" | "low";

export interface Reliability {
  readonly kind: "reliability";
  readonly level: ReliabilityLevel;
  /** Why it is no higher; empty for high. */
  readonly reasons: readonly string[];
}

interface Threshold {
  readonly metric: ProfileMetricName;
  readonly side: "above" | "below";
  readonly value: number;
}

/**
 * The specification's: what flags a model as high risk. MiHR is the mean over responses of refuted and
 * unverifiable claims, as it is specified.
 */
export const HIGH_RISK: readonly Threshold[] = [
  { metric: "mihr", side: "above", value: 0.3 },
  { metric: "fleissKappa", side: "below", value: 0.4 },
  { metric: "uncertainty", side: "above", value: HIGH_UNCERTAINTY },
];

/**
 * What keeps a model from "high". The specification names none; these are conventions and no findings:
 * one unsupported claim in ten, a third of what is high risk; agreement under "substantial"
 * (requirement 17.3); more than half of the uncertainty of one who knows nothing.
 */
export const NOT_HIGH: readonly Threshold[] = [
  { metric: "mihr", side: "above", value: 0.1 },
  { metric: "fleissKappa", side: "below", value: 0.6 },
  { metric: "uncertainty", side: "above", value: 0.5 },
];

/** High risk where one estimate passes its threshold; equal to it is not past it. */
export function riskFlag(metrics: ProfileMetrics): RiskFlag {
  const reasons = crossings(metrics, HIGH_RISK);
  const unknown = HIGH_RISK.map(({ metric }) => metric)
    .filter((metric) => metrics[metric].kind === "unavailable");
  return { high: reasons.length > 0, reasons, unknown };
}

/**
 * Low where the risk is high; high where MiHR, κ and uncertainty are all known and none passes
 * {@link NOT_HIGH}; medium else. What is not known speaks for nothing, so it can make no reliability
 * high. Unavailable where none of the three is known.
 */
export function reliability(metrics: ProfileMetrics): Reliability | Unavailable {
  const risk = riskFlag(metrics);
  if (risk.unknown.length === HIGH_RISK.length) {
    return unavailable("neither MiHR nor agreement nor uncertainty is known");
  }
  const words = (reasons: readonly ThresholdCrossing[]) => reasons.map(({ words }) => words);
  if (risk.high) return { kind: "reliability", level: "low", reasons: words(risk.reasons) };
  const reasons = [
    ...words(crossings(metrics, NOT_HIGH)),
    ...risk.unknown.map((metric) => `${PROFILE_METRICS[metric].title} is not known`),
  ];
  return { kind: "reliability", level: reasons.length === 0 ? "high" : "medium", reasons };
}

function crossings(
  metrics: ProfileMetrics,
  thresholds: readonly Threshold[],
): readonly ThresholdCrossing[] {
  return thresholds.flatMap(({ metric, side, value }) => {
    const measured = metrics[metric];
    if (measured.kind === "unavailable") return [];
    const { estimate, interval } = measured;
    const isPast = (number: number) => side === "above" ? number > value : number < value;
    if (!isPast(estimate)) return [];
    const certain = interval.kind === "interval" && isPast(interval.low) && isPast(interval.high);
    const doubt = interval.kind === "unavailable"
      ? ", without an interval"
      : certain
      ? ""
      : ", but its interval reaches across";
    const { title } = PROFILE_METRICS[metric];
    const words = `${title} is ${writeNumber(estimate, "decimal")}, ${side} ${value}${doubt}`;
    return [{ metric, estimate, threshold: value, certain, words }];
  });
}
