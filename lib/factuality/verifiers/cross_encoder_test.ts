import assert from "node:assert/strict";
import fc from "fast-check";
import type { CrossEncoder } from "../../models/encoder/cross_encoder.ts";
import { sourcePassage, VERDICT_LABELS } from "../types.ts";
import { crossEncoderVerifier, packPair, sourceSentences } from "./cross_encoder.ts";

/** Says what it is told to of every pair; a token a word. */
function network(logits: readonly number[], labels: readonly string[] = VERDICT_LABELS) {
  const seen: (readonly number[])[] = [];
  const encoder: CrossEncoder = {
    labels,
    temperature: 2,
    first: 101,
    separator: 102,
    longest: 40,
    settings: { weightsSha256: "ab" },
    tokenise: (text) => text.split(/\s+/).map(({ length }) => length),
    logits(ids) {
      seen.push(ids);
      return Promise.resolve(logits);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  return { encoder, seen };
}

Deno.test("crossEncoderVerifier() divides logits by the temperature: e and 1 and 1", async () => {
  const { encoder, seen } = network([2, 0, 0]);
  const passages = [sourcePassage("Rain falls.")];
  const [verdict] = await crossEncoderVerifier(encoder).verify(["It rains."], passages);
  assert.ok(verdict?.kind === "scored");
  assert.equal(verdict.label, "supported");
  assert.ok(Math.abs(verdict.probabilities.supported - Math.E / (Math.E + 2)) < 1e-12);
  assert.deepEqual(seen, [[101, 4, 6, 102, 2, 6, 102]]);
  assert.equal(verdict.provenance.modelSha256, "ab");
  assert.deepEqual(verdict.evidence.map(({ text }) => text), ["Rain falls."]);
  assert.throws(() => crossEncoderVerifier(network([0], ["relevant"]).encoder), /labels relevant/);
});

Deno.test("crossEncoderVerifier() scores nothing without text or for a claim too long", async () => {
  const { encoder, seen } = network([0, 0, 0]);
  const verifier = crossEncoderVerifier(encoder);
  const [none] = await verifier.verify(["It rains."], []);
  const [blank] = await verifier.verify(["It rains."], [sourcePassage(" \n")]);
  const [long] = await verifier.verify([Array(30).fill("a").join(" ")], [sourcePassage("Rain.")]);
  assert.ok(none?.kind === "unscored" && none.reason === "no evidence");
  assert.ok(blank?.kind === "unscored" && blank.reason === "no evidence");
  assert.ok(long?.kind === "unscored" && /most of the 40 tokens/.test(long.message));
  const signal = AbortSignal.abort(new Error("enough"));
  await assert.rejects(verifier.verify(["It."], [sourcePassage("Rain.")], { signal }), /enough/);
  assert.deepEqual(seen, []);
});

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

Deno.test("packPair() chooses the sentences that hold rare words of the claim", () => {
  const source = `${LONG("sea")} ${LONG("zinc")} ${LONG("sea")}`;
  const pair = packed("Zinc by the sea.", source, 50);
  assert.deepEqual(pair?.sentences.map(({ chunk }) => chunk.span.start), [161]);
  assert.equal(pair?.ids.length, 3 + 40 + 4);
  // In the order of the source, the best named first.
  const both = packed("Zinc by the sea, zinc mines.", `${LONG("sea")} ${LONG("zinc")}`, 100);
  assert.deepEqual(both?.ids.slice(0, 3), [101, 3, 3]);
  assert.ok(both!.sentences[0]!.share >= both!.sentences[1]!.share);
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
  );
});
