import assert from "node:assert/strict";
import fc from "fast-check";
import { FEATURE_NAMES } from "../features/features.ts";
import { sourcePassage } from "../retrieval/passage.ts";
import { VERDICT_LABELS } from "../verdicts/verdict.ts";
import { trainedVerifier, verdictProbabilities, type VerifierTools } from "./trained_verifier.ts";
import { parseVerifierWeights, sealed, type VerifierContent } from "./verifier_weights.ts";

const NONE = FEATURE_NAMES.map(() => 0);

/** Supported at a first feature over 1, refuted below. */
const CONTENT: VerifierContent = {
  version: 1,
  features: [...FEATURE_NAMES],
  labels: [...VERDICT_LABELS],
  means: NONE.with(0, 1),
  scales: NONE.map(() => 1).with(0, 2),
  coefficients: [NONE.with(0, 4), NONE.with(0, -4), NONE],
  intercepts: [0, 0, 0],
  temperature: 2,
  training: {
    seed: 1,
    l2: 0.1,
    groups: ["overlap"],
    cases: { train: 1, development: 1, test: 1 },
    dataSha256: "0",
    encoder: "none",
    development: { accuracy: 1, balancedAccuracy: 1, calibrationError: 0 },
  },
  gazetteer: [],
};
const WEIGHTS = sealed(CONTENT);
const SOURCE = sourcePassage("Something.");

/** A claim that is a number has it as its first feature; "nothing" finds no sentence. */
function tools(): VerifierTools & { read: VerifierTools["read"]; reads: number } {
  const counted = {
    reads: 0,
    settings: { encoder: "none" },
    read: () => {
      counted.reads++;
      return {
        features: (claim: string) =>
          Promise.resolve({
            values: NONE.with(0, Number(claim)),
            findings: [],
            evidence: claim === "nothing" ? [] : [{
              passageId: SOURCE.id,
              collection: SOURCE.collection,
              span: { start: 0, end: 10 },
              text: "Something.",
              relevance: 1,
            }],
          }),
      };
    },
  };
  return counted;
}

Deno.test("trainedVerifier() standardises, weighs, and cools: worked by hand", async () => {
  const [verdict] = await trainedVerifier(WEIGHTS, tools()).verify(["2"], [SOURCE]);
  assert.ok(verdict?.kind === "scored");
  // (2 − 1)/2 = ½; logits 2, −2, 0; halved 1, −1, 0.
  const total = Math.E + 1 / Math.E + 1;
  assert.ok(Math.abs(verdict.probabilities.supported - Math.E / total) < 1e-12);
  assert.ok(Math.abs(verdict.probabilities["not enough info"] - 1 / total) < 1e-12);
  assert.equal(verdict.label, "supported");
  assert.equal(verdict.provenance.modelSha256, WEIGHTS.sha256);
});

Deno.test("trainedVerifier() reads the sources once for all claims, and keeps their order", async () => {
  const counted = tools();
  const verifier = trainedVerifier(WEIGHTS, counted);
  const verdicts = await verifier.verify(["9", "-9", "nothing"], [SOURCE]);
  assert.equal(counted.reads, 1);
  assert.deepEqual(
    verdicts.map((verdict) => (verdict.kind === "scored" ? verdict.label : verdict.reason)),
    ["supported", "refuted", "no evidence"],
  );
  assert.equal(verifier.settings["weightsSha256"], WEIGHTS.sha256);
});

Deno.test("trainedVerifier() without a passage is unscored; it throws the signal's reason", async () => {
  const verifier = trainedVerifier(WEIGHTS, tools());
  const [verdict] = await verifier.verify(["1"], []);
  assert.ok(verdict?.kind === "unscored" && verdict.reason === "no evidence");
  const signal = AbortSignal.abort(new Error("enough"));
  await assert.rejects(verifier.verify(["1"], [SOURCE], { signal }), { message: "enough" });
});

Deno.test("parseVerifierWeights() takes what was sealed, in any order of keys", () => {
  const text = JSON.stringify(Object.fromEntries(Object.entries(WEIGHTS).toReversed()));
  assert.deepEqual(parseVerifierWeights(text, "w.json"), WEIGHTS);
});

Deno.test("parseVerifierWeights() says what is wrong with a file and what to do", () => {
  const refuse = (change: object) => () =>
    parseVerifierWeights(JSON.stringify({ ...WEIGHTS, ...change }), "w.json");
  assert.throws(refuse({ temperature: 3 }), /w\.json was changed: its SHA-256/u);
  assert.throws(refuse({ version: 2 }), /w\.json is no weights file/u);
  const other = sealed({ ...CONTENT, features: ["a"] });
  assert.throws(refuse(other), /trained on other features\. Run "deno task verifier"/u);
  assert.throws(refuse(sealed({ ...CONTENT, means: [1] })), /does not have \d+ numbers/u);
});

Deno.test("Requirement 2.2: the probabilities of any finite features are a distribution", () => {
  const value = fc.double({ min: -1, max: 1, noNaN: true });
  const vector = fc.array(value, {
    minLength: FEATURE_NAMES.length,
    maxLength: FEATURE_NAMES.length,
  });
  fc.assert(
    fc.property(vector, (values) => {
      const shares = verdictProbabilities(values, WEIGHTS);
      const sum = VERDICT_LABELS.reduce((total, label) => total + shares[label], 0);
      assert.ok(Math.abs(sum - 1) < 1e-9);
    }),
    { numRuns: 100 },
  );
});
