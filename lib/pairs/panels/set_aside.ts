import { basename, join } from "node:path";
import { copyFileSync, existsSync } from "node:fs";
import { readTable, type TableShape, writeTable } from "../keyed_table.ts";
import { LIKELIHOOD_TABLE } from "../likelihood_rows.ts";
import { INVALID_TABLE, RESPONSE_TABLE } from "../responses.ts";
import { readRunSettings, writeRunSettings } from "../run_settings.ts";
import type { AnswerFiles } from "../study.ts";

/**
 * Sets the answers of some models aside: the files are copied whole into the folder, then lose
 * those models' rows and settings. Whatever other models answered stays where it is: a hosted
 * model's answers cost days of quota. Files left without a row are removed.
 *
 * @param models whose answers can be made again.
 * @returns names of the files that were copied.
 */
export function setAnswersAside(
  files: AnswerFiles,
  models: readonly string[],
  folder: string,
): readonly string[] {
  const paths = Object.values(answerPaths(files)).filter((path) => existsSync(path));
  Deno.mkdirSync(folder, { recursive: true });
  for (const path of paths) copyFileSync(path, join(folder, basename(path)));
  const isKept = (model: string) => !models.includes(model);
  keepRows(files.responses, RESPONSE_TABLE, ({ model }) => isKept(model));
  keepRows(files.invalidAnswers, INVALID_TABLE, ({ model }) => isKept(model));
  keepRows(files.likelihoods, LIKELIHOOD_TABLE, ({ model }) => isKept(model));
  keepSettings(files.responseSettings, isKept);
  keepSettings(files.likelihoodSettings, isKept);
  return paths.map((path) => basename(path));
}

/** Only these: a caller may pass an object that names more files. */
function answerPaths(files: AnswerFiles): AnswerFiles {
  const { responses, invalidAnswers, responseSettings, likelihoods, likelihoodSettings } = files;
  return { responses, invalidAnswers, responseSettings, likelihoods, likelihoodSettings };
}

function keepRows<Column extends string, Row>(
  path: string,
  shape: TableShape<Column, Row>,
  isKept: (row: Row) => boolean,
): void {
  if (!existsSync(path)) return;
  const rows = readTable(path, shape).rows.filter(isKept);
  if (rows.length === 0) Deno.removeSync(path);
  else writeTable(path, shape, rows);
}

function keepSettings(path: string, isKept: (model: string) => boolean): void {
  if (!existsSync(path)) return;
  const records = Object.entries(readRunSettings(path)).filter(([model]) => isKept(model));
  if (records.length === 0) Deno.removeSync(path);
  else writeRunSettings(path, Object.fromEntries(records));
}
