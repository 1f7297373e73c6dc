import assert from "node:assert/strict";
import type { ChatModel, LanguageModel, Reply } from "../../lib/models/model.ts";
import { askBoth, likelihoodDifferences, reportAnswers } from "./served.ts";

const PAIRS = [{ id: "P1", phenomenon: "X", grammatical: "good", ungrammatical: "bad" }];

const chat = (reply: (prompt: string) => Reply): ChatModel => ({
  name: "made",
  settings: {},
  ask: (prompt) => Promise.resolve(reply(prompt)),
});
const answer = (text: string): Reply => ({ kind: "answer", text, promptTokens: 1, replyTokens: 1 });

Deno.test("askBoth() asks both about every pair in both orders, the ends of texts trimmed", async () => {
  const prompts: string[] = [];
  const served = chat((prompt) => answer(`\n${prompts.push(prompt) === 1 ? "A" : "B"} `));
  const answers = await askBoth(PAIRS, chat(() => answer("A")), served);
  assert.match(prompts[0]!, /good[^]*bad/);
  assert.match(prompts[1]!, /bad[^]*good/);
  assert.deepEqual(answers.map(({ order, inProcess, served }) => [order, inProcess, served]), [
    ["A_gram", "A", "A"],
    ["B_gram", "A", "B"],
  ]);
  assert.equal(reportAnswers(answers), false);
  assert.equal(reportAnswers([{ ...answers[0]!, served: "A: good" }]), true);
  const failing = chat(() => ({ kind: "failure", message: "no answer came" }));
  await assert.rejects(askBoth(PAIRS, failing, served), /no answer came/);
});

const digits = (text: string) => [...text].map(Number);

/** A token a character; a sequence's log-probability is minus the sum of its tokens after the first. */
const ENGINE = {
  vocabulary: {
    ...{ tokenise: digits, tokeniseMarkup: digits },
    detokenise: () => "",
    endsReply: () => false,
    start: { id: 0, source: "bos" as const },
    chatStart: undefined,
  },
  score: (sequences: readonly (readonly number[])[]) =>
    Promise.resolve(sequences.map(([, ...rest]) => -rest.reduce((sum, token) => sum + token, 0))),
};

const served = (...logProbabilities: readonly number[]): LanguageModel => {
  const left = [...logProbabilities];
  return {
    name: "made",
    settings: {},
    score: () => Promise.resolve([{ logProbability: left.shift()!, tokens: 1, bytes: 1 }]),
  };
};

Deno.test("likelihoodDifferences() scores in process after the server's start tokens, however many", async () => {
  const texts = ["12", "4"];
  assert.deepEqual(await likelihoodDifferences(texts, ENGINE, "9", served(-3.5, -4)), [0.5, 0]);
  // The second start token's own 7 is no part of the text's sum.
  assert.deepEqual(await likelihoodDifferences(texts, ENGINE, "97", served(-3, -5)), [0, 1]);
});
