import { openProgress } from "../../files/status_line.ts";
import type { LocalModel } from "../../models/local_models.ts";
import type { GgufEntry } from "../../models/panel.ts";
import { formatPrompt, ORDERS } from "../forced_choice.ts";
import { preference } from "../likelihood_measures.ts";
import { likelihoodKey, type PairLikelihood } from "../likelihood_rows.ts";
import { scorePair } from "../likelihoods.ts";
import type { MinimalPair } from "../pair.ts";
import { judgeReply, type Question, questionKey, type Response } from "../responses.ts";
import { randomSource } from "../../stats/random.ts";
import { readAnswers } from "./answers.ts";
import { loadShowingProgress } from "./open_local.ts";
import type { PairStudy } from "../study.ts";

/** How freshly made answers of one model compare with those on record. */
export interface SpotCheck {
  readonly model: string;
  readonly pairs: number;
  /** Largest difference of a member's log-probability, nats. */
  readonly largestDifference: number;
  /** Pairs of which the other member is preferred now. */
  readonly turned: number;
  readonly questions: number;
  /** Questions with another answer now. */
  readonly changedAnswers: number;
  /** Questions that got no answer now; they are compared with nothing. */
  readonly failedCalls: number;
}

/**
 * Scores and asks a seeded slice of the pairs anew and compares it with the rows on record; writes
 * nothing. Processors differ in the last digits, so a difference of hundredths of a nat is no fault.
 * @throws RangeError where the slice is not on record.
 */
export async function spotCheck(
  study: PairStudy,
  pairs: readonly MinimalPair[],
  entry: GgufEntry,
  { size, seed }: { readonly size: number; readonly seed: number },
): Promise<SpotCheck> {
  const slice = randomSource(seed).sample(pairs, Math.min(size, pairs.length));
  const { responses, likelihoods } = readAnswers(study.files);
  await using model = await loadShowingProgress(entry, study.cache);
  using progress = openProgress(`${entry.id} spot check`, slice.length);
  const scores: { differences: number[]; turned: number } = { differences: [], turned: 0 };
  const answers: Comparison[] = [];
  for (const pair of slice) {
    const compared = await compareScores(study, model, pair, likelihoods);
    scores.differences.push(...compared.differences);
    scores.turned += compared.turned ? 1 : 0;
    answers.push(...await compareAnswers(study, model, pair, responses));
    progress.advance();
  }
  return {
    model: entry.id,
    pairs: slice.length,
    largestDifference: Math.max(0, ...scores.differences),
    turned: scores.turned,
    questions: answers.length,
    changedAnswers: answers.filter((answer) => answer === "other").length,
    failedCalls: answers.filter((answer) => answer === "failed").length,
  };
}

async function compareScores(
  study: PairStudy,
  { likelihood }: LocalModel,
  pair: MinimalPair,
  recorded: readonly PairLikelihood[],
): Promise<{ readonly differences: readonly number[]; readonly turned: boolean }> {
  if (!likelihood) return { differences: [], turned: false };
  const now = await scorePair(likelihood, pair);
  const before = recorded.find((row) => likelihoodKey(row) === likelihoodKey(now));
  if (before === undefined) throw notOnRecord(study, likelihood.name, pair.id);
  const difference = (member: "grammatical" | "ungrammatical") =>
    Math.abs(now[member].logProbability - before[member].logProbability);
  return {
    differences: [difference("grammatical"), difference("ungrammatical")],
    turned: preference(now, "total") !== preference(before, "total"),
  };
}

type Comparison = "same" | "other" | "failed";

/** For each order, how the answer compares with the one on record. */
async function compareAnswers(
  study: PairStudy,
  { chat }: LocalModel,
  pair: MinimalPair,
  recorded: readonly Response[],
): Promise<readonly Comparison[]> {
  if (!chat) return [];
  const compared: Comparison[] = [];
  for (const order of ORDERS) {
    const question: Question = { model: chat.name, pairId: pair.id, order };
    const before = recorded.find((row) => questionKey(row) === questionKey(question));
    if (before === undefined) throw notOnRecord(study, chat.name, pair.id);
    const reply = await chat.ask(formatPrompt(study.question, pair, order));
    if (reply.kind === "failure") compared.push("failed");
    else {
      const { response } = judgeReply(question, reply).response;
      compared.push(response === before.response ? "same" : "other");
    }
  }
  return compared;
}

function notOnRecord({ commands }: PairStudy, model: string, pairId: string): RangeError {
  return new RangeError(
    `Cannot check ${model} on ${pairId}: no answer is on record. Run ` +
      `\`${commands.evaluate} --panel local\` first.`,
  );
}

/** The outcome in one line. */
export function describeSpotCheck(check: SpotCheck): string {
  return `${check.model}: ${check.pairs} pairs scored anew, largest difference ` +
    `${check.largestDifference.toFixed(4)} nats, ${check.turned} turned; ${check.questions} ` +
    `questions asked anew, ${check.changedAnswers} answered otherwise` +
    (check.failedCalls === 0 ? "" : `, ${check.failedCalls} failed`);
}
