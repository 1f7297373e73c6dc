import assert from "node:assert/strict";
import { networkEncoder } from "./network_encoder.ts";
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

Deno.test("encode() cuts a text at the limit and says how far it was read", async () => {
  const { encoder, runs } = stub();
  const [cut, whole] = await encoder.encode(["a b c", "a b "]);
  assert.deepEqual(runs, [[[0, 3, 4, 1], [0, 3, 4, 1]]]);
  assert.deepEqual([cut!.readTo, cut!.tokens.length, whole!.readTo], [4, 2, 4]);
});

Deno.test("encode() reads a text once, in one call or in several", async () => {
  const { encoder, runs } = stub();
  const [one, two] = await encoder.encode(["a", "a"]);
  const [three] = await encoder.encode(["a"]);
  assert.equal(one, two);
  assert.equal(one, three);
  assert.equal(runs.length, 1);
});

Deno.test("encode() answers whole although the cache holds nothing", async () => {
  const { encoder } = stub({ cacheBytes: 0 });
  const found = await encoder.encode(["a", "b", "c", "a"]);
  assert.deepEqual(found.map(({ tokens }) => [...tokens[0]!.vector]), [
    unit(3, 1),
    unit(4, 1),
    unit(5, 1),
    unit(3, 1),
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
