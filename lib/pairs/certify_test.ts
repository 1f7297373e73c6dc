import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { attestedSentences, certify, certifyAll, exchange, SHARED_CHECKS } from "./certify.ts";
import type { Proposal, SharedRejectionReason } from "./certify.ts";
import { LIKA, type Phenomenon, proposal } from "./testdata/norse.ts";

Deno.test("certify() gives the pair, the certificate and the place of the token", () => {
  const verdict = certify(LIKA, new Set(["Hánum líkaði þat."]));
  assert.ok(verdict.kind === "certified");
  assert.equal(verdict.tokenIndex, 0);
  assert.equal(verdict.tier, 1);
  assert.deepEqual(verdict.pair, {
    phenomenon: "QUIRKY_CASE",
    grammatical: "Hánum líkaði þat.",
    ungrammatical: "Hann líkaði þat.",
    target: "Hánum",
    errorType: "dative_to_nominative",
  });
  assert.deepEqual(verdict.certificate.checks, ["líka takes a dative subject", ...SHARED_CHECKS]);
  const content = '["QUIRKY_CASE","Hánum líkaði þat.","Hann líkaði þat.","QC_VERB_LIKA"]';
  const hash = createHash("sha256").update(content).digest("hex");
  assert.equal(verdict.certificate.sha256, hash);
});

const FAULTS: readonly (readonly [SharedRejectionReason, Partial<Proposal<Phenomenon>>])[] = [
  ["missing_field", { lemma: "" }],
  ["missing_field", { errorType: " " }],
  ["same_sentence", { ungrammatical: "Hánum líkaði þat." }],
  ["not_one_token", { ungrammatical: "Hann líkar þat." }],
  ["not_one_token", { ungrammatical: "Hann líkaði." }],
  ["punctuation_changed", { ungrammatical: "Hánum líkaði þat!" }],
  ["punctuation_changed", { ungrammatical: "Hann, líkaði þat." }],
  ["wrong_target", { target: "líkaði" }],
  ["wrong_target", { target: "hánum" }],
  ["capital_changed", { ungrammatical: "hann líkaði þat." }],
  ["capital_changed", { ungrammatical: "HAnn líkaði þat." }],
  ["damaged_text", { grammatical: "Hánum  líkaði þat.", ungrammatical: "Hann  líkaði þat." }],
  ["damaged_text", { grammatical: "Hánum líkaði þat .", ungrammatical: "Hann líkaði þat ." }],
  ["damaged_text", { grammatical: "Hánum líkaði.Þat.", ungrammatical: "Hann líkaði.Þat." }],
  ["damaged_text", { ungrammatical: "Hann líkaði\tþat." }],
  ["damaged_text", { ungrammatical: " Hann líkaði þat." }],
  ["damaged_text", { ungrammatical: "Ha\ufffdn líkaði þat." }],
  ["damaged_text", { ungrammatical: "Hann li\u0301kaði þat." }],
  ["damaged_text", { grammatical: "Hánum li\u0301kaði þat." }],
  // Capitals, punctuation and how a letter is composed do not count.
  ["variant_attested", { grammatical: "Hánum fór.", ungrammatical: "Hann fór." }],
];

Deno.test("certify() rejects each fault for its own reason", () => {
  const attested = attestedSentences(["hann, fo\u0301r:"]);
  for (const [reason, change] of FAULTS) {
    const verdict = certify({ ...LIKA, ...change }, attested);
    assert.equal(verdict.kind === "rejected" && verdict.rejection.reason, reason, `${reason}`);
  }
  const { source, phenomenon } = LIKA;
  const detail = "the corpus has this very sentence";
  const reason = "variant_attested";
  const rejection = { source, phenomenon, candidate: "Hánum>Hann", reason, detail };
  assert.deepEqual(certify(LIKA, new Set([LIKA.ungrammatical])), { kind: "rejected", rejection });
});

Deno.test("Feature: old-norse-minimal-pairs, Property 6: complete pair metadata", () => {
  const fields = ["phenomenon", "grammatical", "ungrammatical", "target", "errorType"];
  const filled = fc.constantFrom(...fields);
  fc.assert(
    fc.property(proposal, filled, (made, field) => {
      const verdict = certify(made, new Set());
      assert.ok(verdict.kind === "certified");
      assert.ok(Object.values(verdict.pair).every((value) => String(value).trim() !== ""));
      const emptied = certify<string>({ ...made, [field]: " " }, new Set());
      assert.equal(emptied.kind === "rejected" && emptied.rejection.reason, "missing_field");
    }),
    { numRuns: 200 },
  );
});

Deno.test("exchange() changes the one word that is named, its punctuation kept; certifyAll() parts what holds from what does not", () => {
  const source = { text: "t", chapter: 1, sentence: 1 };
  const ground = {
    source,
    phenomenon: "N",
    rule: "R",
    lemma: "gehen",
    explanation: "It must agree.",
  };
  const made = (target: string, variant: string) =>
    exchange({
      ...ground,
      grammatical: "Er sagt, er geht.",
      cellFrom: "3sg",
      cellTo: "3pl",
      target,
      variant,
    });
  assert.equal(made("geht", "gehen").ungrammatical, "Er sagt, er gehen.");
  assert.equal(made("sagt", "sagen").ungrammatical, "Er sagen, er geht.");
  assert.equal(made("er", "ihr").ungrammatical, "Er sagt, ihr geht.");
  assert.equal(made("geht", "gehen").errorType, "3sg_to_3pl");
  const proposals = [made("geht", "gehen"), made("steht", "stehen"), made("sagt", "sagen")];
  const { certified, rejections } = certifyAll(proposals, new Set(["Er sagen, er geht."]));
  assert.deepEqual(certified.map(({ pair }) => pair.target), ["geht"]);
  const reasons = rejections.map(({ reason }) => reason);
  assert.deepEqual(reasons, ["same_sentence", "variant_attested"]);
});
