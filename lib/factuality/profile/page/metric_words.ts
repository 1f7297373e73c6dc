import { type Drawable, writeEstimate } from "../../../figures/measure.ts";
import type { ProfileMetric } from "../profile_metrics.ts";

/** `0.31 [0.20, 0.40], n = 40`, or why there is no number or no interval. */
export function metricWords(metric: ProfileMetric): string {
  if (metric.kind === "unavailable") return `– ${metric.reason}`;
  const { estimate, n, interval } = metric;
  const drawn: Drawable = interval.kind === "interval"
    ? { kind: "interval", estimate, low: interval.low, high: interval.high }
    : { kind: "value", estimate };
  const doubt = interval.kind === "unavailable" ? `; no interval: ${interval.reason}` : "";
  return `${writeEstimate(drawn, "decimal")}, n = ${n}${doubt}`;
}
