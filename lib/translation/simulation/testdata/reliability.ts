import { unavailable } from "../../../stats/unavailable.ts";
import type { RaterReliability } from "../../analysis/results.ts";

const NONE = unavailable("made by hand");

/** A rater of three rows of the screen of whom nothing else is known. */
export const UNKNOWN: RaterReliability = {
  ...{ rater: "", items: 0, ratings: 0, meanDa: NONE, buckets: [] },
  bucketAndScore: { spearman: NONE, kendall: NONE, undefinedItems: 0, etaSquared: NONE },
  heaping: [{ name: "multiples of 5", share: NONE, chance: 21 / 101 }],
  position: {
    positions: [1, 2, 3].map((position) => ({ position, deviation: NONE })),
    ...{ slope: NONE, slopeTest: NONE, spreadTest: NONE },
  },
  repeats: {
    ...{ items: 0, pairs: 0, meanAbsoluteDifference: NONE, pearson: NONE, spearman: NONE },
    ...{ sameBucket: NONE, kappa: NONE },
  },
  attention: { checks: [], passed: NONE },
  time: { activeSeconds: NONE, wallClockSeconds: NONE },
  drift: { da: NONE, seconds: NONE },
};
