import assert from "node:assert/strict";
import fc from "fast-check";
import type { SentenceEncoder } from "../../models/encoder/sentence_encoder.ts";
import type { Passage } from "./passage.ts";
import { buildIndex } from "./passage_index.ts";
import { retriever } from "./retriever.ts";

const passage = (id: string, title: string, text: string): Passage => ({
  id,
  text,
  collection: "test",
  title,
  section: "",
});

const PASSAGES = [
  passage("fr", "France", "The capital is Paris. It borders Spain."),
  passage("es", "Spain", "The capital is Madrid. It borders France."),
  passage("sea", "Oceans", "Salt water covers most of the world."),
];

/** Vectors of two components by a word that the text has, and a count of what was encoded. */
function encoder(vectors: Readonly<Record<string, readonly [number, number]>>) {
  const encoded: string[] = [];
  const fake: SentenceEncoder = {
    name: "fake",
    settings: {},
    dimensions: 2,
    encode(texts) {
      encoded.push(...texts);
      return Promise.resolve(texts.map((text) => {
        const [, vector = [0, 1]] = Object.entries(vectors).find(([word]) => text.includes(word)) ??
          [];
        return { sentence: new Float32Array(vector), tokens: [], readTo: text.length };
      }));
    },
    clear() {},
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  return { fake, encoded };
}

Deno.test("retriever() without an encoder gives BM25's order, the country named first", async () => {
  const index = await buildIndex("test", PASSAGES);
  const found = await retriever(index, undefined, { minimumShare: 0 }).retrieve("France's capital");
  assert.deepEqual(found.map(({ passage, rank }) => [passage.id, rank]), [["fr", 1], ["es", 2]]);
  assert.ok(found[0]!.bm25 > found[1]!.bm25);
  assert.equal(found[0]!.cosine, undefined);
});

Deno.test("retriever() with an encoder orders by the best part under its title", async () => {
  const index = await buildIndex("test", PASSAGES);
  const { fake, encoded } = encoder({
    claim: [1, 0],
    "Spain: The": [0.8, 0.6],
    "France: The": [0.6, 0.8],
  });
  const search = retriever(index, fake, { minimumShare: 0, minimumCosine: 0.5 });
  const found = await search.retrieve("claim capital France Spain");
  assert.deepEqual(found.map(({ passage }) => passage.id), ["es", "fr"]);
  assert.ok(Math.abs(found[0]!.cosine! - 0.8) < 1e-6);
  // The claim, and one text a passage; the second claim's passages are known.
  assert.equal(encoded.length, 3);
  await search.retrieve("another claim of France and Spain, the capital");
  assert.equal(encoded.length, 4);
});

Deno.test("Requirement 6.5: retriever() leaves out passages without any of the claim's names", async () => {
  const index = await buildIndex("test", PASSAGES);
  const search = (requireName: boolean) =>
    retriever(index, undefined, { minimumShare: 0, requireName }).retrieve("The capital of Togo");
  assert.deepEqual(await search(true), []);
  assert.equal((await search(false)).length, 2);
});

Deno.test("Requirement 6.5: retriever() gives none where no passage is over the threshold", async () => {
  const index = await buildIndex("test", PASSAGES);
  const { fake } = encoder({ capital: [0, 1], claim: [1, 0] });
  assert.deepEqual(await retriever(index, undefined).retrieve("Quantum chromodynamics"), []);
  assert.deepEqual(await retriever(index, undefined).retrieve(""), []);
  const distant = retriever(index, fake, { minimumShare: 0, minimumCosine: 0.5 });
  assert.deepEqual(await distant.retrieve("claim France"), []);
});

Deno.test("Requirement 6.3: retriever() never gives more than asked, nor one under the threshold", async () => {
  const index = await buildIndex("test", PASSAGES);
  const words = fc.array(fc.constantFrom("capital", "France", "Spain", "world", "moon"));
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  await fc.assert(
    fc.asyncProperty(words, share, fc.integer({ min: 1, max: 3 }), async (w, s, n) => {
      const looser = retriever(index, undefined, { minimumShare: 0, limit: n });
      const stricter = retriever(index, undefined, { minimumShare: s, limit: n });
      const [all, few] = [await looser.retrieve(w.join(" ")), await stricter.retrieve(w.join(" "))];
      assert.ok(all.length <= n);
      assert.deepEqual(few, all.slice(0, few.length));
    }),
  );
});

Deno.test("retriever() refuses numbers out of range, and stops when told", async () => {
  const index = await buildIndex("test", PASSAGES);
  assert.throws(() => retriever(index, undefined, { limit: 0 }), /limit is 0, expected 1 or more/);
  assert.throws(() => retriever(index, undefined, { perTitle: -1 }), /perTitle is -1, expected 0/);
  const high = { minimumCosine: 70 };
  assert.throws(() => retriever(index, undefined, high), /minimumCosine is 70, expected -1 to 1/);
  assert.throws(() => retriever(index, undefined, { minimumShare: NaN }), /minimumShare is NaN/);
  const signal = AbortSignal.abort(new Error("enough"));
  await assert.rejects(retriever(index, undefined).retrieve("x", { signal }), /enough/);
});

Deno.test("Requirement 6.5: less is enough for a passage whose title the claim names", async () => {
  const index = await buildIndex("test", PASSAGES);
  const { fake } = encoder({
    "capital is Berlin": [1, 0],
    "France: The": [0.6, 0.8],
    "Spain: The": [0.65, Math.sqrt(1 - 0.65 ** 2)],
  });
  const ids = async (titleAllowance: number) => {
    const options = { minimumShare: 0, minimumCosine: 0.7, titleAllowance };
    const found = await retriever(index, fake, options).retrieve("France's capital is Berlin.");
    return found.map(({ passage }) => passage.id);
  };
  assert.deepEqual(await ids(0), []);
  assert.deepEqual(await ids(0.2), ["fr"]);
});

Deno.test("Requirement 9.2: retriever() hands the signal to its encoder", async () => {
  const index = await buildIndex("test", PASSAGES);
  const { fake } = encoder({});
  const { signal } = new AbortController();
  const seen: unknown[] = [];
  const search = retriever(index, {
    ...fake,
    encode(texts, options) {
      seen.push(options?.signal);
      return fake.encode(texts);
    },
  });
  await search.retrieve("France's capital is Berlin.", { signal });
  assert.ok(seen.length > 0 && seen.every((one) => one === signal));
});

Deno.test("Requirement 8.3: retriever() names the index and the encoder's weights in its settings", async () => {
  const index = await buildIndex("test", PASSAGES);
  const { fake } = encoder({});
  const settings = { weightsSha256: "ab", precision: "F32", threads: 1 };
  const found = retriever(index, { ...fake, settings }).settings;
  assert.equal(found["index"], index.sha256);
  assert.deepEqual([found["encoder"], found["encoderSha256"], found["encoderPrecision"]], [
    ...["fake", "ab", "F32"],
  ]);
  assert.equal(retriever(index, undefined).settings["minimumCosine"], undefined);
});
