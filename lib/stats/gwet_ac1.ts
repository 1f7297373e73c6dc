import { type BootstrapInterval, clusterBootstrap } from "./intervals.ts";
import type { RandomSource } from "./random.ts";
import {
  agreeingPairs,
  type RatedItem,
  type RatingCounts,
  ratingCounts,
  ratingsIn,
} from "./rated_items.ts";
import { type Unavailable, unavailable } from "./unavailable.ts";

/** Agreement beyond chance, where chance is guessing on items that are hard to rate. */
export interface GwetAc1 {
  readonly kind: "ac1";
  /** 1 = full agreement, 0 = as by chance, below 0 = less than by chance. */
  readonly ac1: number;
  /** Mean share of pairs of raters who agree, over items with two ratings or more, 0–1. */
  readonly observed: number;
  /** Σ πₖ (1 − πₖ) / (K − 1), 0 to 1/K. */
  readonly expected: number;
  /** Items with two ratings or more. */
  readonly items: number;
}

/** 95 % from 2,000 resamples, as elsewhere in the house. */
const BOOTSTRAP = { confidence: 0.95, resamples: 2_000 };

/**
 * Gwet's AC1 = (Pa − Pe) / (1 − Pe) for any number of raters an item (Gwet 2008, British Journal of
 * Mathematical and Statistical Psychology 61, 29–48). It stays high where nearly all agree on one
 * label, where kappas fall to 0. πₖ is the mean over items of the share of their ratings that are
 * label k; an item with a single rating counts in πₖ only, one without ratings not at all.
 *
 * K is the number of `labels`, used or not: a label that nobody gave makes chance agreement rarer
 * and so AC1 higher. Unavailable where no item has two ratings.
 *
 * @throws {RangeError} naming the item, for a label that is none of `labels`.
 */
export function gwetAc1<Label extends string>(
  items: readonly RatedItem<Label>[],
  labels: readonly Label[],
): GwetAc1 | Unavailable {
  return ac1Of(ratingCounts(items, labels));
}

/** A 95 % percentile interval of {@link gwetAc1} by resampling items, or the clusters they name. */
export function gwetAc1Interval<Label extends string>(
  items: readonly RatedItem<Label>[],
  labels: readonly Label[],
  random: RandomSource,
): BootstrapInterval | Unavailable {
  const counts = ratingCounts(items, labels);
  return clusterBootstrap({
    items: items.map(({ id, cluster = id }, i) => ({ cluster, value: counts[i]! })),
    statistic: (drawn) => {
      const found = ac1Of(drawn);
      return found.kind === "ac1" ? found.ac1 : undefined;
    },
    ...BOOTSTRAP,
    random,
  });
}

function ac1Of(counts: readonly RatingCounts[]): GwetAc1 | Unavailable {
  const rated = counts.filter((item) => ratingsIn(item) > 0);
  const paired = rated.filter((item) => ratingsIn(item) > 1);
  if (paired.length === 0) return unavailable("no item has two ratings");
  const agreement = (item: RatingCounts) =>
    agreeingPairs(item) / (ratingsIn(item) * (ratingsIn(item) - 1));
  const observed = meanOf(paired, agreement);
  const classes = rated[0]!.length;
  let spread = 0;
  for (let label = 0; label < classes; label++) {
    const share = meanOf(rated, (item) => item[label]! / ratingsIn(item));
    spread += share * (1 - share);
  }
  const expected = spread / (classes - 1);
  const ac1 = (observed - expected) / (1 - expected);
  return { kind: "ac1", ac1, observed, expected, items: paired.length };
}

function meanOf(items: readonly RatingCounts[], measure: (item: RatingCounts) => number): number {
  return items.reduce((sum, item) => sum + measure(item), 0) / items.length;
}
