/** A rating in a bucket, as one side of a violated order. `translation` is 0 … N−1, t1 … tN. */
export interface PlacedRating {
  readonly translation: number;
  readonly bucket: string;
  readonly da: number;
}

/** Scores from `low` to `high`, both included. */
export interface ScoreInterval {
  readonly low: number;
  readonly high: number;
}

/** One change that a rater could make. */
export type Change =
  | { readonly kind: "score"; readonly translation: number; readonly da: number }
  | { readonly kind: "bucket"; readonly translation: number; readonly bucket: string };

/** A way to put one translation in order. */
export interface Way {
  /** The smallest change of its kind. */
  readonly change: Change;
  /** All scores that would serve as well; undefined for a change of bucket. */
  readonly scores: ScoreInterval | undefined;
}

/** What an item still lacks, or which rule it breaks. `translation` is 0 … N−1, t1 … tN. */
export type Violation =
  | { readonly kind: "missing-bucket"; readonly translation: number }
  | { readonly kind: "missing-score"; readonly translation: number }
  | { readonly kind: "unknown-bucket"; readonly translation: number; readonly bucket: string }
  | { readonly kind: "not-a-number"; readonly translation: number; readonly text: string }
  | { readonly kind: "not-an-integer"; readonly translation: number; readonly da: number }
  | { readonly kind: "out-of-range"; readonly translation: number; readonly da: number }
  | { readonly kind: "empty-bucket"; readonly bucket: string }
  | {
    readonly kind: "ordering";
    /** In the better bucket, with a score that is not above `lower`'s. */
    readonly higher: PlacedRating;
    readonly lower: PlacedRating;
    /**
     * What puts this fault right; the repairs of all of an item's faults together put its order
     * right. The first change is that of the translation out of place. Empty where the scale is too
     * short for any.
     */
    readonly repair: readonly Change[];
    /**
     * Each of these alone serves instead of the repair's first change; scores before moves. They
     * concern more than one translation only where either may be the one out of place.
     */
    readonly ways: readonly Way[];
  };
