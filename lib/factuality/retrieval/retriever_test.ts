import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { inFolder } from "../../files/testdata/folder.ts";
import type { SentenceEncoder } from "../../models/encoder/network_encoder.ts";
import type { Passage } from "../types.ts";
import { fakeEncoder } from "../verifiers/testdata/tiny_models.ts";
import { retriever, sentenceVectors } from "./retriever.ts";
import { buildIndex } from "./store.ts";

type Options = Parameters<typeof retriever>[2];

const passage = (id: string, title: string, text: string, section = ""): Passage => (
  { id, text, collection: "test", title, section }
);

const index = await buildIndex("test", [
  passage("fr", "France", "The capital is Paris. It borders Spain."),
  passage("es", "Spain", "The capital is Madrid. It borders France."),
  passage("sea", "Oceans", "Salt water covers most of the world."),
]);

/** A scripted encoder with two components that counts its texts. */
function encoder(vectors: Readonly<Record<string, readonly [number, number]>>) {
  const encoded: string[] = [];
  const vectorOf = (text: string) => {
    encoded.push(text);
    return Object.entries(vectors).find(([word]) => text.includes(word))?.[1] ?? [0, 1] as const;
  };
  const settings = { weightsSha256: "ab", precision: "F32", threads: 1 };
  return { fake: { ...fakeEncoder(vectorOf, "fake"), settings }, encoded };
}

Deno.test("retriever() with an encoder orders by the best part under its title, and encodes each once", async () => {
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

Deno.test("Requirement 6.3: retriever() never gives more than asked, nor one under the threshold", async () => {
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

Deno.test("Requirement 6.5: less is enough for a passage whose title the claim names", async () => {
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

Deno.test("Requirement 8.3, 9.2: retriever() names index and weights, hands its encoder the signal, and stops", async () => {
  const { fake } = encoder({});
  const seen: unknown[] = [];
  const encode: SentenceEncoder["encode"] = (texts, options) => {
    seen.push(options?.signal);
    return fake.encode(texts);
  };
  const search = retriever(index, { ...fake, encode });
  const { signal } = new AbortController();
  await search.retrieve("France's capital is Berlin.", { signal });
  assert.ok(seen.length > 0 && seen.every((one) => one === signal));
  const { index: named, encoder: name, encoderSha256 } = search.settings;
  assert.deepEqual([named, name, encoderSha256], [index.sha256, "fake", "ab"]);
  const aborted = AbortSignal.abort(new Error("enough"));
  await assert.rejects(search.retrieve("x", { signal: aborted }), /enough/);
});

/** Ten places that border Norway, and Kenya, which does not. */
const PLACES = Array.from({ length: 10 }, (_, number) => [`Place ${number}`, "Borders", "Norway"])
  .concat([["Kenya", "Borders", "border countries: Uganda, Somalia"]])
  .concat([["Kenya", "Climate", "tropical"], ["France", "Coast", "mild"]])
  .map(([title, section, text]) =>
    passage(`${title}/${section}`, title!, `${section}. ${text}`, section)
  );
const places = await buildIndex("test", PLACES, new Map([["France", ["French"]]]));

const ids = async (claim: string, options: Options = {}) => {
  const chosen = { minimumShare: 0, limit: 50, candidates: 3, perTitle: 5, ...options };
  const found = await retriever(places, undefined, chosen).retrieve(claim);
  return found.map(({ passage }) => passage.id);
};

Deno.test("Requirement 6.5: retriever() looks under the titles that a claim names, and a passage needs a name", async () => {
  assert.ok((await ids("Kenya borders Norway.")).includes("Kenya/Borders"));
  assert.ok((await ids("Kenya’s border runs along Norway.")).includes("Kenya/Borders"));
  const togo = await ids("Kenya's coast is in Togo.");
  assert.deepEqual(togo.filter((id) => id.startsWith("France")), []);
  assert.deepEqual(await ids("The coast of Togo"), []);
  assert.deepEqual(await ids("The coast of Togo", { requireName: false }), ["France/Coast"]);
});

Deno.test("retriever() looks at all passages of the sections whose names are nearest to the claim", async () => {
  const { fake } = encoder({
    "Tonga is wooded": [1, 0],
    "Land use": [0.8, 0.6],
    Climate: [0.6, 0.8],
    Capital: [0, 1],
  });
  const passages = ["Land use", "Capital", "Land use", "Climate", "Land use", ""]
    .map((section, at) => passage(`${at}`, at === 0 ? "Fiji" : "Tonga", "…", section));
  const tonga = await buildIndex("test", passages);
  const near = async (sectionsPerTitle: number) => {
    const options = { candidates: 1, limit: 1, perTitle: 0, minimumCosine: -1, sectionsPerTitle };
    const found = await retriever(tonga, fake, options).retrieve("Tonga is wooded.");
    return found.map(({ passage }) => passage.section);
  };
  assert.deepEqual([await near(1), await near(0)], [["Land use"], [""]]);
});

/** A scripted encoder by length and first letter that records its texts. */
function countingEncoder() {
  const asked: string[] = [];
  const encoder = fakeEncoder((text) => (asked.push(text), [text.length, text.charCodeAt(0)]));
  return { encoder, asked };
}

Deno.test("sentenceVectors() encodes a text once, and several encoders share the work", async () => {
  const [one, other] = [countingEncoder(), countingEncoder()];
  const { vectors } = sentenceVectors([one.encoder, other.encoder]);
  const found = await vectors(["a", "bb", "ccc", "a"]);
  assert.deepEqual(found.map((vector) => [...vector]), [[1, 97], [2, 98], [3, 99], [1, 97]]);
  assert.deepEqual([one.asked, other.asked], [["a", "bb"], ["ccc"]]);
  await vectors(["ccc", "bb"]);
  assert.equal(one.asked.length + other.asked.length, 3);
});

Deno.test("sentenceVectors() keeps vectors in a file; a torn or foreign one is made anew", () =>
  inFolder(async (folder) => {
    const path = join(folder, "made.vectors");
    /** Texts to be encoded when a run asks for two texts. */
    const run = async (of: string) => {
      const { encoder, asked } = countingEncoder();
      const { vectors, save } = sentenceVectors([encoder], { path, owner: of });
      const found = await vectors(["Oslo", "Lima"]);
      assert.deepEqual(found.map((vector) => [...vector]), [[4, 79], [4, 76]]);
      save();
      return asked.length;
    };
    assert.deepEqual([await run("factbook"), await run("factbook")], [2, 0]);
    assert.deepEqual([await run("another index"), await run("another index")], [2, 0]);
    const whole = Deno.readFileSync(path);
    Deno.writeFileSync(path, whole.subarray(0, whole.length - 3));
    assert.deepEqual([await run("another index"), await run("another index")], [2, 0]);
    whole[whole.length - 1]! ^= 1;
    Deno.writeFileSync(path, whole);
    assert.equal(await run("another index"), 2);
  }));
