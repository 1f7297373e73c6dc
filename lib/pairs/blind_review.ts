/** What readers said of the pairs, who saw both members without a key. */
import { resolve } from "node:path";
import { field, flag, type Table, table, text } from "../files/table.ts";
import { z } from "zod";
import { camelCase, type DatasetItem } from "./dataset.ts";

/** A pair as a reader saw it, both members without a key. */
export interface ReviewRow {
  readonly pairId: string;
  /** The pair's certificate hash when it was read. */
  readonly sha256: string;
  readonly choseGrammatical: boolean;
  /** 0 variant clearly wrong, 1 doubtful, 2 acceptable, 3 the text's own sentence is odd. */
  readonly rating: number;
  readonly remark: string;
}

/** `blind_review.csv`, made outside the notebooks; its words are the study's. */
export function reviewTable({ path, about = "readings of pairs", pair, own = "text" }: {
  readonly path: string;
  readonly about?: string;
  readonly pair?: string;
  /** Whose own sentence is the grammatical one: the saga, the Gītā. */
  readonly own?: string;
}): Table<ReviewRow> {
  return table({
    path: resolve(path),
    about,
    maker: `git checkout ${path}`,
    columns: {
      pair_id: text(pair ?? "pair, as in `minimal_pairs.csv`"),
      sha256: text("the pair's certificate hash when it was read"),
      chose_grammatical: flag(`True where the ${own}'s sentence was taken for the good one`),
      rating: field(
        z.enum(["0", "1", "2", "3"]).transform(Number),
        `0 variant clearly wrong, 1 doubtful, 2 acceptable, 3 the ${own}'s own sentence is odd`,
      ),
      remark: text("the reader's words; may be empty"),
    },
    form: camelCase<ReviewRow>(),
    key: ["pair_id", "sha256"],
  });
}

/**
 * What readers said of these pairs as they stand; none where nobody was asked. A rating belongs to a
 * pair as it was read, by its certificate's hash, whatever number it carries now.
 * @throws {SyntaxError} naming the first damaged line.
 */
export function readBlindReview(path: string, items: readonly DatasetItem[]): readonly ReviewRow[] {
  const numbers = new Map(items.map(({ certificate }) => [certificate.sha256, certificate.pairId]));
  const review = reviewTable({ path });
  const { rows, damaged } = review.readSoFar();
  if (damaged.length > 0) review.read();
  return rows.flatMap((row) => {
    const pairId = numbers.get(row.sha256);
    return pairId === undefined ? [] : [{ ...row, pairId }];
  });
}
