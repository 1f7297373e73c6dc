/** A rating in a bucket, as one side of a violated order. `translation` is 0 … N−1, t1 … tN. */
export interface PlacedRating {
  readonly translation: number;
  readonly bucket: string;
  readonly da: number;
}

/** One change that a rater could make. */
export type Change =
  | { readonly kind: "score"; readonly translation: number; readonly da: number }
  | { readonly kind: "bucket"; readonly translation: number; readonly bucket: string };

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
    /** The fewest changes, then the least points, that put this pair right without a new fault. */
    readonly repair: readonly Change[];
  };
