import assert from "node:assert/strict";
import fc from "fast-check";
import type { CrossEncoder } from "../../models/encoder/cross_encoder.ts";
import { sourcePassage } from "../retrieval/passage.ts";
import { VERDICT_LABELS } from "../verdicts/verdict.ts";
import { crossEncoderProbabilities, crossEncoderVerifier } from "./cross_encoder_verifier.ts";

/** Says what it is told to of every pair; a token a word. */
function network(logits: readonly number[], labels: readonly string[] = VERDICT_LABELS) {
  const seen: (readonly number[])[] = [];
  const encoder: CrossEncoder = {
    ...{ labels, temperature: 2, first: 101, separator: 102, longest: 40 },
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
});

Deno.test("crossEncoderVerifier() names the sentences it was shown, with their places", async () => {
  const { encoder } = network([0, 1, 0]);
  const text = "Rain falls. The Tarn bridge stands.";
  const [verdict] = await crossEncoderVerifier(encoder).verify(["The bridge."], [
    sourcePassage(text),
  ]);
  assert.ok(verdict?.kind === "scored");
  for (const { span, text: words, passageId } of verdict.evidence) {
    assert.equal(text.slice(span.start, span.end), words);
    assert.equal(passageId, "source");
  }
  assert.equal(verdict.evidence.length, 1);
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
  assert.deepEqual(seen, []);
});

Deno.test("crossEncoderVerifier() refuses a network of other labels and stops when told to", async () => {
  assert.throws(() => crossEncoderVerifier(network([0], ["relevant"]).encoder), /labels relevant/);
  const verifier = crossEncoderVerifier(network([0, 0, 0]).encoder);
  const signal = AbortSignal.abort(new Error("enough"));
  await assert.rejects(
    verifier.verify(["It rains."], [sourcePassage("Rain.")], { signal }),
    /enough/,
  );
});

Deno.test("Requirement 12.2: probabilities of the three verdicts sum to 1 and keep the order", () => {
  const logit = fc.double({ min: -30, max: 30, noNaN: true });
  fc.assert(
    fc.property(fc.tuple(logit, logit, logit), fc.double({ min: 0.05, max: 20, noNaN: true }), (
      logits,
      temperature,
    ) => {
      const shares = VERDICT_LABELS.map((label) =>
        crossEncoderProbabilities(logits, temperature)[label]
      );
      assert.ok(Math.abs(shares.reduce((a, b) => a + b) - 1) < 1e-12);
      const best = logits.indexOf(Math.max(...logits));
      assert.equal(shares[best], Math.max(...shares));
    }),
    { numRuns: 200 },
  );
});
