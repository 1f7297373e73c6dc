import { quantile } from "simple-statistics";
import { wilsonInterval } from "../stats/intervals.ts";
import type { RandomSource } from "../stats/random.ts";
import { type CountTable, sumRows, type Tally } from "./tally.ts";

/** How intervals are made; one setting for all rows of a table. */
export interface IntervalSettings {
  readonly seed: number | string;
  /** 2,000 unless told; at least 100. */
  readonly resamples?: number;
  /** 0.95 unless told. */
  readonly confidence?: number;
}

/** The ends of an interval, or why there is none. */
export type Percentiles =
  | { readonly kind: "interval"; readonly low: number; readonly high: number }
  | { readonly kind: "unavailable"; readonly reason: string };

const SINGLE: Percentiles = {
  kind: "unavailable",
  reason: "a single cluster says nothing about others",
};

/** As in `clusterBootstrap`: with more undefined resamples the percentiles would be a subset's. */
const MOST_UNDEFINED = 0.05;

/**
 * Sums over lemmas drawn with replacement, one a resample. The draws are those of
 * `clusterBootstrap` from the same source; drawn once, they serve every measure of the same items,
 * which is what makes a table of hundreds of intervals a matter of a second.
 *
 * Throws RangeError for fewer than 100 resamples.
 */
export function resampleSums<Name extends string>(
  table: CountTable<Name>,
  resamples: number,
  random: RandomSource,
): readonly Tally<Name>[] {
  if (!Number.isInteger(resamples) || resamples < 100) {
    throw new RangeError(`Cannot bootstrap: ${resamples} resamples are too few, 100 is the least.`);
  }
  const { length } = table.lemmas;
  return Array.from({ length: resamples }, () => {
    const drawn = Array.from({ length }, () => random.integer(length));
    return sumRows(table, drawn);
  });
}

/**
 * The percentile interval of a measure over resampled sums, interpolated (R's type 7).
 * Unavailable for a single lemma and where the measure is undefined on more than 5 % of the sums.
 */
export function percentileInterval<Counts>(
  sums: readonly Counts[],
  lemmas: number,
  measure: (sums: Counts) => number | undefined,
  confidence: number,
): Percentiles {
  if (lemmas === 1) return SINGLE;
  const values = sums.map(measure).filter((value) => value !== undefined);
  if (values.length < sums.length * (1 - MOST_UNDEFINED)) {
    const undefinedOn = `${sums.length - values.length} of ${sums.length} resamples`;
    return { kind: "unavailable", reason: `undefined on ${undefinedOn}` };
  }
  return {
    kind: "interval",
    low: quantile(values, (1 - confidence) / 2),
    high: quantile(values, (1 + confidence) / 2),
  };
}

/**
 * The interval of a share that is 0 or 1, hence 0 or 1 on every lemma: Wilson's, each lemma a trial,
 * for pairs of one lemma are not independent. Its finite end is z² / (lemmas + z²) away; percentiles
 * of resamples that are all alike would claim certainty. Unavailable for a single lemma.
 */
export function extremeInterval(share: 0 | 1, lemmas: number, confidence: number): Percentiles {
  if (lemmas === 1) return SINGLE;
  const interval = wilsonInterval(share * lemmas, lemmas, confidence);
  if (interval.kind === "unavailable") return interval;
  return { kind: "interval", low: interval.low, high: interval.high };
}
