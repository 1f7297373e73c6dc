/**
 * Repeats a random sample of a study's questions and scores, and compares the results.
 * @module
 */
import { eachInFlight } from "../models/in_flight.ts";
import type { ChatModel, LanguageModel } from "../models/model.ts";
import { randomSource } from "../stats/random.ts";
import { judgeReply, likelihoodKey, questionKey, readAnswers } from "./answers.ts";
import { formatPrompt, ORDERS } from "./forced_choice.ts";
import { preference } from "./measures.ts";
import type { MinimalPair } from "./pair.ts";
import { scorePair } from "./ask.ts";
import type { PairStudy } from "./study.ts";

type SpotCheck = Awaited<ReturnType<typeof spotCheck>>;

/** Maximum difference in nats between processors. Larger ones show another model or engine. */
const TOLERATED_NATS = 0.1;

/**
 * Asks and scores a random sample of pairs again, and compares with the recorded results.
 *
 * Writes nothing.
 * @throws {RangeError} where a pair of the sample has no recorded result.
 */
export async function spotCheck(
  study: PairStudy,
  pairs: readonly MinimalPair[],
  { name: model, chat, likelihood }: {
    readonly name: string;
    readonly chat?: ChatModel;
    readonly likelihood?: LanguageModel;
  },
  { size, seed, onPair }: {
    readonly size: number;
    readonly seed: number;
    readonly onPair?: () => void;
  },
) {
  const slice = randomSource(seed).sample(pairs, Math.min(size, pairs.length));
  const { responses, likelihoods } = readAnswers(study, slice);
  const saidBefore = new Map(responses.map((row) => [questionKey(row), row]));
  const scoredBefore = new Map(likelihoods.map((row) => [likelihoodKey(row), row]));
  const onRecord = <Row>(row: Row | undefined, pairId: string): Row => {
    if (row !== undefined) return row;
    throw new RangeError(
      `Cannot check ${model} on ${pairId}: no answer is on record. Run ` +
        `\`${study.commands.evaluate} --panel local\` first.`,
    );
  };
  const found = {
    largestDifference: 0,
    turned: 0,
    questions: 0,
    changedAnswers: 0,
    failedCalls: 0,
  };
  const atOnce = likelihood?.concurrency ?? chat?.concurrency ?? 1;
  await eachInFlight(slice, atOnce, async (pair) => {
    const pairId = pair.id;
    if (likelihood) {
      const before = onRecord(scoredBefore.get(likelihoodKey({ model, pairId })), pairId);
      const now = await scorePair(likelihood, pair);
      const differences = (["grammatical", "ungrammatical"] as const).map((member) =>
        Math.abs(now[member].logProbability - before[member].logProbability)
      );
      found.largestDifference = Math.max(found.largestDifference, ...differences);
      // Of members that are as good as equal either may be preferred.
      const margin = before.grammatical.logProbability - before.ungrammatical.logProbability;
      const isTurned = Math.abs(margin) > 2 * TOLERATED_NATS &&
        preference(now, "total") !== preference(before, "total");
      found.turned += isTurned ? 1 : 0;
    }
    for (const order of chat ? ORDERS : []) {
      const before = onRecord(saidBefore.get(questionKey({ model, pairId, order })), pairId);
      const reply = await chat!.ask(formatPrompt(study.question, pair, order));
      found.questions += 1;
      if (reply.kind === "failure") found.failedCalls += 1;
      else {
        const { response } = judgeReply(before, reply, chat!.settings);
        if (response !== before.response) found.changedAnswers += 1;
      }
    }
    onPair?.();
  });
  return { model, pairs: slice.length, ...found };
}

/** Describes differences that show a model other than the recorded one; empty if all agree. */
export function disagreements(check: SpotCheck): readonly string[] {
  const { largestDifference, turned, changedAnswers, failedCalls } = check;
  return [
    largestDifference > TOLERATED_NATS &&
    `a log-probability differs by ${largestDifference.toFixed(4)} nats`,
    turned > 0 && `${turned} pairs have the other member preferred`,
    changedAnswers > 0 && `${changedAnswers} questions are answered otherwise`,
    failedCalls > 0 && `${failedCalls} calls failed`,
  ].filter((fault) => fault !== false);
}

export function describeSpotCheck(check: SpotCheck): string {
  const { model, pairs, largestDifference, turned, questions, changedAnswers, failedCalls } = check;
  return `${model}: ${pairs} pairs scored anew, largest difference ` +
    `${largestDifference.toFixed(4)} nats, ${turned} turned; ${questions} questions asked anew, ` +
    `${changedAnswers} answered otherwise, ${failedCalls} failed`;
}
