import assert from "node:assert/strict";
import type { ChatModel, Reply } from "../../lib/models/model.ts";
import { askBoth, reportAnswers } from "./served.ts";

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
