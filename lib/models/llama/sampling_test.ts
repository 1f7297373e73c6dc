import assert from "node:assert/strict";
import type { SampleOptions, SampleReply } from "../sampling_model.ts";
import { chatModel } from "./chat.ts";
import { engineSampling } from "./sampling.ts";
import { byteEngine, END, START, type Weights, weights } from "./testdata/byte_engine.ts";

const GREEDY: SampleOptions = { seed: 1, temperature: 0, maxTokens: 10 };

function assertClose(found: number | undefined, expected: number): void {
  assert.ok(Math.abs(found! - expected) < 1e-6, `${found} is not ${expected}`);
}

/** Writes the text after the prompt `Q`, then ends. */
function writing(text: string, chatTemplate?: string) {
  const bytes = [...new TextEncoder().encode(text)];
  return byteEngine((_, tokens) => {
    const prompt = tokens.indexOf("Q".charCodeAt(0)) + 1;
    return new Map([[bytes[tokens.length - prompt] ?? END, 1]]);
  }, chatTemplate);
}

function written(reply: SampleReply) {
  assert.ok(reply.kind === "sample", JSON.stringify(reply));
  return reply;
}

const sampleOf = async (text: string, options: Partial<SampleOptions> = {}) =>
  written(
    await engineSampling("made", writing(text)).sample({ text: "Q" }, { ...GREEDY, ...options }),
  );

Deno.test("engineSampling() writes what the chat model writes at temperature 0", async () => {
  for (const text of ["B. þ", "0123456789 more", "A: kvaddeþat"]) {
    const engine = writing(text, "{{ messages[0].content }}");
    const chat = await chatModel("made", engine).ask("Q");
    const reply = written(await engineSampling("made", engine).sample({ text: "Q" }, GREEDY));
    assert.equal(reply.text, chat.kind === "answer" && chat.text);
  }
});

Deno.test("engineSampling() ends with the reply, its length, or before a stop string", async () => {
  assert.deepEqual((await sampleOf("abc")).ended, "complete");
  assert.deepEqual((await sampleOf("abc")).promptTokens, 2);
  assert.deepEqual((await sampleOf("abc", { maxTokens: 2 })).ended, "length");
  const stopped = await sampleOf("ab\n\ncd", { stop: ["zz", "\n\n"] });
  assert.deepEqual([stopped.text, stopped.ended, stopped.tokens.length], ["ab", "complete", 2]);
  const wide = await sampleOf("ab", { stop: ["ab"] });
  assert.deepEqual([wide.text, wide.tokens], ["", []]);
});

Deno.test("engineSampling() gives tokens whose texts make up the whole", async () => {
  const reply = await sampleOf("aþb");
  assert.deepEqual(reply.tokens.map((token) => token.text), ["a", "", "þ", "b"]);
  assert.equal((await sampleOf("aþ", { maxTokens: 2 })).text, "a");
});

Deno.test("engineSampling() reads plain text after the start token, and goes on from the reply so far", async () => {
  const seen: (readonly number[])[] = [];
  const plain = byteEngine((_, tokens) => (seen.push(tokens), new Map([[END, 1]])));
  await engineSampling("made", plain).sample({ text: "Q", replySoFar: "a" }, GREEDY);
  assert.deepEqual(seen, [[START, 81, 97]]);
  const texts: string[] = [];
  const chat = byteEngine(
    (text) => (texts.push(text), new Map([[END, 1]])),
    "<{{ messages[0].content }}>",
  );
  await engineSampling("made", chat).sample({ text: "Q", replySoFar: "a" }, GREEDY);
  assert.deepEqual(texts, ["<Q>a"]);
});

Deno.test("engineSampling() tells probability and entropy at temperature 1, whatever it draws at", async () => {
  // ½, ¼, ⅛, ⅛: 1.75 bits.
  const engine = byteEngine(() => weights({ a: 4, b: 2, c: 1, d: 1 }));
  for (const temperature of [0, 0.5, 1, 2]) {
    const reply = written(
      await engineSampling("made", engine).sample({ text: "Q" }, {
        ...{ seed: 5, temperature, maxTokens: 20 },
      }),
    );
    for (const { text, entropy, logProbability } of reply.tokens) {
      assertClose(entropy, 1.75 * Math.LN2);
      const bits = { a: 1, b: 2, c: 3, d: 3 }[text as "a" | "b" | "c" | "d"];
      assertClose(logProbability, -bits * Math.LN2);
    }
  }
});

Deno.test("engineSampling() has the same text for the same seed, and others for others", async () => {
  const model = engineSampling("made", byteEngine(() => weights({ a: 1, b: 1, c: 1, d: 1 })));
  const text = async (seed: number) =>
    written(await model.sample({ text: "Q" }, { seed, temperature: 1, maxTokens: 20 })).text;
  assert.equal(await text(1), await text(1));
  assert.notEqual(await text(1), await text(2));
});

Deno.test("engineSampling() gives what was written until an abort, and fails where the context ends", async () => {
  const abort = new AbortController();
  const engine = byteEngine((text) => {
    if (text === "Qaa") abort.abort();
    return weights({ a: 1 });
  });
  const model = engineSampling("made", engine);
  const stopped = written(
    await model.sample({ text: "Q" }, { ...GREEDY, signal: abort.signal }),
  );
  assert.deepEqual([stopped.text, stopped.ended], ["aaa", "stopped"]);
  const failed = await model.sample({ text: "Q".repeat(300) }, GREEDY);
  assert.ok(failed.kind === "failure" && /Cannot ask made: .*301 tokens/.test(failed.message));
});

Deno.test("engineSampling() refuses options that mean nothing", async () => {
  const model = engineSampling("made", writing("a"));
  const refused = (options: Partial<SampleOptions>, message: RegExp) =>
    assert.rejects(model.sample({ text: "Q" }, { ...GREEDY, ...options }), message);
  await refused({ temperature: -1 }, /temperature is -1/);
  await refused({ temperature: NaN }, /temperature is NaN/);
  await refused({ maxTokens: 0 }, /maxTokens is 0/);
  await refused({ stop: [""] }, /stop string is empty/);
});

Deno.test("continuations() sums over tokens, each given those before it", async () => {
  const after = new Map<string, Weights>([
    ["Q", weights({ a: 1, b: 3 })],
    ["Qa", weights({ a: 1, b: 1 })],
    ["Qb", weights({ a: 1 })],
  ]);
  const engine = byteEngine((text) => after.get(text)!);
  const model = engineSampling("made", engine);
  const [ab, b, ba] = await model.continuations({ text: "Q" }, ["ab", "b", "ba"]);
  assertClose(ab, Math.log(1 / 8));
  assertClose(b, Math.log(3 / 4));
  assertClose(ba, Math.log(3 / 4));
  await assert.rejects(model.continuations({ text: "Q" }, [""]), /made: it is empty/);
  const signal = AbortSignal.abort(new Error("enough"));
  await assert.rejects(model.continuations({ text: "Q" }, ["a"], { signal }), /enough/);
});
