import { existsSync } from "node:fs";
import type { ParseRow } from "../files/csv.ts";
import { readWhole } from "../files/whole_table.ts";
import type { DatasetItem } from "./number_pairs.ts";

/** The columns of `blind_review.csv`. */
const REVIEW_COLUMNS = [
  "pair_id",
  "sha256",
  "chose_grammatical",
  "rating",
  "remark",
] as const;

/** A pair as a reader saw it, both members without a key. */
export interface ReviewRow {
  readonly pairId: string;
  /** The pair's certificate hash when it was read. */
  readonly sha256: string;
  readonly choseGrammatical: boolean;
  /** 0 variant clearly wrong, 1 doubtful, 2 acceptable, 3 the text's own sentence is odd. */
  readonly rating: number;
}

const parseReview: ParseRow<(typeof REVIEW_COLUMNS)[number], ReviewRow> = (record) => {
  const { pair_id, sha256, chose_grammatical, rating } = record;
  if (!/^[0-3]$/.test(rating)) throw new SyntaxError(`"${rating}" is no rating from 0 to 3`);
  if (!/^(True|False)$/.test(chose_grammatical)) {
    throw new SyntaxError(`"${chose_grammatical}" is neither True nor False`);
  }
  return {
    pairId: pair_id,
    sha256,
    choseGrammatical: chose_grammatical === "True",
    rating: Number(rating),
  };
};

/**
 * What readers said of these pairs as they stand; none where nobody was asked. A rating belongs to a
 * pair as it was read, by its certificate's hash, whatever number it carries now.
 * @throws {SyntaxError} naming the first damaged line.
 */
export function readBlindReview(path: string, items: readonly DatasetItem[]): readonly ReviewRow[] {
  if (!existsSync(path)) return [];
  const numbers = new Map(items.map(({ certificate }) => [certificate.sha256, certificate.pairId]));
  return readWhole(path, REVIEW_COLUMNS, parseReview, `git checkout ${path}`).flatMap((row) => {
    const pairId = numbers.get(row.sha256);
    return pairId === undefined ? [] : [{ ...row, pairId }];
  });
}
