import assert from "node:assert/strict";
import { FEATURE_NAMES } from "../features/features.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { sourcePassage } from "../types.ts";
import {
  classOf,
  headInput,
  headVerdict,
  pairVector,
  parseTrainedWeights,
  readTrainedWeights,
  restLabel,
  sealed,
  standardisationOf,
  standardise,
  trainedVerifier,
  weightsOf,
} from "./head.ts";
import type { OwnContent, ShippedContent, VerifierTools } from "./head.ts";
import { fakeEncoder } from "./testdata/tiny_models.ts";

const WIDTH = 4 * 2;
const NONE = FEATURE_NAMES.map(() => 0);
const VALUES = FEATURE_NAMES.map(() => 0.5);
const MADE_UP = "accuracy balancedAccuracy precision recall f1 brier calibrationError".split(" ")
  .map((name) => [name, { unavailable: "made up" }]);

/** Of sentence vectors of two numbers: supported by how alike they are. */
const OWN: OwnContent = {
  version: 2,
  labels: "binary",
  rest: "not enough info",
  features: "embeddings",
  featureNames: [...FEATURE_NAMES],
  encoder: { name: "tiny", dimensions: 2 },
  means: Array(WIDTH).fill(0),
  scales: Array(WIDTH).fill(1),
  hidden: null,
  output: { coefficients: [[0, 0, 0, 0, 0, 0, 4, 4], Array(WIDTH).fill(0)], intercepts: [-2, 0] },
  temperature: 2,
  training: {
    seed: 1,
    l2: 0.1,
    hidden: 0,
    classWeights: "balanced",
    patience: 5,
    data: "made up",
    bestIteration: 1,
    iterations: 6,
    dataSha256: "0",
    cases: { train: 1, development: 1, test: 1 },
  },
  heldOut: { n: 0, unscored: 0, clusters: 0, ...Object.fromEntries(MADE_UP) } as never,
  gazetteer: [],
};

/** The file that ships with other numbers: supported at a first feature over 1, refuted below. */
const SHIPPED: ShippedContent = {
  ...JSON.parse(Deno.readTextFileSync(FACTUALITY_PATHS.verifierWeights)),
  means: NONE.with(0, 1),
  scales: NONE.map(() => 1).with(0, 2),
  coefficients: [NONE.with(0, 4), NONE.with(0, -4), NONE],
  intercepts: [0, 0, 0],
  temperature: 2,
  gazetteer: [],
};

/** "north" and "east" at right angles. */
const tinyEncoder = (name = "tiny") =>
  fakeEncoder((text) => text === "north" ? [0, 1] : [1, 0], name);

const evidenceOf = (text: string) => (
  { passageId: "p", collection: "c", span: { start: 0, end: text.length }, text, relevance: 1 }
);

/** A claim that is a number has it as its first feature; "nothing" finds no sentence. */
function tools(encoder = tinyEncoder()): VerifierTools & { reads: number } {
  const features = (claim: string) =>
    Promise.resolve({
      values: Number.isNaN(Number(claim)) ? VALUES : NONE.with(0, Number(claim)),
      findings: [],
      evidence: claim === "nothing" ? [] : [evidenceOf("north")],
    });
  const read = () => (counted.reads++, { features });
  const counted = { reads: 0, encoder, settings: { encoder: "none" }, read };
  return counted;
}

const SOURCE = sourcePassage("north");

Deno.test("headInput() sets u, v, |u−v| and u·v of pairVector() side by side, after the readable features", async () => {
  const read = { values: VALUES, evidence: [evidenceOf("north"), evidenceOf("east")] };
  assert.deepEqual(await pairVector("east", read, tinyEncoder()), [...VALUES, 1, 0, 0, 1]);
  const rows = [[1, 5], [3, 5]];
  const scaling = standardisationOf(rows);
  assert.deepEqual(scaling, { means: [2, 5], scales: [1, 1] });
  assert.deepEqual(rows.map((row) => standardise(row, scaling)), [[-1, 0], [1, 0]]);
  assert.throws(() => standardisationOf([[1], [1, 2]]), /not of one length, but of 1, 2/);
  assert.equal(restLabel(["supported", "refuted", "refuted", "not enough info"]), "refuted");
  assert.equal(classOf("not supported", "three-way"), undefined);
  assert.equal(classOf("refuted", "binary"), 1);
  const vector = [...VALUES, 1, 2, 3, -4];
  const combined = [1, 2, 3, -4, 2, 6, 3, -8];
  assert.deepEqual(headInput(vector, "embeddings"), combined);
  assert.deepEqual(headInput(vector, "both"), [...VALUES, ...combined]);
});

