import type { Measure } from "../../figures/measure.ts";
import {
  clusterBootstrap,
  type ClusteredValue,
  type Interval,
  wilsonInterval,
} from "../../stats/intervals.ts";
import { normalQuantile } from "../../stats/normal.ts";
import type { RandomSource } from "../../stats/random.ts";
import { type Unavailable, unavailable } from "../../stats/unavailable.ts";

/** Of every interval here. */
export const CONFIDENCE = 0.95;
const RESAMPLES = 2_000;

/**
 * The share of true values, 0–1, by resampling clusters. Where all are alike resampling would give no
 * width at all: then Wilson's interval as if each cluster were one trial.
 */
export function clusteredShare(
  items: readonly ClusteredValue<boolean>[],
  random: RandomSource,
): Interval | Unavailable {
  const hits = items.filter(({ value }) => value).length;
  if (hits === 0 || hits === items.length) {
    const clusters = new Set(items.map(({ cluster }) => cluster)).size;
    return wilsonInterval(hits === 0 ? 0 : clusters, clusters, CONFIDENCE);
  }
  return clusterBootstrap({
    items,
    statistic: (values) => values.filter((value) => value).length / values.length,
    ...{ resamples: RESAMPLES, confidence: CONFIDENCE, random },
  });
}

/**
 * a − b, −1 to 1, with an interval from those of the two (MOVER: Zou & Donner 2008, Statistics in
 * Medicine 27, 1693–1702, without their covariance: too wide rather than too narrow where both rest
 * on the same texts).
 */
export function differenceOf(a: Measure, b: Measure): Measure {
  if (a.kind === "unavailable") return a;
  if (b.kind === "unavailable") return b;
  const estimate = a.estimate - b.estimate;
  if (a.kind === "value" || b.kind === "value") return { kind: "value", estimate };
  const below = Math.hypot(a.estimate - a.low, b.high - b.estimate);
  const above = Math.hypot(a.high - a.estimate, b.estimate - b.low);
  return { kind: "interval", estimate, low: estimate - below, high: estimate + above };
}

/** How many of how many. */
export interface Count {
  readonly hits: number;
  readonly n: number;
}

/**
 * d′ = z(detections) − z(false alarms) of a yes-or-no task, in standard deviations; 0: the component
 * cannot tell perturbed from reworded. Log-linear correction, (hits + 0.5) / (n + 1), after Hautus
 * (1995). Unavailable where either has no trial.
 */
export function yesNoDPrime(detection: Count, falseAlarm: Count): Measure {
  if (detection.n === 0 || falseAlarm.n === 0) return unavailable("no trials of one of the two");
  const z = ({ hits, n }: Count) => normalQuantile((hits + 0.5) / (n + 1));
  return { kind: "value", estimate: z(detection) - z(falseAlarm) };
}
