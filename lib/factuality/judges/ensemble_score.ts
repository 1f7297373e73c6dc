import type { Unscored } from "../verdicts/verdict.ts";

export const AGGREGATION_STRATEGIES = [
  "mean",
  "median",
  "weighted average",
  "majority vote",
] as const;
export type AggregationStrategy = typeof AGGREGATION_STRATEGIES[number];

/** What the judges say together. */
export interface ScoredEnsemble {
  readonly kind: "scored";
  /** 0–100; for a majority vote the share of votes for "accurate", × 100. */
  readonly score: number;
  readonly strategy: AggregationStrategy;
  /** Judges that gave a score, and all that were asked. */
  readonly scored: number;
  readonly asked: number;
  /** Sample variance of the scores, in points²; undefined with fewer than two. */
  readonly variance: number | undefined;
  /** Greatest less smallest score, in points. */
  readonly range: number;
  /** Variance over the threshold (20), fewer than two scores, or a tied vote. */
  readonly lowConfidence: boolean;
  /** Why the confidence is low; empty where it is not. */
  readonly reasons: readonly string[];
}

export type EnsembleScore = ScoredEnsemble | Pick<Unscored, "kind" | "reason" | "message">;
