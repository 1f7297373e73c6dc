import { clusterBootstrap, type ClusteredValue } from "../../stats/intervals.ts";
import { randomSource } from "../../stats/random.ts";

/** A share or mean with its interval by country. */
export type Estimate = ReturnType<typeof clusterBootstrap>;

const RESAMPLES = 2_000;

/** A figure of one component with its interval; the same rows give the same one. */
export function estimated<T>(
  component: string,
  figure: string,
  items: readonly ClusteredValue<T>[],
  statistic: (values: readonly T[]) => number | undefined,
): Estimate {
  const random = randomSource(`orders/${component}/${figure}`);
  return clusterBootstrap({ items, statistic, resamples: RESAMPLES, confidence: 0.95, random });
}