Deno.test("trainedVerifier() standardises, weighs, and cools: worked by hand", async () => {
  const weights = weightsOf(sealed(SHIPPED));
  const [verdict] = await trainedVerifier(weights, tools()).verify(["2"], [SOURCE]);
  assert.ok(verdict?.kind === "scored");
  // (2 − 1)/2 = ½; logits 2, −2, 0; halved 1, −1, 0.
  const total = Math.E + 1 / Math.E + 1;
  assert.ok(Math.abs(verdict.probabilities.supported - Math.E / total) < 1e-12);
  assert.ok(Math.abs(verdict.probabilities["not enough info"] - 1 / total) < 1e-12);
  // The sources are read once for all claims, which keep their order.
  const counted = tools();
  const verifier = trainedVerifier(weights, counted);
  const verdicts = await verifier.verify(["9", "-9", "nothing"], [SOURCE]);
  assert.equal(counted.reads, 1);
  assert.deepEqual(
    verdicts.map((verdict) => (verdict.kind === "scored" ? verdict.label : verdict.reason)),
    ["supported", "refuted", "no evidence"],
  );
  const signal = AbortSignal.abort(new Error("enough"));
  await assert.rejects(verifier.verify(["9"], [SOURCE], { signal }), /enough/);
});

Deno.test("trainedVerifier() reads sentence vectors: worked by hand", async () => {
  const weights = weightsOf(sealed(OWN));
  const verifier = trainedVerifier(weights, tools());
  const verdicts = await verifier.verify(["north", "east"], [SOURCE]);
  // u·v is 0, 1 for north: logits 4 − 2 and 0, halved; 0, 0 for east: −2 and 0, halved.
  const shares = [1, -1].map((logit) => 1 / (1 + Math.exp(-logit)));
  verdicts.forEach((verdict, i) => {
    assert.ok(verdict.kind === "scored");
    assert.ok(Math.abs(verdict.probabilities.supported - shares[i]!) < 1e-12);
    assert.equal(verdict.probabilities.refuted, 0);
  });
  assert.equal(verifier.name, "frozen MiniLM with trained head (logistic)");
  assert.throws(
    () => trainedVerifier(weights, tools(tinyEncoder("other"))),
    /reads sentence vectors of tiny \(2 numbers\), and other \(2\) is loaded/,
  );
});

Deno.test("headVerdict() goes through a hidden layer: worked by hand", () => {
  const weights = weightsOf(sealed({
    ...OWN,
    hidden: {
      weights: [Array(WIDTH).fill(0).with(0, 1), Array(WIDTH).fill(0).with(1, 1)],
      biases: [0, -1],
    },
    output: { coefficients: [[2, 6], [0, 0]], intercepts: [0, 0] },
  }));
  // Units max(0, 1) and max(0, 0.5 − 1); logits 2 and 0; halved 1 and 0.
  const { supported } = headVerdict([...VALUES, 1, 0.5, 0, 0], weights);
  assert.ok(Math.abs(supported - Math.E / (1 + Math.E)) < 1e-12);
  assert.equal(weights.name, "frozen MiniLM with trained head (MLP 2)");
});

Deno.test("parseTrainedWeights() takes what was sealed, in any order of keys, and nothing else; those that ship load", () => {
  const { training, gazetteer } = readTrainedWeights();
  assert.ok(training.cases.train > 1_000);
  assert.ok(gazetteer.some(({ name, also }) => name === "France" && also.includes("French")));
  assert.throws(() => readTrainedWeights("no/such/weights.json"), Deno.errors.NotFound);
  for (const content of [SHIPPED, OWN]) {
    const file = sealed(content);
    const text = JSON.stringify(Object.fromEntries(Object.entries(file).toReversed()));
    assert.deepEqual(parseTrainedWeights(text, "w.json"), weightsOf(file));
    const refuse = (change: object) => () =>
      parseTrainedWeights(JSON.stringify({ ...file, ...change }), "w.json");
    assert.throws(refuse({ temperature: 3 }), /w\.json was changed: its SHA-256/);
    assert.throws(refuse({ version: 3 }), /w\.json is no weights file/);
    assert.throws(refuse(sealed({ ...content, means: [0] })), /rows of the wrong length/);
  }
  const refuse = (content: ShippedContent | OwnContent) => () =>
    parseTrainedWeights(JSON.stringify(sealed(content)), "w.json");
  assert.throws(refuse({ ...SHIPPED, features: ["a"] }), /was trained on other features/);
  assert.throws(refuse({ ...OWN, features: "both", featureNames: ["a"] }), /on other features/);
  assert.throws(refuse({ ...SHIPPED, labels: ["a", "b", "c"] }), /has other labels/);
  assert.throws(() => parseTrainedWeights("{", "w.json"), /is no weights file/);
});
