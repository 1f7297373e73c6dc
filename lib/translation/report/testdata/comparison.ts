import type { BootstrapInterval } from "../../../stats/intervals.ts";
import { unavailable } from "../../../stats/unavailable.ts";
import type { SystemComparison, SystemResult } from "../../analysis/results.ts";

/** An interval as a bootstrap over ten items would give it. */
export const interval = (estimate: number, low: number, high: number): BootstrapInterval => ({
  ...{ kind: "interval", estimate, low, high, confidence: 0.95 },
  ...{ n: 10, clusters: 10, resamples: 2000 },
});

const system = (name: string, mean: number, place: number): SystemResult => ({
  ...{ system: name, items: 10, ratings: 10, cluster: place },
  meanDa: interval(mean, mean - 2, mean + 2),
  meanZ: unavailable("one score only"),
  rank: { rank: place, interval: { low: place, high: place } },
  buckets: [
    { bucket: "best", count: 7, share: 0.7 },
    { bucket: "poor", count: 3, share: 0.3 },
  ],
});

/** Two systems that are told apart. */
export const TWO_SYSTEMS: SystemComparison = {
  systems: [system("alder", 80, 1), system("birch", 60.1234567, 2)],
  pairs: [{
    ...{ first: "alder", second: "birch", items: 10 },
    difference: interval(19.8765433, 15, 25),
    test: {
      kind: "test",
      statistic: 19.9,
      p: 0.001953125,
      method: "exact",
      resolution: 0.002,
      n: 10,
    },
    adjustedP: 0.001953125,
  }],
  alpha: 0.05,
};
