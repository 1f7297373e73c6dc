import type { RatingWorkbook } from "../item.ts";

/** Something wrong with a workbook, for the person who opened it. */
export interface Problem {
  /** A sheet's name; undefined for the file as a whole. */
  readonly sheet: string | undefined;
  /** As Excel counts: 1 is the heading. */
  readonly row: number | undefined;
  /** A column's heading, e.g. `t7`. */
  readonly column: string | undefined;
  /** A sentence: what is wrong and what to do. */
  readonly message: string;
}

/** A problem of the file as a whole. */
export function fileProblem(message: string): Problem {
  return { sheet: undefined, row: undefined, column: undefined, message };
}

/** A file that was read: either all of it is sound, or every reason why it is not. */
export type ReadResult =
  | { readonly kind: "workbook"; readonly workbook: RatingWorkbook }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };
