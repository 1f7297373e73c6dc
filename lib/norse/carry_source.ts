import { basename, join } from "node:path";
import { carryRows, sameQuestions } from "../pairs/carry_answers.ts";
import { pairTable } from "../pairs/dataset.ts";
import { readTable } from "../pairs/keyed_table.ts";
import { LIKELIHOOD_TABLE, type PairLikelihood } from "../pairs/likelihood_rows.ts";
import type { MinimalPair } from "../pairs/pair.ts";
import {
  INVALID_TABLE,
  type InvalidAnswer,
  type Response,
  RESPONSE_TABLE,
} from "../pairs/responses.ts";
import { pairsHash, readRunSettings, type RunRecord } from "../pairs/run_settings.ts";
import { PHENOMENA } from "./candidate.ts";
import type { AnswerFiles } from "../pairs/study.ts";

/** A data set with its answers; a folder set aside has the same names. */
export type DatasetFiles = AnswerFiles & { readonly pairs: string };

/** Rows of one kind, under present ids, with the settings of the models that gave them. */
export interface Kind<Row> {
  readonly rows: readonly Row[];
  readonly records: Readonly<Record<string, RunRecord>>;
}

/** What a folder has about pairs of the present data set. */
export interface Source {
  readonly answers: Kind<Response>;
  readonly texts: readonly InvalidAnswer[];
  readonly scores: Kind<PairLikelihood>;
}

/**
 * What a folder set aside has about present pairs; nothing where one of its files is no table, or its
 * answers belong to other pairs than its own.
 */
export function readSource(
  pairs: readonly MinimalPair[],
  folder: string,
  files: DatasetFiles,
): readonly Source[] {
  const at = (name: keyof DatasetFiles) => join(folder, basename(files[name]));
  try {
    const before = readTable(at("pairs"), pairTable(PHENOMENA)).rows;
    const ids = sameQuestions(before, pairs);
    // Answers that say they belong to other pairs than those beside them would be given wrong names.
    const recordsOf = (path: string) => recordsAbout(pairsHash(before), readRunSettings(path));
    return [{
      answers: {
        rows: carryRows(readTable(at("responses"), RESPONSE_TABLE).rows, ids),
        records: recordsOf(at("responseSettings")),
      },
      texts: carryRows(readTable(at("invalidAnswers"), INVALID_TABLE).rows, ids),
      scores: {
        rows: carryRows(readTable(at("likelihoods"), LIKELIHOOD_TABLE).rows, ids),
        records: recordsOf(at("likelihoodSettings")),
      },
    }];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function recordsAbout(hash: string, records: Readonly<Record<string, RunRecord>>) {
  const about = Object.entries(records).filter(([, { task }]) => task.pairsSha256 === hash);
  return Object.fromEntries(about);
}
