import type { Kappa } from "../../stats/agreement.ts";
import type { BootstrapInterval, Interval } from "../../stats/intervals.ts";
import type { PermutationTest } from "../../stats/permutation.ts";
import type { Correlation } from "../../stats/rank_correlation.ts";
import type { Unavailable } from "../../stats/unavailable.ts";
import type { Quartiles } from "../quartiles.ts";

/** How intervals and tests are made; one setting for all figures of a report. */
export interface AnalysisOptions {
  readonly seed: number | string;
  /** 2,000 unless told; at least 100. */
  readonly resamples?: number;
  /** 0.95 unless told. */
  readonly confidence?: number;
  /** Arrangements drawn where a permutation test cannot be exact; 10,000 unless told. */
  readonly permutations?: number;
  /** What is resampled: items, or whole documents; items unless told. */
  readonly cluster?: "segment" | "document";
  /** Level of significance for clusters of systems; 0.05 unless told. */
  readonly alpha?: number;
}

/** A figure with its interval over clusters of items, or why there is none. */
export type Estimate = BootstrapInterval | Unavailable;

/** A figure that rests on too few items for an interval. */
export interface PointEstimate {
  readonly kind: "point";
  readonly estimate: number;
  /** Number of values behind the estimate. */
  readonly n: number;
  /** Why there is no interval, in a few words. */
  readonly reason: string;
}

/** A system's scores. Repeats and attention checks are left out. */
export interface SystemResult {
  readonly system: string;
  /** Segments in which it was rated. */
  readonly items: number;
  /** Ratings behind the figures: items × raters where every rater did all. */
  readonly ratings: number;
  /** Mean over items of the mean over raters, in points of Direct Assessment. */
  readonly meanDa: Estimate;
  /** The same of scores standardised per rater, in the rater's standard deviations. */
  readonly meanZ: Estimate;
  readonly rank: RankRange;
  readonly buckets: readonly BucketCount[];
  /** 1 is the best; see `systemClusters`. */
  readonly cluster: number;
}

/** A place in the order of mean scores, 1 the best, equal means sharing the better place. */
export interface RankRange {
  readonly rank: number;
  /** Over the resamples of {@link SystemResult.meanDa}, whole ranks, outwards; 1 … systems. */
  readonly interval: { readonly low: number; readonly high: number } | Unavailable;
}

/** How often a bucket was chosen. Every bucket of the configuration is there, best first. */
export interface BucketCount {
  readonly bucket: string;
  readonly count: number;
  /** Of all ratings counted here. */
  readonly share: number;
}

/** Two systems compared on the items that both were rated on. */
export interface SystemPair {
  /** The one with the higher mean over all its items comes first. */
  readonly first: string;
  readonly second: string;
  readonly items: number;
  /** Mean difference first − second, in points. */
  readonly difference: Estimate;
  /** Two-sided, by sign flips of the items' differences, or of the documents' sums of them. */
  readonly test: PermutationTest | Unavailable;
  /** Holm's adjustment over all pairs that could be tested. */
  readonly adjustedP: number | Unavailable;
}

/**
 * All systems, best mean first, and all pairs of them. Intervals and tests are over items, for these
 * raters: what other raters would change is not in them.
 */
export interface SystemComparison {
  readonly systems: readonly SystemResult[];
  readonly pairs: readonly SystemPair[];
  readonly alpha: number;
}

/** How one rater's two answers, bucket and score, go together. */
export interface BucketScoreAgreement {
  /** Mean over items of the correlation of bucket (best highest) and score within the item. */
  readonly spearman: Estimate;
  readonly kendall: Estimate;
  /** Items whose buckets or scores are all equal, which have no correlation. */
  readonly undefinedItems: number;
  /** Share of the score's variance that the bucket explains over all ratings, 0 … 1. */
  readonly etaSquared: Estimate;
}

/** How often scores are round. */
export interface HeapingShare {
  readonly name: "multiples of 5" | "multiples of 10" | "lowest score" | "highest score";
  /** Bootstrap over items; Wilson with items as trials where it is 0 or 1 throughout. */
  readonly share: Interval | Unavailable;
  /**
   * Share among the whole scores of the scale; undefined where scores need not be whole, and at its
   * ends, where good and bad texts are expected and no share is chance.
   */
  readonly chance: number | undefined;
}

