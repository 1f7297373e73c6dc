import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import type { SentenceEncoder } from "../../models/encoder/sentence_encoder.ts";
import { FEATURE_NAMES } from "../features/features.ts";
import { sourcePassage } from "../retrieval/passage.ts";
import { classOf, restLabel, verdictShares } from "./head_labels.ts";
import { headName, headVerifier } from "./head_verifier.ts";
import { type HeadContent, headVerdict, parseHeadWeights, sealedHead } from "./head_weights.ts";
import { headInput, inputWidth, pairVector } from "./pair_vector.ts";
import { readTrainedWeights } from "./weights_files.ts";

const UNAVAILABLE = { unavailable: "made up" };
const WIDTH = 4 * 2;

/** Of sentence vectors of two numbers: supported by how alike they are. */
const CONTENT: HeadContent = {
  ...{ version: 2, labels: "binary", rest: "not enough info", features: "embeddings" },
  featureNames: [...FEATURE_NAMES],
  encoder: { name: "tiny", dimensions: 2 },
  ...{ means: Array(WIDTH).fill(0), scales: Array(WIDTH).fill(1) },
  hidden: null,
  output: {
    coefficients: [[0, 0, 0, 0, 0, 0, 4, 4], Array(WIDTH).fill(0)],
    intercepts: [-2, 0],
  },
  temperature: 2,
  training: {
    ...{ seed: 1, l2: 0.1, hidden: 0, classWeights: "balanced", patience: 5, data: "made up" },
    ...{ bestIteration: 1, iterations: 6, dataSha256: "0" },
    cases: { train: 1, development: 1, test: 1 },
  },
  heldOut: {
    ...{ n: 0, unscored: 0, clusters: 0, accuracy: UNAVAILABLE, balancedAccuracy: UNAVAILABLE },
    ...{ precision: UNAVAILABLE, recall: UNAVAILABLE, f1: UNAVAILABLE, brier: UNAVAILABLE },
    calibrationError: UNAVAILABLE,
  },
  gazetteer: [],
};
const WEIGHTS = sealedHead(CONTENT);
const VALUES = FEATURE_NAMES.map(() => 0.5);

