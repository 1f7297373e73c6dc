import assert from "node:assert/strict";
import fc from "fast-check";
import { cosine, networkEncoder } from "./network_encoder.ts";
import { readVocabulary } from "./word_pieces.ts";

const VOCABULARY = readVocabulary("[CLS]\n[SEP]\n[UNK]\na\nb\nc\n");

/** A network whose vector of token n is (n, 1); it writes over its last answer, as llama.cpp does. */
function stub(options: { readonly cacheBytes?: number; readonly before?: () => void } = {}) {
  const runs: number[][][] = [];
  let last = new Float32Array(0);
  const encoder = networkEncoder({
    name: "stub",
    settings: {},
    vocabulary: VOCABULARY,
    longest: 4,
    sharedTokens: 8,
    cacheBytes: options.cacheBytes ?? 1e6,
    network: {
      dimensions: 2,
      batchSequences: 3,
      run: (sequences) =>
        Promise.try(() => {
          options.before?.();
          runs.push(sequences.map((ids) => [...ids]));
          last.fill(NaN);
          return last = Float32Array.from(sequences.flat().flatMap((id) => [id, 1]));
        }),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    },
  });
  return { encoder, runs };
}

const unit = (...values: number[]) => {
  const length = Math.hypot(...values);
  return [...Float32Array.from(values.map((value) => value / length))];
};

Deno.test("encode() frames texts, runs them together and gives each its own rows at unit length", async () => {
  const { encoder, runs } = stub();
  const [first, second] = await encoder.encode(["a", "c b", "a b c a"]);
  assert.deepEqual(runs, [[[0, 3, 1], [0, 5, 4, 1]], [[0, 3, 4, 1]]]);
  // The mean is taken with the special tokens: (0 + 3 + 1) / 3, (0 + 5 + 4 + 1) / 4.
  assert.deepEqual([[...first!], [...second!]], [unit(4 / 3, 1), unit(10 / 4, 1)]);
});

Deno.test("encode() runs every text once, in order, within eight tokens or alone, and three sequences (property)", async () => {
  const texts = fc.uniqueArray(fc.string({ unit: fc.constantFrom(..."ab "), maxLength: 12 }));
  await fc.assert(
    fc.asyncProperty(texts, async (asked) => {
      const { encoder, runs } = stub();
      await encoder.encode(asked);
      assert.equal(runs.flat().length, asked.length);
      for (const run of runs) {
        assert.ok(run.length <= 3 && (run.flat().length <= 8 || run.length === 1));
      }
    }),
    { numRuns: 200 },
  );
});

Deno.test("Requirement 9.2: encode() ends with the signal's reason and keeps what it had", async () => {
  const reason = new Error("too late");
  const controller = new AbortController();
  const { encoder, runs } = stub({
    before: () => {
      if (runs.length === 1) controller.abort(reason);
    },
  });
  const texts = ["a b", "b c", "c a", "a c", "b a", "c b"];
  await assert.rejects(encoder.encode(texts, { signal: controller.signal }), reason);
  assert.equal(runs.length, 2);
  await encoder.encode(texts.slice(0, 4));
  assert.equal(runs.length, 2);
});

Deno.test("encode() ends what was begun before the encoder was closed, and begins nothing after", async () => {
  const { encoder } = stub();
  const begun = encoder.encode(["a"]);
  const closed = encoder[Symbol.asyncDispose]();
  await assert.rejects(encoder.encode(["b"]), /has been closed/);
  assert.equal((await begun).length, 1);
  await closed;
});

Deno.test("Requirement 9.3: encode() keeps what was asked last, within its bytes, until clear() (property)", async () => {
  // 400 + 2 for a text of one letter, 8 for its vector.
  const bytes = 410;
  const asked = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(asked, fc.integer({ min: 0, max: 3 }), async (texts, count) => {
      const { encoder, runs } = stub({ cacheBytes: count * bytes });
      let kept: string[] = [];
      for (const text of texts) {
        const before = runs.length;
        await encoder.encode([text]);
        assert.equal(runs.length - before, kept.includes(text) ? 0 : 1);
        kept = [...kept.filter((other) => other !== text), text].slice(-count || kept.length + 1);
      }
      encoder.clear();
      const before = runs.length;
      await encoder.encode(["a"]);
      assert.equal(runs.length, before + 1);
    }),
  );
});

Deno.test("cosine() of worked vectors", () => {
  const of = (a: readonly number[], b: readonly number[]) =>
    cosine(Float32Array.from(a), Float32Array.from(b));
  const worked = [of([3, 4], [4, 3]), of([1, 0], [0, 2]), of([1, 2], [-2, -4]), of([0, 0], [1, 1])];
  assert.deepEqual(worked, [24 / 25, 0, -1, 0]);
});
