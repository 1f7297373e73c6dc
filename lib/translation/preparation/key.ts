/**
 * Why an item stands in the workbook. Nothing there says it; but whoever compares all texts finds the
 * sentences that come twice, and which of their translations differs.
 */
export type ItemRole =
  | { readonly kind: "rated" }
  /** The same sentence and translations again, to see whether the rater says the same. */
  | { readonly kind: "repeat"; readonly of: number }
  /** The same sentence again with one translation spoiled, which must not be rated as well. */
  | {
    readonly kind: "attention";
    readonly of: number;
    /** Index of the spoiled translation, 0 … N−1. */
    readonly translation: number;
    readonly spoiledBy: string;
  };

/** Which system stands behind each translation of one item. */
export interface KeyItem {
  readonly itemId: number;
  /** Identifier of the segment in the researcher's file. */
  readonly segment: string;
  /** Identifier of the document that the segment belongs to. */
  readonly document: string;
  /** By translation, t1 … tN. */
  readonly systems: readonly string[];
  readonly role: ItemRole;
}

/** The only file that names systems. Notebook 31 writes it, notebook 32 reads it, no rater has it. */
export interface SealedKey {
  readonly runId: string;
  /** Keeps the key from being guessed from its hash: 128 random bits or more, in hexadecimal. */
  readonly secret: string;
  /** Whether t1 is one system throughout, or drawn anew for every item. */
  readonly assignment: "per_run" | "per_item";
  /** In the order of the researcher's file. */
  readonly systems: readonly string[];
  readonly items: readonly KeyItem[];
}
