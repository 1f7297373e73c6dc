/** A source sentence with the translations that are rated, as in the sheet `inputs`. */
export interface InputRow {
  /** Whole number from 1, different for every row. */
  readonly itemId: number;
  readonly source: string;
  /** t1 … tN in this order: an index here is the number of the column less one. */
  readonly translations: readonly string[];
  /** The document that the sentence is of, from 1 in the order shown; absent where none is told. */
  readonly document?: number;
  /** What stands around it in its document, whatever stands beside it in the workbook; told of all or none. */
  readonly context?: SentenceContext;
  /** SHA-256 of the row's canonical form, in hexadecimal. */
  readonly rowInputHash: string;
}

/** Where a sentence stands in its document, and the source sentences around it. */
export interface SentenceContext {
  /** From 1, and of how many. */
  readonly place: number;
  readonly of: number;
  /** A line a sentence; empty at the document's ends. */
  readonly before: string;
  readonly after: string;
}

/** What a rater says of one translation: a bucket's key and Direct Assessment, unfinished or invalid. */
export interface Rating {
  readonly bucket: string | undefined;
  readonly da: number | string | undefined;
}

/** One row of the sheet `eval`: everything a rater did with one item. */
export interface Evaluation {
  readonly itemId: number;
  /** At display position p (0 … N−1) the rater sees translation displayMap[p] (0 … N−1). */
  readonly displayMap: readonly number[];
  /** By translation (t1 … tN), never by display position. */
  readonly ratings: readonly Rating[];
  readonly comment: string;
  /** ISO 8601 in UTC; undefined until the item was first opened. */
  readonly startedAt: string | undefined;
  /** ISO 8601 in UTC; undefined while what stands here has not been confirmed by Next. */
  readonly committedAt: string | undefined;
  /** How often the item was changed or confirmed again after it had been committed. */
  readonly editCount: number;
  /** Seconds at work, idle gaps capped, and of these with differences shown; to a tenth. */
  readonly activeSeconds: number;
  readonly highlightSeconds: number;
  /** Seconds of idle gaps that are not among these: longer than the screen takes to be read; to a tenth. */
  readonly idleSeconds: number;
}

/** An item as page and analysis handle it. */
export interface RatedItem {
  readonly input: InputRow;
  readonly evaluation: Evaluation;
}

/** A rater's workbook in memory. It names no system: only the sealed key does. */
export interface RatingWorkbook {
  /** UUID of the run; with the item's number it fixes the display order. */
  readonly runId: string;
  /** SHA-256 of the run configuration that the ratings were made under. */
  readonly configSha256: string;
  /** SHA-256 of the sealed key; empty where no key was sealed. */
  readonly keySha256: string;
  /** Who rates it, and which of his workbooks it is; absent in those of before, and of many hands. */
  readonly rater?: string;
  readonly batch?: string;
  /** In the order of their numbers, whatever the order of the rows; at least one. */
  readonly items: readonly RatedItem[];
}

/** The rating of a translation that nobody has touched. */
export const UNRATED: Rating = { bucket: undefined, da: undefined };
