import { readTable } from "../keyed_table.ts";
import { LIKELIHOOD_TABLE, type PairLikelihood } from "../likelihood_rows.ts";
import type { MinimalPair } from "../pair.ts";
import { type Response, RESPONSE_TABLE } from "../responses.ts";
import { pairsHash, readRunSettings } from "../run_settings.ts";
import type { AnswerFiles, PairStudy } from "../study.ts";

/** Responses and likelihoods on record. */
export interface Answers {
  readonly responses: readonly Response[];
  readonly likelihoods: readonly PairLikelihood[];
}

/** Responses and likelihoods as they stand; damaged lines are left to the evaluation to mend. */
export function readAnswers(files: AnswerFiles): Answers {
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
  study: PairStudy,
  pairs: readonly MinimalPair[],
): Answers {
  requireSamePairs(study, pairs);
  return readAnswers(study.files);
}

/**
 * Makes sure that the answers on record are answers about these pairs.
 * @throws {Error} naming file, model and remedy.
 */
export function requireSamePairs(
  study: PairStudy,
  pairs: readonly MinimalPair[],
): void {
  const message = answersToOthers(study, pairs);
  if (message !== undefined) throw new Error(message);
}

/** Whose answers on record belong to other pairs, with file and remedy; nothing where none do. */
export function answersToOthers(
  { files, otherPairsRemedy }: PairStudy,
  pairs: readonly MinimalPair[],
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
        `(SHA-256 ${task.pairsSha256}, now ${current}). ${otherPairsRemedy}`;
    }
  }
  return undefined;
}
