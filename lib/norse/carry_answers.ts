import { basename, join } from "node:path";
import { writeTextAtomic } from "../files/atomic.ts";
import { formatCsv } from "../files/csv.ts";
import { carryRecord, carryRows, sameQuestions } from "../pairs/carry_answers.ts";
import { pairTable } from "../pairs/dataset.ts";
import { readTable, type TableShape } from "../pairs/keyed_table.ts";
import {
  compareLikelihoods,
  LIKELIHOOD_TABLE,
  type PairLikelihood,
} from "../pairs/likelihood_rows.ts";
import type { MinimalPair } from "../pairs/pair.ts";
import {
  compareQuestions,
  INVALID_TABLE,
  type InvalidAnswer,
  type Response,
  RESPONSE_TABLE,
} from "../pairs/responses.ts";
import {
  pairsHash,
  readRunSettings,
  type RunRecord,
  writeRunSettings,
} from "../pairs/run_settings.ts";
import { PHENOMENA } from "./candidate.ts";
import type { AnswerFiles } from "./evaluation/answers.ts";

/** Rows that came over from an earlier data set. */
export interface CarriedRows {
  readonly model: string;
  readonly kind: "answers" | "likelihoods";
  readonly rows: number;
}

/** A data set with its answers; a folder set aside has the same names. */
type DatasetFiles = AnswerFiles & { readonly pairs: string };

/**
 * Brings over what was answered about pairs that are still in the data set, from folders set aside.
 * A question is its two sentences, not its number: where those stay, so do its answers, and a few
 * pairs more or less cost no days of quota. A model with rows in place is left alone; of several
 * folders the one with most rows of a model is taken, because they share one record of settings. A
 * folder that cannot be read gives none, nor one whose answers belong to other pairs than its own. After a kill the next call goes on.
 */
export function carryAnswers(
  pairs: readonly MinimalPair[],
  files: DatasetFiles,
  folders: readonly string[],
): readonly CarriedRows[] {
  const ids = pairs.map(({ id }) => id);
  const sources = folders.flatMap((folder) => readSource(pairs, folder, files));
  const answers = choose(sources.map((source) => source.answers), files.responses, RESPONSE_TABLE);
  // Settings before rows, and a text before its row: rows must never stand without them.
  addRecords(files.responseSettings, answers, pairs);
  addRows(files.invalidAnswers, INVALID_TABLE, textsOf(answers, sources), compareQuestions(ids));
  addRows(files.responses, RESPONSE_TABLE, rowsOf(answers), compareQuestions(ids));
  const scores = choose(
    sources.map((source) => source.scores),
    files.likelihoods,
    LIKELIHOOD_TABLE,
  );
  addRecords(files.likelihoodSettings, scores, pairs);
  addRows(files.likelihoods, LIKELIHOOD_TABLE, rowsOf(scores), compareLikelihoods(ids));
  return [...told(answers, "answers"), ...told(scores, "likelihoods")];
}

/** Rows of one kind, under present ids, with the settings of the models that gave them. */
interface Kind<Row> {
  readonly rows: readonly Row[];
  readonly records: Readonly<Record<string, RunRecord>>;
}

/** What a folder has about pairs of the present data set. */
interface Source {
  readonly answers: Kind<Response>;
  readonly texts: readonly InvalidAnswer[];
  readonly scores: Kind<PairLikelihood>;
}

function readSource(
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

/** What one model gets, and from which of the sources. */
interface Choice<Row> {
  readonly model: string;
  readonly rows: readonly Row[];
  readonly record: RunRecord;
  /** Place among the sources. */
  readonly source: number;
}

/** For every model without rows in the table the source that has most of it. */
function choose<Column extends string, Row extends { readonly model: string }>(
  kinds: readonly Kind<Row>[],
  path: string,
  shape: TableShape<Column, Row>,
): readonly Choice<Row>[] {
  const best = new Map<string, Choice<Row>>();
  const inPlace = new Set(readTable(path, shape).rows.map(({ model }) => model));
  for (const [source, { rows, records }] of kinds.entries()) {
    for (const [model, own] of Map.groupBy(rows, (row) => row.model)) {
      const record = records[model];
      const isMore = own.length > (best.get(model)?.rows.length ?? 0);
      if (record && isMore && !inPlace.has(model)) {
        best.set(model, { model, rows: own, record, source });
      }
    }
  }
  return [...best.values()];
}

const rowsOf = <Row>(choices: readonly Choice<Row>[]) => choices.flatMap(({ rows }) => rows);

const textsOf = (answers: readonly Choice<Response>[], sources: readonly Source[]) =>
  answers.flatMap(({ model, source }) =>
    (sources[source]?.texts ?? []).filter((text) => text.model === model)
  );

const told = (choices: readonly Choice<unknown>[], kind: CarriedRows["kind"]) =>
  choices.map(({ model, rows }) => ({ model, kind, rows: rows.length }));

function addRecords(
  path: string,
  choices: readonly Choice<unknown>[],
  pairs: readonly MinimalPair[],
): void {
  if (choices.length === 0) return;
  const carried = choices.map(({ model, record }) => [model, carryRecord(record, pairs)] as const);
  writeRunSettings(path, { ...readRunSettings(path), ...Object.fromEntries(carried) });
}

function addRows<Column extends string, Row>(
  path: string,
  shape: TableShape<Column, Row>,
  rows: readonly Row[],
  compare: (a: Row, b: Row) => number,
): void {
  if (rows.length === 0) return;
  const all = new Map(
    [...readTable(path, shape).rows, ...rows].map((row) => [shape.keyOf(row), row]),
  );
  const text = formatCsv(shape.columns, [...all.values()].sort(compare).map(shape.format));
  writeTextAtomic(path, text);
}
