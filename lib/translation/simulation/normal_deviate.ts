import { normalQuantile } from "../../stats/normal.ts";
import type { RandomSource } from "../../stats/random.ts";

/** A draw from the standard normal distribution. */
export function normalDeviate(random: RandomSource): number {
  // The quantile of nought is minus infinity.
  return normalQuantile(Math.max(random.next(), 2 ** -53));
}
