import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../stats/random.ts";
import type { SampleOptions, SampleReply } from "../model.ts";
import type { NextToken } from "./engine.ts";
import { drawToken, engineSampling } from "./sampling.ts";
import { byteEngine, END, START, type Weights, weights } from "./testdata/byte_engine.ts";

function distribution(weights: readonly number[]): NextToken {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return {
    best: weights.indexOf(Math.max(...weights)),
    size: weights.length,
    logProbability: (token) => Math.log(weights[token]! / total),
  };
}

/** Pearson's χ² of draws against their expectation. */
function chiSquare(next: NextToken, expected: readonly number[], temperature: number): number {
  const random = randomSource(7);
  const draws = 20_000;
  const counts = expected.map(() => 0);
  for (let i = 0; i < draws; i++) counts[drawToken(next, temperature, random).token]!++;
  return expected.reduce((sum, p, i) => sum + (counts[i]! - draws * p) ** 2 / (draws * p), 0);
}

// 99.9 % quantiles of χ² with 3 degrees of freedom: 16.3.
Deno.test("drawToken() draws in proportion to the probabilities at temperature 1", () => {
  assert.ok(chiSquare(distribution([1, 4, 2, 3]), [0.1, 0.4, 0.2, 0.3], 1) < 16.3);
  assert.ok(chiSquare(distribution([9, 4, 5, 2]), [0.45, 0.2, 0.25, 0.1], 1) < 16.3);
});

Deno.test("drawToken() draws in proportion to P^(1/T) at other temperatures", () => {
  const squares = [1, 16, 4, 9].map((weight) => weight / 30);
  assert.ok(chiSquare(distribution([1, 4, 2, 3]), squares, 0.5) < 16.3);
  const roots = [1, 2, 3, 4].map((weight) => weight / 10);
  assert.ok(chiSquare(distribution([1, 4, 9, 16]), roots, 2) < 16.3);
});

Deno.test("drawToken() takes the most probable at temperature 0, and at one so low that weights vanish", () => {
  for (const temperature of [0, 1e-6]) {
    const drawn = drawToken(distribution([1, 2, 4, 1]), temperature, randomSource(1));
    assert.equal(drawn.token, 2);
    assert.equal(drawn.logProbability, Math.log(0.5));
  }
});

Deno.test("Requirement 18.1: drawToken() gives an entropy between 0 and ln(vocabulary), and never a token of weight 0", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 20 }),
      fc.integer(),
      fc.double({ min: 0, max: 3, noNaN: true }),
      (drawn, seed, temperature) => {
        const weights = drawn.some((weight) => weight > 0) ? drawn : [1, ...drawn];
        const { token, entropy } = drawToken(
          distribution(weights),
          temperature,
          randomSource(seed),
        );
        assert.ok(weights[token]! > 0);
        assert.ok(entropy >= -1e-12 && entropy <= Math.log(weights.length) + 1e-12);
      },
    ),
    { numRuns: 200 },
  );
});

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
        seed: 5,
        temperature,
        maxTokens: 20,
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
