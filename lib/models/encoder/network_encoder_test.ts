import assert from "node:assert/strict";
import fc from "fast-check";
import {
  batches,
  cosine,
  type EncodedText,
  encodedText,
  EncodedTextCache,
  networkEncoder,
} from "./network_encoder.ts";
import { readVocabulary } from "./word_pieces.ts";

const VOCABULARY = readVocabulary("[CLS]\n[SEP]\n[UNK]\na\nb\nc\n");

/** A network whose vector of token n is (n, 1); it writes over its last answer, as llama.cpp does. */
function stub(options: { readonly cacheBytes?: number; readonly fails?: () => boolean } = {}) {
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
      batchSequences: 8,
      run(sequences) {
        if (options.fails?.()) return Promise.reject(new RangeError("Cannot encode: full"));
        runs.push(sequences.map((ids) => [...ids]));
        last.fill(NaN);
        last = Float32Array.from(sequences.flat().flatMap((id) => [id, 1]));
        return Promise.resolve(last);
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    },
  });
  return { encoder, runs };
}

const unit = (...values: number[]) => {
  const length = Math.hypot(...values);
  return [...Float32Array.from(values.map((value) => value / length))];
};

Deno.test("encode() frames texts, runs them together and gives each its own rows", async () => {
  const { encoder, runs } = stub();
  const [first, second] = await encoder.encode(["a", "c b"]);
  assert.deepEqual(runs, [[[0, 3, 1], [0, 5, 4, 1]]]);
  assert.deepEqual([...first!.sentence], unit(4 / 3, 1));
  assert.deepEqual(second!.tokens.map(({ start, end, vector }) => [start, end, ...vector]), [
    [0, 1, ...unit(5, 1)],
    [2, 3, ...unit(4, 1)],
  ]);
});

Deno.test("Requirement 9.3: clear() makes the encoder read a text again", async () => {
  const { encoder, runs } = stub();
  await encoder.encode(["a"]);
  encoder.clear();
  await encoder.encode(["a"]);
  assert.equal(runs.length, 2);
});

Deno.test("encode() works again after it failed, and calls at once do not mix", async () => {
  let full = true;
  const { encoder } = stub({ fails: () => full });
  await assert.rejects(encoder.encode(["a"]), RangeError);
  full = false;
  const found = await Promise.all([encoder.encode(["a"]), encoder.encode(["b"])]);
  assert.deepEqual(found.map(([text]) => [...text!.tokens[0]!.vector]), [unit(3, 1), unit(4, 1)]);
});

Deno.test("Requirement 9.2: encode() ends with the signal's reason and keeps what it had", async () => {
  const reason = new Error("too late");
  const controller = new AbortController();
  const { encoder, runs } = stub({
    fails: () => {
      if (runs.length === 1) controller.abort(reason);
      return false;
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
  await assert.rejects(encoder.encode(["b"]), /stub has been closed/);
  assert.equal((await begun).length, 1);
  await closed;
  await encoder[Symbol.asyncDispose]();
});

Deno.test("batches() covers every row once, in order, within the limits", () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 20 }));
  fc.assert(
    fc.property(lengths, fc.integer({ min: 1, max: 5 }), (rows, sequences) => {
      const runs = batches(rows, { tokens: 16, sequences });
      assert.deepEqual(runs.flatMap(([begin, end]) => rows.slice(begin, end)), rows);
      for (const [begin, end] of runs) {
        const tokens = rows.slice(begin, end).reduce((sum, length) => sum + length, 0);
        assert.ok(end > begin && end - begin <= sequences && (tokens <= 16 || end - begin === 1));
      }
    }),
    { numRuns: 200 },
  );
});

Deno.test("encodedText() takes the mean with the special tokens, at unit length", () => {
  // Rows [CLS] (1, 0), one piece (5, 8), [SEP] (0, 1): mean (2, 3), length √13.
  const rows = Float32Array.of(1, 0, 5, 8, 0, 1);
  const { sentence, tokens, readTo } = encodedText(rows, [{ id: 7, start: 2, end: 4 }], 9);
  assert.deepEqual([...sentence], [...Float32Array.of(2 / Math.sqrt(13), 3 / Math.sqrt(13))]);
  assert.deepEqual([...tokens[0]!.vector], [
    ...Float32Array.of(5 / Math.sqrt(89), 8 / Math.sqrt(89)),
  ]);
  assert.deepEqual([tokens[0]!.start, tokens[0]!.end, readTo], [2, 4, 9]);
});

Deno.test("encodedText() keeps nothing of the rows, which the network writes over", () => {
  const rows = Float32Array.of(3, 4, 3, 4);
  const { sentence } = encodedText(rows, [], 0);
  rows.fill(9);
  assert.deepEqual([...sentence], [...Float32Array.of(0.6, 0.8)]);
});

/** 400 + 2 for a text of one letter + 4,096 for the vector. */
const BYTES = 4498;

function encoded(): EncodedText {
  return { sentence: new Float32Array(1024), tokens: [], readTo: 1 };
}

Deno.test("Requirement 9.3: a cache never holds more than its bytes, and what it holds is right", () => {
  const texts = fc.array(fc.constantFrom("a", "b", "c", "d", "e"));
  fc.assert(
    fc.property(texts, fc.integer({ min: 0, max: 4 }), (asked, count) => {
      const cache = new EncodedTextCache(count * BYTES);
      const made = new Map<string, EncodedText>();
      for (const text of asked) {
        const found = cache.get(text);
        assert.ok(found === undefined || found === made.get(text));
        if (found !== undefined) continue;
        made.set(text, encoded());
        cache.set(text, made.get(text)!);
        assert.ok(cache.bytes <= count * BYTES);
      }
      assert.equal(cache.bytes, Math.min(new Set(asked).size, count) * BYTES);
    }),
    { numRuns: 200 },
  );
});

const vector = fc.float32Array({ minLength: 4, maxLength: 4, noNaN: true, min: -1e3, max: 1e3 });

Deno.test("cosine() of worked vectors", () => {
  assert.equal(cosine(Float32Array.of(3, 4), Float32Array.of(4, 3)), 24 / 25);
  assert.equal(cosine(Float32Array.of(1, 0), Float32Array.of(0, 2)), 0);
  assert.equal(cosine(Float32Array.of(1, 2), Float32Array.of(-2, -4)), -1);
});

Deno.test("cosine() is 0 for a vector without length", () => {
  assert.equal(cosine(Float32Array.of(0, 0), Float32Array.of(1, 1)), 0);
});

Deno.test("cosine() refuses vectors of different lengths", () => {
  assert.throws(() => cosine(Float32Array.of(1), Float32Array.of(1, 2)), RangeError);
});

Deno.test("cosine() is symmetric and stays between -1 and 1", () => {
  fc.assert(
    fc.property(vector, vector, (a, b) => {
      const found = cosine(a, b);
      assert.equal(found, cosine(b, a));
      assert.ok(found >= -1 && found <= 1);
    }),
    { numRuns: 200 },
  );
});
