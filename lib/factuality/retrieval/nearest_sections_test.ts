import assert from "node:assert/strict";
import type { SentenceEncoder } from "../../models/encoder/sentence_encoder.ts";
import { nearestSections } from "./nearest_sections.ts";
import { buildIndex } from "./passage_index.ts";
import { SentenceVectors } from "./sentence_vectors.ts";

const VECTORS: Readonly<Record<string, readonly [number, number]>> = {
  "Tonga is wooded.": [1, 0],
  "Land use": [0.8, 0.6],
  Climate: [0.6, 0.8],
  Capital: [0, 1],
};

/** Knows the four texts above, and tells what it was asked. */
function encoder() {
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

const index = await buildIndex(
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
  const { vectors } = encoder();
  const near = (sections: number) =>
    nearestSections(index, "Tonga is wooded.", vectors, { sections });
  assert.deepEqual(await near(1), [2, 4]);
  assert.deepEqual(await near(2), [2, 3, 4]);
  assert.deepEqual(await near(0), []);
});

Deno.test("nearestSections() asks for each name once, and for none where no title is named", async () => {
  const { vectors, asked } = encoder();
  assert.deepEqual(await nearestSections(index, "Nobody is wooded.", vectors, { sections: 2 }), []);
  assert.deepEqual(asked, []);
  await nearestSections(index, "Tonga is wooded.", vectors, { sections: 2 });
  await nearestSections(index, "Tonga is wooded.", vectors, { sections: 2 });
  assert.deepEqual(asked.toSorted(), Object.keys(VECTORS).toSorted());
});
