import { quantileSorted } from "simple-statistics";
import { type Unavailable, unavailable } from "../stats/unavailable.ts";

/** Spread of some values; quartiles by Hyndman and Fan's seventh definition (1996), R's default. */
export interface Quartiles {
  readonly kind: "quartiles";
  /** Number of values. */
  readonly n: number;
  readonly min: number;
  readonly lowerQuartile: number;
  readonly median: number;
  readonly upperQuartile: number;
  readonly max: number;
}

/** Quartiles and ends of some values; `whyNone` says why there are none. */
export function quartiles(values: readonly number[], whyNone: string): Quartiles | Unavailable {
  if (values.length === 0) return unavailable(whyNone);
  const sorted = values.toSorted((a, b) => a - b);
  return {
    kind: "quartiles",
    n: sorted.length,
    min: sorted[0]!,
    lowerQuartile: quantileSorted(sorted, 0.25),
    median: quantileSorted(sorted, 0.5),
    upperQuartile: quantileSorted(sorted, 0.75),
    max: sorted.at(-1)!,
  };
}
