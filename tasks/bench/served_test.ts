import assert from "node:assert/strict";
import type { Engine } from "../../lib/models/llama/engine.ts";
import type { ChatModel, LanguageModel, Reply } from "../../lib/models/model.ts";
import { agreement, askBoth, compareLikelihoods, letterOf } from "./served.ts";

const PAIRS = [{ id: "P1", phenomenon: "X", grammatical: "good", ungrammatical: "bad" }];
const TEMPLATE = "A: {sentence1} B: {sentence2}";

const chat = (reply: (prompt: string) => Reply): ChatModel => ({
  name: "made",
  settings: {},
  ask: (prompt) => Promise.resolve(reply(prompt)),
});

const saying = (text: string) =>
  chat(() => ({ kind: "answer", text, promptTokens: 1, replyTokens: 1 }));

Deno.test("askBoth() asks both about every pair in both orders, the ends of texts trimmed", async () => {
  const prompts: string[] = [];
  const served = chat((prompt) => {
    prompts.push(prompt);
    return {
      kind: "answer",
      text: `\n${prompts.length === 1 ? "A" : "B"} `,
      promptTokens: 1,
      replyTokens: 1,
    };
  });
  const answers = await askBoth({
    pairs: PAIRS,
    template: TEMPLATE,
    inProcess: saying("A"),
    served,
  });
  assert.deepEqual(prompts, ["A: good B: bad", "A: bad B: good"]);
  assert.deepEqual(answers.map(({ order, inProcess, served }) => [order, inProcess, served]), [
    ["A_gram", "A", "A"],
    ["B_gram", "A", "B"],
  ]);
  assert.deepEqual(agreement(answers), { answers: 2, letters: 1, texts: 1 });
});

Deno.test("askBoth() compares nothing with a call that failed", async () => {
  const failing = chat(() => ({ kind: "failure", message: "no answer came" }));
  const asked = askBoth({
    pairs: PAIRS,
    template: TEMPLATE,
    inProcess: saying("A"),
    served: failing,
  });
  await assert.rejects(asked, /no answer came/);
});

Deno.test("agreement() tells the same letter from the same text", () => {
  const answer = { model: "made", pairId: "P1", order: "A_gram" } as const;
  const answers = [
    { ...answer, inProcess: "A", served: "A: good" },
    { ...answer, inProcess: "neither", served: "nothing" },
    { ...answer, inProcess: "A", served: "neither" },
  ];
  assert.deepEqual(agreement(answers), { answers: 3, letters: 2, texts: 0 });
  assert.equal(letterOf("A: good"), "A");
  assert.equal(letterOf("neither"), "INVALID");
});

/** A token a character; a sequence's log-probability is minus the sum of its tokens after the first. */
const ENGINE: Engine = {
  vocabulary: {
    tokenise: (text) => [...text].map(Number),
    tokeniseMarkup: (text) => [...text].map(Number),
    detokenise: () => "",
    endsReply: () => false,
    start: { id: 0, source: "bos" },
    chatStart: undefined,
  },
  chatTemplate: undefined,
  settings: {},
  score: (sequences) =>
    Promise.resolve(sequences.map(([, ...rest]) => -rest.reduce((sum, token) => sum + token, 0))),
  reading: () => Promise.reject(new Error("not asked")),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

const served = (...logProbabilities: readonly number[]): LanguageModel => {
  const left = [...logProbabilities];
  return {
    name: "made",
    settings: {},
    score: () => Promise.resolve([{ logProbability: left.shift()!, tokens: 1, bytes: 1 }]),
  };
};

Deno.test("compareLikelihoods() scores in process after the server's start tokens, however many", async () => {
  const texts = ["12", "4"];
  const one = { texts, engine: ENGINE, startToken: "9", served: served(-3.5, -4) };
  assert.deepEqual(await compareLikelihoods(one), { texts: 2, largest: 0.5, mean: 0.25 });
  // The second start token's own 7 is no part of the text's sum.
  const two = { texts, engine: ENGINE, startToken: "97", served: served(-3, -5) };
  assert.deepEqual(await compareLikelihoods(two), { texts: 2, largest: 1, mean: 0.5 });
});
