import assert from "node:assert/strict";
import type { ChatModel, Reply } from "../../lib/models/model.ts";
import { agreement, askBoth, letterOf } from "./compare.ts";

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
