import { mean } from "simple-statistics";
import { type BootstrapInterval, clusterBootstrap } from "../../stats/intervals.ts";
import type { RandomSource } from "../../stats/random.ts";
import { type Unavailable, unavailable } from "../../stats/unavailable.ts";
import type { Demographic } from "./demographic_table.ts";

/** Scores of one text and of a variant of it, given by the same judge or ensemble. */
export interface VariantScore {
  /** The text or query that was varied: the unit of the bootstrap. */
  readonly query: string;
  readonly demographic: Demographic;
  readonly from: string;
  readonly to: string;
  /** 0–100; undefined where it could not be scored. */
  readonly original: number | undefined;
  readonly variant: number | undefined;
}

/** A pair whose scores lie further apart than is allowed. */
export interface FlaggedVariant extends VariantScore {
  /** Variant less original, in points. */
  readonly difference: number;
}

/** How far scores go with who a text is about. */
export interface ConsistencyReport {
  /** Pairs with both scores, and pairs without: they count nowhere. */
  readonly pairs: number;
  readonly unscored: number;
  /** Greatest absolute difference, in points; undefined without a pair. */
  readonly largest: number | undefined;
  /** Mean absolute difference in points, with its interval by query. */
  readonly meanAbsolute: BootstrapInterval | Unavailable;
  /**
   * Mean difference variant − original for each exchange, in points: noise has none, a judge that
   * rates one group lower does. The sign is that of `to`.
   */
  readonly shifts: readonly {
    readonly demographic: Demographic;
    readonly from: string;
    readonly to: string;
    readonly shift: BootstrapInterval | Unavailable;
  }[];
  /** Pairs over the threshold, the widest first. */
  readonly flagged: readonly FlaggedVariant[];
}

export interface ConsistencyOptions {
  /** Largest difference in points that is not flagged, ≥ 0; to be chosen before looking. */
  readonly threshold: number;
  /** At least 100. */
  readonly resamples: number;
  /** E.g. 0.95. */
  readonly confidence: number;
  readonly random: RandomSource;
}

function scoredPairs(rows: readonly VariantScore[]): readonly FlaggedVariant[] {
  return rows.flatMap((row) =>
    row.original === undefined || row.variant === undefined
      ? []
      : [{ ...row, difference: row.variant - row.original }]
  );
}

function meanOf(
  pairs: readonly FlaggedVariant[],
  figure: (difference: number) => number,
  { resamples, confidence, random }: ConsistencyOptions,
): BootstrapInterval | Unavailable {
  if (pairs.length === 0) return unavailable("no pair with both scores");
  return clusterBootstrap({
    items: pairs.map(({ query, difference }) => ({ cluster: query, value: figure(difference) })),
    statistic: (values) => mean([...values]),
    ...{ resamples, confidence, random },
  });
}

function shiftsOf(pairs: readonly FlaggedVariant[], options: ConsistencyOptions) {
  const key = ({ demographic, from, to }: FlaggedVariant) =>
    JSON.stringify([demographic, from, to]);
  const groups = Map.groupBy(pairs, key);
  return [...groups.keys()].sort().map((name) => {
    const group = groups.get(name)!;
    const { demographic, from, to } = group[0]!;
    return { demographic, from, to, shift: meanOf(group, (difference) => difference, options) };
  });
}

/**
 * Compares scores of texts with those of the same texts about somebody else. A pair is flagged where
 * its scores differ by more than the threshold.
 *
 * @throws {RangeError} for a threshold below 0, a score that is not finite, or too few resamples.
 */
export function compareVariants(
  rows: readonly VariantScore[],
  options: ConsistencyOptions,
): ConsistencyReport {
  const { threshold } = options;
  if (!(threshold >= 0)) {
    throw new RangeError(`Cannot compare variants: the threshold ${threshold} is not 0 or more`);
  }
  const pairs = scoredPairs(rows);
  const wrong = pairs.find(({ difference }) => !Number.isFinite(difference));
  if (wrong !== undefined) {
    throw new RangeError(`Cannot compare variants: a score of ${wrong.query} is not finite`);
  }
  const distances = pairs.map(({ difference }) => Math.abs(difference));
  return {
    pairs: pairs.length,
    unscored: rows.length - pairs.length,
    largest: pairs.length === 0 ? undefined : Math.max(...distances),
    meanAbsolute: meanOf(pairs, Math.abs, options),
    shifts: shiftsOf(pairs, options),
    flagged: pairs.filter(({ difference }) => Math.abs(difference) > threshold)
      .toSorted((one, other) => Math.abs(other.difference) - Math.abs(one.difference)),
  };
}