/** "north" and "east" at right angles. */
function tinyEncoder(name: string): SentenceEncoder {
  const vectorOf = (text: string) => Float32Array.from(text === "north" ? [0, 1] : [1, 0]);
  return {
    ...{ name, settings: {}, dimensions: 2 },
    encode: (texts) =>
      Promise.resolve(
        texts.map((text) => ({ sentence: vectorOf(text), tokens: [], readTo: text.length })),
      ),
    clear: () => {},
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

const evidenceOf = (text: string) => ({
  ...{ passageId: "p", collection: "c", span: { start: 0, end: text.length }, text },
  relevance: 1,
});

Deno.test("headInput() sets u, v, |u−v| and u·v side by side, after the readable features", () => {
  const vector = [...VALUES, 1, 2, 3, -4];
  const combined = [1, 2, 3, -4, 2, 6, 3, -8];
  assert.deepEqual(headInput(vector, "embeddings"), combined);
  assert.deepEqual(headInput(vector, "both"), [...VALUES, ...combined]);
  assert.deepEqual(headInput(VALUES, "readable"), VALUES);
  for (const features of ["readable", "embeddings", "both"] as const) {
    assert.equal(headInput(vector, features).length, inputWidth(features, 2));
  }
});

Deno.test("pairVector() has the claim's vector, then the best evidence's; none without evidence", async () => {
  const encoder = tinyEncoder("tiny");
  const read = { values: VALUES, evidence: [evidenceOf("north"), evidenceOf("east")] };
  assert.deepEqual(await pairVector("east", read, encoder), [...VALUES, 1, 0, 0, 1]);
  assert.equal(await pairVector("east", { values: VALUES, evidence: [] }, encoder), undefined);
});

Deno.test("headVerifier() reads sentence vectors: worked by hand", async () => {
  const read = () => ({
    features: () =>
      Promise.resolve({ values: VALUES, findings: [], evidence: [evidenceOf("north")] }),
  });
  const verifier = headVerifier(WEIGHTS, { read, settings: {} }, tinyEncoder("tiny"));
  const verdicts = await verifier.verify(["north", "east"], [sourcePassage("north")]);
  // u·v is 0, 1 for north: logits 4 − 2 and 0, halved; 0, 0 for east: −2 and 0, halved.
  const shares = [1, -1].map((logit) => 1 / (1 + Math.exp(-logit)));
  verdicts.forEach((verdict, i) => {
    assert.ok(verdict.kind === "scored");
    assert.ok(Math.abs(verdict.probabilities.supported - shares[i]!) < 1e-12);
    assert.equal(verdict.probabilities.refuted, 0);
    assert.equal(verdict.provenance.modelSha256, WEIGHTS.sha256);
  });
  assert.equal(verifier.name, "frozen MiniLM with trained head (logistic)");
  assert.throws(
    () => headVerifier(WEIGHTS, { read, settings: {} }, tinyEncoder("other")),
    /reads sentence vectors of tiny \(2 numbers\), and other \(2\) is loaded/,
  );
});

Deno.test("headVerdict() goes through a hidden layer: worked by hand", () => {
  const weights = sealedHead({
    ...CONTENT,
    hidden: {
      weights: [Array(WIDTH).fill(0).with(0, 1), Array(WIDTH).fill(0).with(1, 1)],
      biases: [0, -1],
    },
    output: { coefficients: [[2, 6], [0, 0]], intercepts: [0, 0] },
  });
  // Units max(0, 1) and max(0, 0.5 − 1); logits 2 and 0; halved 1 and 0.
  const { supported } = headVerdict([...VALUES, 1, 0.5, 0, 0], weights);
  assert.ok(Math.abs(supported - Math.E / (1 + Math.E)) < 1e-12);
  assert.equal(headName(weights), "frozen MiniLM with trained head (MLP 2)");
});

Deno.test("parseHeadWeights() takes what was sealed and says what is wrong with anything else", () => {
  const text = JSON.stringify(Object.fromEntries(Object.entries(WEIGHTS).toReversed()));
  assert.deepEqual(parseHeadWeights(JSON.parse(text), "h.json"), WEIGHTS);
  const refuse = (change: object) => () => parseHeadWeights({ ...WEIGHTS, ...change }, "h.json");
  assert.throws(
    refuse({ temperature: 3 }),
    /h\.json was changed: its SHA-256 .* "deno task train"/,
  );
  assert.throws(refuse({ rest: "supported" }), /h\.json is no weights file of version 2/);
  assert.throws(refuse(sealedHead({ ...CONTENT, means: [0] })), /rows of the wrong length/);
  const other = sealedHead({ ...CONTENT, features: "both", featureNames: ["a"] });
  assert.throws(refuse(other), /was trained on other features/);
});

Deno.test("readTrainedWeights() reads either version, and damage as damage", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "head.json");
    await Deno.writeTextFile(path, JSON.stringify(WEIGHTS));
    assert.deepEqual(readTrainedWeights(path), WEIGHTS);
    assert.equal(readTrainedWeights("data/factuality/verifier_weights.json").version, 1);
    await Deno.writeTextFile(path, "{");
    assert.throws(() => readTrainedWeights(path), /is no weights file/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("restLabel() is refuted only where most of the rest was; classOf() has no class for half a label", () => {
  assert.equal(restLabel(["supported", "refuted", "refuted", "not enough info"]), "refuted");
  assert.equal(restLabel(["supported", "refuted", "not enough info"]), "not enough info");
  assert.equal(restLabel(["supported", "not supported"]), "not enough info");
  assert.equal(classOf("not supported", "three-way"), undefined);
  assert.equal(classOf("refuted", "binary"), 1);
});

Deno.test("Requirement 12.2: a binary head's verdict is supported at one half and more, never under", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom("refuted" as const, "not enough info" as const),
      (supported, rest) => {
        const shares = verdictShares([supported, 1 - supported], "binary", rest);
        const others = Math.max(shares.refuted, shares["not enough info"]);
        assert.equal(shares.supported >= others, supported >= 0.5);
        assert.equal(shares.refuted + shares["not enough info"], 1 - supported);
      },
    ),
    { numRuns: 200 },
  );
});
