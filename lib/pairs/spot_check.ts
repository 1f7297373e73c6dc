/** A seeded slice of a study asked and scored anew, against the answers on record. */
import type { ChatModel, LanguageModel } from "../models/model.ts";
import { randomSource } from "../stats/random.ts";
import {
  type Answers,
  judgeReply,
  likelihoodKey,
  type PairLikelihood,
  questionKey,
  readAnswers,
} from "./answers.ts";
import { formatPrompt, ORDERS } from "./forced_choice.ts";
import { preference } from "./measures.ts";
import type { MinimalPair } from "./pair.ts";
import { scorePair } from "./score.ts";
import type { PairStudy } from "./study.ts";

/** How freshly made answers of one model compare with those on record. */
interface SpotCheck {
  readonly model: string;
  readonly pairs: number;
  /** Largest difference of a member's log-probability, nats. */
  readonly largestDifference: number;
  /** Pairs of which the other member is preferred now, by more than processors differ. */
  readonly turned: number;
  readonly questions: number;
  /** Questions with another answer now. */
  readonly changedAnswers: number;
  /** Questions that got no answer now. */
  readonly failedCalls: number;
}

/** Processors differ by hundredths of a nat; more than this is another model or another engine. */
const TOLERATED_NATS = 0.1;

/**
 * Scores and asks a seeded slice of the pairs anew and compares it with the rows on record; writes
 * nothing.
 * @throws {RangeError} where the slice is not on record.
 */
export async function spotCheck(
  study: PairStudy,
  pairs: readonly MinimalPair[],
  { name, chat, likelihood }: {
    readonly name: string;
    readonly chat?: ChatModel | undefined;
    readonly likelihood?: LanguageModel | undefined;
  },
  { size, seed, onPair }: {
    readonly size: number;
    readonly seed: number;
    readonly onPair?: () => void;
  },
): Promise<SpotCheck> {
  const slice = randomSource(seed).sample(pairs, Math.min(size, pairs.length));
  const recorded = readAnswers(study, slice);
  let [largestDifference, turned] = [0, 0];
  const answers: Comparison[] = [];
  for (const pair of slice) {
    if (likelihood) {
      const before = recorded.likelihoods.find((row) =>
        likelihoodKey(row) === likelihoodKey({ model: name, pairId: pair.id })
      );
      if (before === undefined) throw notOnRecord(study, name, pair.id);
      const now = await scorePair(likelihood, pair);
      for (const member of ["grammatical", "ungrammatical"] as const) {
        const difference = Math.abs(now[member].logProbability - before[member].logProbability);
        largestDifference = Math.max(largestDifference, difference);
      }
      turned += hasTurned(before, now) ? 1 : 0;
    }
    if (chat) answers.push(...await compareAnswers(study, chat, pair, recorded));
    onPair?.();
  }
  return {
    model: name,
    pairs: slice.length,
    largestDifference,
    turned,
    questions: answers.length,
    changedAnswers: answers.filter((answer) => answer === "other").length,
    failedCalls: answers.filter((answer) => answer === "failed").length,
  };
}

/** Whether the other member is preferred now; of members that are as good as equal either may be. */
function hasTurned(before: PairLikelihood, now: PairLikelihood): boolean {
  const margin = before.grammatical.logProbability - before.ungrammatical.logProbability;
  return Math.abs(margin) > 2 * TOLERATED_NATS &&
    preference(now, "total") !== preference(before, "total");
}

type Comparison = "same" | "other" | "failed";

/** For each order, how the answer compares with the one on record. */
async function compareAnswers(
  study: PairStudy,
  chat: ChatModel,
  pair: MinimalPair,
  { responses }: Answers,
): Promise<readonly Comparison[]> {
  const compared: Comparison[] = [];
  for (const order of ORDERS) {
    const question = { model: chat.name, pairId: pair.id, order };
    const before = responses.find((row) => questionKey(row) === questionKey(question));
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

/** What of a check says that this is not the same model; nothing where it agrees. */
export function disagreements(check: SpotCheck): readonly string[] {
  const { largestDifference, turned, changedAnswers, failedCalls } = check;
  return [
    ...(largestDifference <= TOLERATED_NATS
      ? []
      : [`a log-probability differs by ${largestDifference.toFixed(4)} nats`]),
    ...(turned === 0 ? [] : [`${turned} pairs have the other member preferred`]),
    ...(changedAnswers === 0 ? [] : [`${changedAnswers} questions are answered otherwise`]),
    ...(failedCalls === 0 ? [] : [`${failedCalls} calls failed`]),
  ];
}

/** The outcome in one line. */
export function describeSpotCheck(check: SpotCheck): string {
  const { model, pairs, largestDifference, turned, questions, changedAnswers, failedCalls } = check;
  return `${model}: ${pairs} pairs scored anew, largest difference ` +
    `${largestDifference.toFixed(4)} nats, ${turned} turned; ${questions} questions asked anew, ` +
    `${changedAnswers} answered otherwise, ${failedCalls} failed`;
}
