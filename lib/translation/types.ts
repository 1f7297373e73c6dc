/** A source sentence and its translations: one row of the sheet `inputs`. */
export interface InputRow {
  /** Positive integer, unique in the workbook. */
  readonly itemId: number;
  readonly source: string;
  /** Translations t1 … tN in this order; index 0 is t1. */
  readonly translations: readonly string[];
  /**
   * Number of the sentence's document, from 1 in display order.
   * Absent if documents are not shown.
   */
  readonly document?: number;
  /**
   * Neighbouring sentences in the document, which need not be rated.
   * Present for all items or none.
   */
  readonly context?: SentenceContext;
  /** SHA-256 of the row's canonical form, in lower-case hexadecimal. */
  readonly rowInputHash: string;
}

/** Position of a sentence in its document, with the neighbouring source sentences. */
export interface SentenceContext {
  /** Position from 1, and the document's number of sentences. */
  readonly place: number;
  readonly of: number;
  /** Preceding and following sentences, one per line; empty at the document's ends. */
  readonly before: string;
  readonly after: string;
}

/** A rater's bucket key and Direct Assessment score, possibly incomplete or invalid. */
export interface Rating {
  readonly bucket: string | undefined;
  readonly da: number | string | undefined;
}

/** One row of the sheet `eval`: a rater's work on one item. */
export interface ItemEvaluation {
  readonly itemId: number;
  /** Display order: position p (0 … N−1) shows translation displayMap[p] (0 … N−1). */
  readonly displayMap: readonly number[];
  /** Ratings in the order t1 … tN, not in display order. */
  readonly ratings: readonly Rating[];
  readonly comment: string;
  /** ISO 8601 in UTC; undefined until the item is first opened. */
  readonly startedAt: string | undefined;
  /** ISO 8601 in UTC. It is undefined unless the present ratings are confirmed by Next. */
  readonly committedAt: string | undefined;
  /** Number of changes and renewed confirmations after the first confirmation. */
  readonly editCount: number;
  /**
   * Working time in seconds, to a tenth, idle gaps capped.
   * `highlightSeconds` is the part of it with differences shown.
   */
  readonly activeSeconds: number;
  readonly highlightSeconds: number;
  /**
   * Idle time in seconds, to a tenth.
   * It is the part of each gap beyond the reading time of the screen.
   */
  readonly idleSeconds: number;
}

/** An item's texts with its ratings. */
export interface WorkbookItem {
  readonly input: InputRow;
  readonly evaluation: ItemEvaluation;
}

/** A rater's workbook in memory. It names no system; only the sealed key does. */
export interface RatingWorkbook {
  /** UUID of the run. Together with the item's number it determines the display order. */
  readonly runId: string;
  /** SHA-256 of the run configuration in force when the ratings were made. */
  readonly configSha256: string;
  /** SHA-256 of the sealed key; empty if no key was sealed. */
  readonly keySha256: string;
  /**
   * The rater's name, and the number of the batch.
   * Absent in workbooks of earlier versions or without a named rater.
   */
  readonly rater?: string;
  readonly batch?: string;
  /** Items by ascending number, whatever the order of the rows. There is at least one. */
  readonly items: readonly WorkbookItem[];
}

/** The rating of an untouched translation. */
export const UNRATED: Rating = { bucket: undefined, da: undefined };
