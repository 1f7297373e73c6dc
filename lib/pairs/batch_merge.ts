import type { GivenReply } from "../models/hosted/chat_completion.ts";
import { type BodyOf, questionsById } from "./batch_questions.ts";
import { planEvaluation, type PlanInput } from "./evaluation_plan.ts";
import { openKeyedTable } from "./keyed_table.ts";
import {
  compareQuestions,
  INVALID_TABLE,
  judgeReply,
  type Question,
  questionKey,
  RESPONSE_TABLE,
} from "./responses.ts";
import { writeRunSettings } from "./run_settings.ts";

/** What became of a batch's answers. */
export interface BatchMerge {
  /** Rows written now, invalid ones among them. */
  readonly merged: number;
  readonly invalid: number;
  /** Questions that had an answer already: it stays, whatever the batch says. */
  readonly kept: number;
  /** Answers to questions that are not asked as things stand; nothing was written for them. */
  readonly foreign: number;
}

/**
 * Writes a batch's answers into the tables that `evaluateForcedChoice` writes, as it would have
 * judged them: same rows, same log of invalid answers, same settings on record. Merging the same
 * answers again, after a kill at whatever moment, writes nothing twice.
 *
 * @param input All questions that a batch may have asked: both orders, every pair, every model.
 * @param replies By custom id; see `batch_questions.ts`.
 * Throws as `planEvaluation` does, before anything is written, where the answers would be mixed
 * with those of other settings.
 */
export function mergeBatchReplies(
  input: PlanInput,
  replies: ReadonlyMap<string, GivenReply>,
  bodyOf: BodyOf,
): BatchMerge {
  const questions = questionsById(planEvaluation(input).calls, bodyOf);
  const known = [...replies].flatMap(([id, reply]) => {
    const question = questions.get(id);
    return question ? [{ question, reply }] : [];
  });
  const foreign = replies.size - known.length;
  if (known.length === 0) return { merged: 0, invalid: 0, kept: 0, foreign };
  return { ...writeReplies(input, known), foreign };
}

interface Answered {
  readonly question: Question;
  readonly reply: GivenReply;
}

function writeReplies(input: PlanInput, answers: readonly Answered[]): Omit<BatchMerge, "foreign"> {
  const names = new Set(answers.map(({ question }) => question.model));
  const models = input.models.filter(({ name }) => names.has(name));
  const { answered, records } = planEvaluation({ ...input, models });
  writeRunSettings(input.settingsPath, records);
  using log = openKeyedTable(input.invalidLogPath, INVALID_TABLE);
  using results = openKeyedTable(input.resultsPath, RESPONSE_TABLE);
  const tally = { merged: 0, invalid: 0, kept: 0 };
  for (const { question, reply } of answers) {
    if (answered.has(questionKey(question))) {
      tally.kept += 1;
      continue;
    }
    const { response, invalid } = judgeReply(question, reply);
    // The text first: a row INVALID must never stand without it.
    if (invalid) log.put(invalid);
    results.put(response);
    tally.merged += 1;
    tally.invalid += invalid ? 1 : 0;
  }
  const compare = compareQuestions(input.pairs.map(({ id }) => id));
  log.finish(compare, (entry) => results.rows.get(questionKey(entry))?.response === "INVALID");
  results.finish(compare);
  return tally;
}
