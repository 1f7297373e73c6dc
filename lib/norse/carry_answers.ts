import { carryRecord } from "../pairs/carry_answers.ts";
import { readTable, type TableShape, writeTable } from "../pairs/keyed_table.ts";
import { compareLikelihoods, LIKELIHOOD_TABLE } from "../pairs/likelihood_rows.ts";
import type { MinimalPair } from "../pairs/pair.ts";
import {
  compareQuestions,
  INVALID_TABLE,
  type Response,
  RESPONSE_TABLE,
} from "../pairs/responses.ts";
import { readRunSettings, type RunRecord, writeRunSettings } from "../pairs/run_settings.ts";
import { type DatasetFiles, type Kind, readSource, type Source } from "./carry_source.ts";

/** Rows that came over from an earlier data set. */
export interface CarriedRows {
  readonly model: string;
  readonly kind: "answers" | "likelihoods";
  readonly rows: number;
}

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
  writeTable(path, shape, [...all.values()].sort(compare));
}
