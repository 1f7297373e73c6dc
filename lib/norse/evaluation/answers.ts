import { readTable } from "../../pairs/keyed_table.ts";
import { LIKELIHOOD_TABLE, type PairLikelihood } from "../../pairs/likelihood_rows.ts";
import type { MinimalPair } from "../../pairs/pair.ts";
import { type Response, RESPONSE_TABLE } from "../../pairs/responses.ts";
import { pairsHash, readRunSettings } from "../../pairs/run_settings.ts";
import { NORSE_PATHS } from "../paths.ts";

/** Where answers and their settings stand. */
export type AnswerFiles = {
  readonly [
    Name in
      | "responses"
      | "invalidAnswers"
      | "responseSettings"
      | "likelihoods"
      | "likelihoodSettings"
  ]: string;
};

/** Responses and likelihoods on record. */
export interface Answers {
  readonly responses: readonly Response[];
  readonly likelihoods: readonly PairLikelihood[];
}

/** Responses and likelihoods as they stand; damaged lines are left to the evaluation to mend. */
export function readAnswers(files: AnswerFiles = NORSE_PATHS): Answers {
  return {
    responses: readTable(files.responses, RESPONSE_TABLE).rows,
    likelihoods: readTable(files.likelihoods, LIKELIHOOD_TABLE).rows,
  };
}

/**
 * The answers on record, made sure to be answers about these pairs.
 * @throws {Error} naming file, model and remedy.
 */
export function readAnswersTo(
  pairs: readonly MinimalPair[],
  files: AnswerFiles = NORSE_PATHS,
): Answers {
  requireSamePairs(pairs, files);
  return readAnswers(files);
}

/**
 * Makes sure that the answers on record are answers about these pairs.
 * @throws {Error} naming file, model and remedy.
 */
export function requireSamePairs(
  pairs: readonly MinimalPair[],
  files: AnswerFiles = NORSE_PATHS,
): void {
  const message = answersToOthers(pairs, files);
  if (message !== undefined) throw new Error(message);
}

/** Whose answers on record belong to other pairs, with file and remedy; nothing where none do. */
export function answersToOthers(
  pairs: readonly MinimalPair[],
  files: AnswerFiles = NORSE_PATHS,
): string | undefined {
  const current = pairsHash(pairs);
  const { responses, likelihoods } = readAnswers(files);
  for (
    const { path, rows } of [
      { path: files.responseSettings, rows: responses },
      { path: files.likelihoodSettings, rows: likelihoods },
    ]
  ) {
    const answering = new Set(rows.map(({ model }) => model));
    for (const [model, { task }] of Object.entries(readRunSettings(path))) {
      // A model that never answered has nothing that could belong to other pairs.
      if (!answering.has(model) || task.pairsSha256 === current) continue;
      return `Cannot use the answers of ${model} recorded in ${path}: they belong to other pairs ` +
        `(SHA-256 ${task.pairsSha256}, now ${current}). Bring the ` +
        "former minimal_pairs.csv and certificates.csv back and run `deno task generate`: it keeps " +
        "the answers to pairs that stay. Or, for a model of this machine, run `deno task reproduce " +
        "--fresh`, which asks anew; for a hosted one, remove its rows and its settings.";
    }
  }
  return undefined;
}
