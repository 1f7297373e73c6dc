import type { Interval } from "../../stats/intervals.ts";
import { type Unavailable, unavailable } from "../../stats/unavailable.ts";

/** How a metric is read. */
export interface MetricDescription {
  readonly title: string;
  readonly better: "lower" | "higher" | "neither";
  /** Shares are 0–1, agreements up to 1 and below 0 where less than by chance, counts 0 and more. */
  readonly scale: "share" | "agreement" | "count";
  /** What `n` counts. */
  readonly counted: string;
}

const share = (title: string, better: "lower" | "higher", counted: string) =>
  ({ title, better, scale: "share", counted }) as const;
const agreement = (title: string) =>
  ({ title, better: "higher", scale: "agreement", counted: "claims rated" }) as const;

/** Every metric of a profile, in the order of tables and figures. */
export const PROFILE_METRICS = {
  mihr: share("MiHR", "lower", "responses with claims"),
  mihrRefuted: share("MiHR, refuted only", "lower", "responses with claims"),
  mihrPooled: share("MiHR pooled", "lower", "claims"),
  mihrPooledRefuted: share("MiHR pooled, refuted only", "lower", "claims"),
  mahr: share("MaHR", "lower", "responses"),
  mahrRefuted: share("MaHR, refuted only", "lower", "responses"),
  factualPrecision: share("Factual precision", "higher", "claims"),
  factScore: share("FActScore", "higher", "responses with claims"),
  factScoreUnpenalised: share("FActScore without penalty", "higher", "responses with claims"),
  respondRatio: share("Respond ratio", "higher", "responses"),
  factsPerResponse: {
    ...{ title: "Facts per response", better: "neither", scale: "count" },
    counted: "responses with claims",
  },
  consensusPrecision: share("Consensus precision", "higher", "queries"),
  consensusRecall: share("Consensus recall", "higher", "queries"),
  consensusF1: share("Consensus F1", "higher", "queries"),
  fleissKappa: agreement("Fleiss' κ"),
  krippendorffAlpha: agreement("Krippendorff's α"),
  gwetAc1: agreement("Gwet's AC1"),
  uncertainty: share("Uncertainty", "lower", "questions"),
  epistemicUncertainty: share("Epistemic part", "lower", "questions"),
  aleatoricUncertainty: share("Aleatoric part", "lower", "questions"),
  falseAcceptance: share("False acceptance", "lower", "queries"),
  overRefusal: share("Over-refusal", "lower", "queries"),
} as const satisfies Readonly<Record<string, MetricDescription>>;

export type ProfileMetricName = keyof typeof PROFILE_METRICS;

export const PROFILE_METRIC_NAMES = Object.keys(PROFILE_METRICS) as readonly ProfileMetricName[];

/** A figure, how many it rests on, and how far off it may be. */
export interface MeasuredMetric {
  readonly kind: "measured";
  readonly estimate: number;
  /** Of what: see `PROFILE_METRICS`. */
  readonly n: number;
  readonly interval: MetricInterval | Unavailable;
}

export interface MetricInterval {
  readonly kind: "interval";
  readonly low: number;
  readonly high: number;
  /** E.g. 0.95. */
  readonly confidence: number;
}

export type ProfileMetric = MeasuredMetric | Unavailable;

export type ProfileMetrics = Readonly<Record<ProfileMetricName, ProfileMetric>>;

/** A figure with its interval; one without an interval keeps the reason. */
export function profileMetric(
  estimate: number | Unavailable,
  n: number,
  interval: Interval | Unavailable,
): ProfileMetric {
  if (typeof estimate !== "number") return unavailable(estimate.reason);
  if (interval.kind === "unavailable") return { kind: "measured", estimate, n, interval };
  const { kind, low, high, confidence } = interval;
  return { kind: "measured", estimate, n, interval: { kind, low, high, confidence } };
}
