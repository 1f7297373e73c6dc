import assert from "node:assert/strict";
import fc from "fast-check";
import type { SentenceEncoder } from "../../models/encoder/network_encoder.ts";
import type { Passage } from "../types.ts";
import {
  bestPart,
  candidatesOf,
  nearestSections,
  retriever,
  SentenceVectors,
} from "./retriever.ts";
import { buildIndex } from "./store.ts";
import { nameTerms } from "./texts.ts";

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
    "fake",
    "ab",
    "F32",
  ]);
  assert.equal(retriever(index, undefined).settings["minimumCosine"], undefined);
});

const bordersPassage = (title: string, section: string, text: string): Passage => ({
  id: `${title}/${section}`,
  text: `${section}. ${text}`,
  collection: "test",
  title,
  section,
});

/** Ten places that border Norway, and Kenya, which does not. */
const NEIGHBOURS = Array.from(
  { length: 10 },
  (_, number) => bordersPassage(`Place ${number}`, "Borders", "Norway"),
);

const KENYA = [
  bordersPassage("Kenya", "Borders", "border countries: Uganda, Somalia"),
  bordersPassage("Kenya", "Climate", "tropical"),
];

const FRANCE = [
  bordersPassage("France", "Capital", "Paris"),
  bordersPassage("France", "Coast", "mild"),
];

const ALIASES = new Map([["France", ["French"]]]);
const OPTIONS = { depth: 3, perTitle: 5, beside: [], minimumShare: 0, requireName: true };
const index = await buildIndex("test", [...NEIGHBOURS, ...KENYA, ...FRANCE], ALIASES);

const found = (claim: string, options = {}) =>
  candidatesOf(index, claim, { ...OPTIONS, ...options });

const ids = (claim: string, options = {}) => found(claim, options).map(({ passage }) => passage.id);

Deno.test("candidatesOf() looks under the titles that a claim names, however many others score", () => {
  assert.ok(ids("Kenya borders Norway.").includes("Kenya/Borders"));
  assert.ok(ids("Kenya’s border runs along Norway.").includes("Kenya/Borders"));
});

Deno.test("candidatesOf() takes what is given beside, once, though it shares the name alone", () => {
  const borders = NEIGHBOURS.length;
  const wet = { beside: [borders, borders], depth: 1 };
  assert.deepEqual(ids("Kenya is wet.", { depth: 1 }), ["Kenya/Climate"]);
  assert.deepEqual(ids("Kenya is wet.", wet).toSorted(), ["Kenya/Borders", "Kenya/Climate"]);
});

Deno.test("Requirement 6.5: a passage needs a name of the claim, which the first word may be", () => {
  assert.deepEqual(ids("Kenya's coast is in Togo.").filter((id) => id.startsWith("France")), []);
  assert.deepEqual(ids("The coast of Togo"), []);
  assert.deepEqual(ids("The coast of Togo", { requireName: false }), ["France/Coast"]);
});

Deno.test("Requirement 6.3: looking under titles adds passages, and takes none away", () => {
  const words = fc.array(fc.constantFrom("Kenya", "French", "Norway", "capital", "border", "1"));
  const count = fc.nat({ max: 4 });
  fc.assert(fc.property(words, count, count, (words, depth, perTitle) => {
    const claim = words.join(" ");
    const without = ids(claim, { depth, perTitle: 0 });
    const together = found(claim, { depth, perTitle });
    const names = new Set(together.map(({ passage }) => passage.id));
    assert.ok(without.every((id) => names.has(id)));
    assert.equal(names.size, together.length);
    assert.ok(together.length <= depth + 2 * perTitle);
    assert.deepEqual(
      together.map(({ bm25 }) => bm25).sort((a, b) => b - a),
      together.map((c) => c.bm25),
    );
  }));
});

const VECTORS: Readonly<Record<string, readonly [number, number]>> = {
  "Tonga is wooded.": [1, 0],
  "Land use": [0.8, 0.6],
  Climate: [0.6, 0.8],
  Capital: [0, 1],
};

/** Knows the four texts above, and tells what it was asked. */
function sectionsEncoder() {
  const asked: string[] = [];
  const fake: SentenceEncoder = {
    name: "fake",
    settings: {},
    dimensions: 2,
    encode(texts) {
      asked.push(...texts);
      return Promise.resolve(texts.map((text) => ({
        sentence: new Float32Array(VECTORS[text]!),
        tokens: [],
        readTo: text.length,
      })));
    },
    clear() {},
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  return { vectors: new SentenceVectors(fake), asked };
}

const sectionsIndex = await buildIndex(
  "test",
  [["Fiji", "Land use"], ["Tonga", "Capital"], ["Tonga", "Land use"], ["Tonga", "Climate"], [
    "Tonga",
    "Land use",
  ], ["Tonga", ""]].map(([title = "", section = ""], number) => ({
    id: `p${number}`,
    text: "…",
    collection: "test",
    title,
    section,
  })),
);

Deno.test("nearestSections() gives all passages of the sections nearest to the claim", async () => {
  const { vectors } = sectionsEncoder();
  const near = (sections: number) =>
    nearestSections(sectionsIndex, "Tonga is wooded.", vectors, { sections });
  assert.deepEqual(await near(1), [2, 4]);
  assert.deepEqual(await near(2), [2, 3, 4]);
  assert.deepEqual(await near(0), []);
});

const frenchPassage = (section: string, text: string) => ({
  id: "p",
  text,
  collection: "c",
  title: "France",
  section,
});

Deno.test("bestPart() takes the part with most of the claim's words, under title and section", () => {
  const filler = "Nothing of the kind is said in these words. ".repeat(5).trim();
  const text = `${filler} The capital is Paris. ${filler}`;
  const part = bestPart(frenchPassage("Cities", text), new Set(["capital", "paris"]));
  assert.match(part, /^France, Cities: .*The capital is Paris\./);
  assert.ok(part.split(" ").length <= 42);
});

Deno.test("nameTerms() takes capitals within the claim, else at its beginning", () => {
  assert.deepEqual([...nameTerms("The exports of Côte d’Ivoire")], ["cote", "ivoire"]);
  assert.deepEqual([...nameTerms("France exports wine")], ["france"]);
  assert.deepEqual([...nameTerms("the sea is salt")], []);
  assert.deepEqual([...nameTerms("")], []);
});
