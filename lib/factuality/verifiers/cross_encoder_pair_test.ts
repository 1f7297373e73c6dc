import assert from "node:assert/strict";
import fc from "fast-check";
import { sourcePassage } from "../retrieval/passage.ts";
import { packPair } from "./cross_encoder_pair.ts";
import { sourceSentences } from "./cross_encoder_sentences.ts";

/** One token a word: its number of letters. */
const tokenise = (text: string) =>
  text.split(/\s+/).filter((word) => word !== "").map(({ length }) => length);
const FRAME = { first: 101, separator: 102, longest: 14 };

function packed(claim: string, source: string, longest = FRAME.longest) {
  const sentences = sourceSentences([sourcePassage(source)], tokenise);
  return packPair(claim, sentences, tokenise, { ...FRAME, longest });
}

/** A sentence of 40 words. */
const LONG = (word: string) =>
  `${word[0]!.toUpperCase()}${word.slice(1)} ${Array(39).fill(word).join(" ")}.`;

Deno.test("packPair() frames evidence and claim, evidence first", () => {
  assert.deepEqual(packed("It rains.", "Rain falls.")?.ids, [101, 4, 6, 102, 2, 6, 102]);
});

Deno.test("packPair() chooses the sentences that hold rare words of the claim", () => {
  const source = `${LONG("sea")} ${LONG("zinc")} ${LONG("sea")}`;
  const pair = packed("Zinc by the sea.", source, 50);
  assert.deepEqual(pair?.sentences.map(({ chunk }) => chunk.span.start), [161]);
  assert.equal(pair?.ids.length, 3 + 40 + 4);
});

Deno.test("packPair() keeps the order of the source and names the best sentence first", () => {
  const source = `${LONG("sea")} ${LONG("zinc")}`;
  const pair = packed("Zinc by the sea, zinc mines.", source, 100);
  assert.deepEqual(pair?.ids.slice(0, 3), [101, 3, 3]);
  assert.equal(pair?.sentences.length, 2);
  const [best, second] = pair!.sentences;
  assert.ok(best!.share >= second!.share);
});

Deno.test("packPair() cuts a best sentence that is too long by itself", () => {
  const pair = packed("Zinc.", LONG("zinc"), 20);
  assert.equal(pair?.ids.length, 20);
  assert.deepEqual(pair?.ids.slice(-3), [102, 5, 102]);
});

Deno.test("packPair() refuses a claim that leaves no room, and packs one without a source", () => {
  assert.equal(packed(Array(12).fill("a").join(" "), "Rain."), undefined);
  assert.deepEqual(packed("It rains.", " ")?.ids, [101, 102, 2, 6, 102]);
});

Deno.test("Requirement 12.2: a pair never exceeds what the network reads, and holds the claim", () => {
  const words = fc.array(fc.constantFrom("a", "sea", "zinc", "rains.", "1914"), { maxLength: 60 });
  fc.assert(
    fc.property(words, words, fc.integer({ min: 8, max: 60 }), (claim, source, longest) => {
      const pair = packed(claim.join(" "), source.join(" "), longest);
      if (pair === undefined) return claim.length > 0.75 * (longest - 3);
      const tokens = claim.map(({ length }) => length);
      const end = pair.ids.slice(pair.ids.length - tokens.length - 2);
      assert.ok(pair.ids.length <= longest);
      assert.deepEqual(end, [102, ...tokens, 102]);
      return true;
    }),
    { numRuns: 200 },
  );
});
