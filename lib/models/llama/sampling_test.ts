import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../stats/random.ts";
import type { SampleOptions } from "../model.ts";
import type { Engine, NextToken } from "./engine.ts";
import { drawToken, engineDraws, engineSampling } from "./sampling.ts";
import {
  byteEngine,
  END,
  type NextByteWeights,
  START,
  weights,
  writing,
} from "./testdata/byte_engine.ts";

function distribution(weights: readonly number[]): NextToken {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return {
    best: weights.indexOf(Math.max(...weights)),
    size: weights.length,
    logProbability: (token) => Math.log(weights[token]! / total),
  };
}

Deno.test("drawToken() draws in proportion to P^(1/T)", () => {
  const cases = [
    [[1, 4, 2, 3], 1, [1, 4, 2, 3]],
    [[9, 4, 5, 2], 1, [9, 4, 5, 2]],
    [[1, 4, 2, 3], 0.5, [1, 16, 4, 9]],
    [[1, 4, 9, 16], 2, [1, 2, 3, 4]],
  ] as const;
  for (const [weights, temperature, proportions] of cases) {
    const [random, draws, counts] = [randomSource(7), 20_000, [0, 0, 0, 0]];
    const next = distribution(weights);
    for (let i = 0; i < draws; i++) counts[drawToken(next, temperature, random).token]!++;
    const whole = proportions.reduce((sum, each) => sum + each, 0);
    const chiSquare = proportions.reduce((sum, each, i) => {
      const expected = draws * each / whole;
      return sum + (counts[i]! - expected) ** 2 / expected;
    }, 0);
    // The 99.9 % quantile of χ² with 3 degrees of freedom.
    assert.ok(chiSquare < 16.3, `${weights} at ${temperature}: ${chiSquare}`);
  }
});

Deno.test("Requirement 18.1: drawToken() gives an entropy between 0 and ln(vocabulary), and never a token of weight 0 (property)", () => {
  const all = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 20 })
    .filter((weights) => weights.some((weight) => weight > 0));
  const temperatures = fc.double({ min: 0, max: 3, noNaN: true });
  fc.assert(
    fc.property(all, fc.integer(), temperatures, (weights, seed, temperature) => {
      const { token, entropy } = drawToken(distribution(weights), temperature, randomSource(seed));
      assert.ok(weights[token]! > 0);
      assert.ok(entropy >= -1e-12 && entropy <= Math.log(weights.length) + 1e-12);
    }),
    { numRuns: 200 },
  );
});

function assertClose(found: number | undefined, expected: number): void {
  assert.ok(Math.abs(found! - expected) < 1e-6, `${found} is not ${expected}`);
}

async function sampleOf(engine: Engine, options: Partial<SampleOptions> = {}, replySoFar = "") {
  const reply = await engineSampling("made", engine).sample({ text: "Q", replySoFar }, {
    seed: 1,
    temperature: 0,
    maxTokens: 10,
    ...options,
  });
  assert.ok(reply.kind === "sample", JSON.stringify(reply));
  return { ...reply, texts: reply.tokens.map(({ text }) => text) };
}

Deno.test("engineSampling() ends with the reply, its length, before a stop string, or at an abort", async () => {
  const controller = new AbortController();
  const endless = byteEngine((text) => {
    if (text === "Qaa") controller.abort();
    return weights({ a: 1 });
  });
  const cases = [
    [writing("aþb"), {}, "complete", ["a", "", "þ", "b"]],
    [writing("abc"), { maxTokens: 2 }, "length", ["a", "b"]],
    [writing("ab\n\ncd"), { stop: ["zz", "\n\n"] }, "complete", ["a", "b"]],
    [writing("ab"), { stop: ["ab"] }, "complete", []],
    [endless, { signal: controller.signal }, "stopped", ["a", "a", "a"]],
  ] as const;
  for (const [engine, options, ended, texts] of cases) {
    const found = await sampleOf(engine, options);
    assert.deepEqual([found.ended, found.texts, found.text], [ended, [...texts], texts.join("")]);
  }
});

Deno.test("engineSampling() reads plain text after the start token, or the template, goes on from the reply so far, and fails where the context ends", async () => {
  const seen: unknown[] = [];
  for (const template of [undefined, "<{{ messages[0].content }}>"]) {
    const engine = byteEngine((text, tokens) => {
      seen.push(text, tokens[0]);
      return new Map([[END, 1]]);
    }, template);
    await sampleOf(engine, {}, "a");
  }
  assert.deepEqual(seen, ["Qa", START, "<Q>a", 60]);
  const failed = await engineSampling("made", writing("a"))
    .sample({ text: "Q".repeat(300) }, { seed: 1, temperature: 0, maxTokens: 10 });
  assert.ok(failed.kind === "failure" && /Cannot ask made: .*301 tokens/.test(failed.message));
});

Deno.test("engineSampling() gives probability and entropy at temperature 1, whatever it draws at; the same for a seed", async () => {
  // ½, ¼, ⅛, ⅛: 1.75 bits.
  const engine = byteEngine(() => weights({ a: 4, b: 2, c: 1, d: 1 }));
  const texts: string[] = [];
  for (const [seed, temperature] of [[5, 0], [5, 0.5], [5, 2], [5, 1], [5, 1], [6, 1]] as const) {
    const { text, tokens } = await sampleOf(engine, { seed, temperature, maxTokens: 20 });
    texts.push(text);
    for (const { text, entropy, logProbability } of tokens) {
      assertClose(entropy, 1.75 * Math.LN2);
      const bits = { a: 1, b: 2, c: 3, d: 3 }[text as "a" | "b" | "c" | "d"];
      assertClose(logProbability, -bits * Math.LN2);
    }
  }
  assert.equal(texts[3], texts[4]);
  assert.notEqual(texts[4], texts[5]);
});

Deno.test("engineDraws() gives the mean log-probability of what it drew, nothing of an empty reply", async () => {
  const how = { temperature: 0, maxReplyTokens: 3 };
  const drawnBy = (engine: Engine) =>
    engineDraws(engineSampling("made", engine), how, true).draw({ text: "Q" }, { seed: 1 });
  const half = await drawnBy(byteEngine(() => weights({ a: 2, b: 1, c: 1 })));
  assert.ok(half.kind === "drawn" && half.text === "aaa" && half.ended === "length");
  assertClose(half.meanLogProbability!, -Math.LN2);
  const empty = await drawnBy(writing(""));
  assert.ok(empty.kind === "drawn" && empty.meanLogProbability === undefined);
});

Deno.test("continuations() sums over tokens, each given those before it", async () => {
  const after = new Map<string, NextByteWeights>([
    ["Q", weights({ a: 1, b: 3 })],
    ["Qa", weights({ a: 1, b: 1 })],
    ["Qb", weights({ a: 1 })],
  ]);
  const model = engineSampling("made", byteEngine((text) => after.get(text)!));
  const found = await model.continuations({ text: "Q" }, ["ab", "b", "ba"]);
  [1 / 8, 3 / 4, 3 / 4].forEach((p, at) => assertClose(found[at], Math.log(p)));
  await assert.rejects(model.continuations({ text: "Q" }, [""]), /made: it is empty/);
  const signal = AbortSignal.abort(new Error("enough"));
  await assert.rejects(model.continuations({ text: "Q" }, ["a"], { signal }), /enough/);
});
