/** What readers said of the pairs, who saw both members without a key. */
import { resolve } from "node:path";
import { field, flag, name, oneOf, type Table, table, text, whole } from "../files/table.ts";
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
export function reviewTable({ path, about = "readings of pairs", own = "text" }: {
  readonly path: string;
  readonly about?: string;
  /** Whose own sentence is the grammatical one: the saga, the Gītā. */
  readonly own?: string;
}): Table<ReviewRow> {
  return table({
    path: resolve(path),
    about,
    maker: `git checkout ${path}`,
    columns: {
      pair_id: text(
        "number of the pair when it was read, if any; join by `sha256`: numbers change",
      ),
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

/**
 * `reading_provenance.csv`: where the judgements of language-model readers come from, one row a reading, as
 * far as the files' history and their manifest tell. What they do not tell is `not recorded`.
 */
export function provenanceTable(path: string, files: readonly [string, ...string[]]) {
  return table({
    path: resolve(path),
    about: "from git history and this page's own words: which language model judged what, when, " +
      "asked how",
    maker: `git checkout ${path}`,
    columns: {
      file: oneOf(files, "the file that holds the judgements"),
      rows: whole(
        "rows of it, as it stands, that this reading added; 0 where it changed or left none",
      ),
      reader: oneOf(
        ["language model", "not recorded"],
        "who read; of no reading it is known that a person did",
      ),
      model_family: name("family of the models; `not recorded` where nothing tells"),
      model: name("the very model with its version"),
      instructed_as: name("what the readers were told to be"),
      prompt: name("the words they were asked in"),
      shown: name("what they saw"),
      date: field(z.iso.date(), "day on which the judgements came into the repository, UTC"),
      commit: field(z.string().regex(/^[0-9a-f]{7}$/), "the commit in which they came"),
      note: text("what else is known; may be empty"),
    },
  });
}