/** Whether scores depend on the row of the screen. */
export interface PositionBias {
  /** By position 1 … N: mean deviation from what item and system let expect, in points. */
  readonly positions: readonly { readonly position: number; readonly deviation: Estimate }[];
  /** Points per row downwards. */
  readonly slope: Estimate;
  /** Whether |slope| is more than chance gives, positions exchanged within items. */
  readonly slopeTest: PermutationTest | Unavailable;
  /** The same for the variance of the positions' means. */
  readonly spreadTest: PermutationTest | Unavailable;
}

/** A rater's answers to the same translations, once and again. */
export interface RepeatConsistency {
  /** Repeated items. */
  readonly items: number;
  /** Translations rated twice. */
  readonly pairs: number;
  /** Points; with an interval from six repeated items on. */
  readonly meanAbsoluteDifference: Interval | PointEstimate | Unavailable;
  readonly pearson: Correlation | Unavailable;
  readonly spearman: Correlation | Unavailable;
  /** Share of the pairs, 0 … 1; with an interval from six repeated items on. */
  readonly sameBucket: Interval | PointEstimate | Unavailable;
  /** Cohen's κ of the buckets with quadratic weights: to miss by one bucket is less than by three. */
  readonly kappa: Kappa | Unavailable;
}

/** One attention check. */
export interface AttentionCheck {
  readonly itemId: number;
  readonly originalItemId: number;
  readonly system: string;
  readonly spoiledBy: string;
  readonly originalDa: number;
  readonly spoiledDa: number;
  readonly spoiledBucket: string;
  /** Spoiled, it scored lower than in its original and is in the lowest quarter of its item. */
  readonly passed: boolean;
}

/** All attention checks of one rater. */
export interface AttentionResult {
  readonly checks: readonly AttentionCheck[];
  /** Wilson's interval, checks as trials. */
  readonly passed: Interval | Unavailable;
}

/** Time an item; all items count, whatever their role. */
export interface SessionTime {
  /** At work, idle gaps capped. */
  readonly activeSeconds: Quartiles | Unavailable;
  /** See `wallClockSeconds`: from first opened to last committed, pauses and all. */
  readonly wallClockSeconds: Quartiles | Unavailable;
}

/**
 * Change per ten items in the order in which they were committed; repeats and attention checks are
 * left out but keep their places.
 */
export interface SessionDrift {
  /** Points of an item's mean score. */
  readonly da: Estimate;
  /** Active seconds an item. */
  readonly seconds: Estimate;
}

/** Everything that one rater's ratings say of the rater. */
export interface RaterReliability {
  readonly rater: string;
  /** Rated items, without repeats and attention checks. */
  readonly items: number;
  readonly ratings: number;
  readonly meanDa: Estimate;
  readonly buckets: readonly BucketCount[];
  readonly bucketAndScore: BucketScoreAgreement;
  readonly heaping: readonly HeapingShare[];
  readonly position: PositionBias;
  readonly repeats: RepeatConsistency;
  readonly attention: AttentionResult;
  readonly time: SessionTime;
  readonly drift: SessionDrift;
}

/** Two raters on the items that both rated. */
export interface RaterPair {
  readonly first: string;
  readonly second: string;
  readonly items: number;
  /** Of the scores of item × system: high already where systems differ and both raters see it. */
  readonly spearman: Estimate;
  /** See `correlationBeyondSystems`: agreement on single translations. */
  readonly beyondSystems: Estimate;
  /** Kendall's τ-b of the systems' mean scores; n is the number of systems. */
  readonly systemRanking: Correlation | Unavailable;
}

/** Agreement of several raters. */
export interface InterRater {
  readonly raters: readonly string[];
  /** Items that at least two rated. */
  readonly items: number;
  /** Krippendorff's α with intervals over items. */
  readonly alphaDa: Estimate;
  readonly alphaZ: Estimate;
  readonly alphaBucket: Estimate;
  readonly pairs: readonly RaterPair[];
}

/** How far two measures put the same systems in the same order. */
export interface RankAgreement {
  readonly first: string;
  readonly second: string;
  /** Kendall's τ-b of the systems' means; n is the number of systems. */
  readonly tauB: Correlation | Unavailable;
  /** Share of the pairs of systems that both put in the same order, 0 … 1; a tie counts as another. */
  readonly pairwiseAccuracy: number | Unavailable;
}
