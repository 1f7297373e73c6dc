import { carryRecord, carryRows, sameQuestions } from "../carry_answers.ts";
import { readTable, type TableShape, writeTable } from "../keyed_table.ts";
import { compareLikelihoods, LIKELIHOOD_TABLE } from "../likelihood_rows.ts";
import type { MinimalPair } from "../pair.ts";
import { compareQuestions, INVALID_TABLE, RESPONSE_TABLE } from "../responses.ts";
import { readRunSettings, writeRunSettings } from "../run_settings.ts";
import type { PairStudy } from "../study.ts";

/** Rows of answers and likelihoods that stay, and of pairs that are gone. */
export interface KeptAnswers {
  readonly kept: number;
  readonly gone: number;
}

/**
 * Keeps of the answers on record those to pairs that are still there, under the ids that these have
 * now, and lets the others go: a question is its two sentences. Whoever calls this holds the lock.
 * @param before the pairs that the answers on record belong to.
 */
export function keepAnswers(
  { files }: Pick<PairStudy, "files">,
  before: readonly MinimalPair[],
  now: readonly MinimalPair[],
): KeptAnswers {
  const ids = sameQuestions(before, now);
  const order = now.map(({ id }) => id);
  const tallies = [
    // A text before its row: rows must never stand without them.
    keepRows(files.invalidAnswers, INVALID_TABLE, ids, compareQuestions(order)),
    keepRows(files.responses, RESPONSE_TABLE, ids, compareQuestions(order)),
    keepRows(files.likelihoods, LIKELIHOOD_TABLE, ids, compareLikelihoods(order)),
  ];
  for (const path of new Set([files.responseSettings, files.likelihoodSettings])) {
    const records = Object.entries(readRunSettings(path));
    if (records.length === 0) continue;
    const carried = records.map(([model, record]) => [model, carryRecord(record, now)] as const);
    writeRunSettings(path, Object.fromEntries(carried));
  }
  const [, answers, scores] = tallies;
  return {
    kept: answers!.kept + scores!.kept,
    gone: answers!.gone + scores!.gone,
  };
}

function keepRows<Column extends string, Row extends { readonly pairId: string }>(
  path: string,
  shape: TableShape<Column, Row>,
  ids: ReadonlyMap<string, string>,
  compare: (a: Row, b: Row) => number,
): KeptAnswers {
  const { rows } = readTable(path, shape);
  if (rows.length === 0) return { kept: 0, gone: 0 };
  const kept = carryRows(rows, ids);
  writeTable(path, shape, kept.toSorted(compare));
  return { kept: kept.length, gone: rows.length - kept.length };
}
