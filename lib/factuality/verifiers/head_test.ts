import assert from "node:assert/strict";
import { FEATURE_NAMES, FEATURES_VERSION, sourceReader } from "../features/features.ts";
import { gazetteerOf } from "../features/words.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { sourcePassage } from "../types.ts";
import { claimReader, HEAD_INPUTS, HEAD_QUESTIONS, headProbabilities } from "./head.ts";
import { openTrainedVerifier, parseTrainedWeights, readTrainedWeights, sealed } from "./head.ts";
import type { WeightsContent } from "./head.ts";
import { standInNetwork } from "./testdata/tiny_models.ts";

const NONE = HEAD_INPUTS.map(() => 0);

/** Reads the network's log-odds of supported alone: supported where they are over 1. */
const CONTENT: WeightsContent = {
  version: 4,
  network: { path: "network.gguf", sha256: "a".repeat(64) },
  featuresVersion: FEATURES_VERSION,
  inputs: [...HEAD_INPUTS],
  questions: [...HEAD_QUESTIONS],
  means: NONE.with(0, 1),
  scales: NONE.map(() => 1).with(0, 2),
  coefficients: [NONE.with(0, 4), NONE.with(0, -4)],
  intercepts: [0, 1],
  training: { l2: 0.1, cases: { made: 1 }, dataSha256: "b".repeat(64) },
  gazetteer: [],
};
const SOURCE = sourcePassage("Rain falls on Oslo in 10 towns.");

const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 1e-12, `${actual}, not ${expected}`);

Deno.test("claimReader() gives the network's odds within ±8 and the features", async () => {
  const { network } = standInNetwork((ids) => ids.at(-2) === 3 ? [50, 9, 0] : [2, 1, 1]);
  const read = claimReader(network, [])([SOURCE]);
  const reading = await read("Snow falls in 11 towns.");
  assert.ok(reading !== undefined && "inputs" in reading);
  // 2 against ln(e + e) = 1 + ln 2; 1 against 1; 1 against ln(e² + e).
  const said = [1 - Math.LN2, 0, 1 - Math.log(Math.E ** 2 + Math.E)];
  said.forEach((value, i) => near(reading.inputs[i]!, value));
  const readable = sourceReader([SOURCE], gazetteerOf([])).features("Snow falls in 11 towns.");
  assert.deepEqual(reading.inputs.slice(3), readable.values);
  assert.equal(reading.inputs.length, 3 + FEATURE_NAMES.length);
  assert.deepEqual(reading.findings, readable.findings);
  assert.deepEqual(reading.evidence.map(({ text }) => text), [SOURCE.text]);
  const sure = await read("It is so.");
  assert.ok(sure !== undefined && "inputs" in sure);
  assert.deepEqual(sure.inputs.slice(0, 3), [8, 8, -8]);
  assert.equal(await claimReader(network, [])([])("It is so."), undefined);
});

Deno.test("headProbabilities() standardises and weighs: worked by hand", () => {
  // (2 − 1)/2 = ½; log-odds 2 of supported, 1 − 2 of refuted among the rest.
  const said = headProbabilities(NONE.with(0, 2), CONTENT);
  const open = 1 / (1 + Math.E ** 2);
  near(said.supported, 1 - open);
  near(said.refuted, open / (1 + Math.E));
  near(said["not enough info"], open * Math.E / (1 + Math.E));
});

Deno.test("parseTrainedWeights() takes what was sealed, in any order of keys, and nothing else", () => {
  const file = sealed(CONTENT);
  const text = JSON.stringify(Object.fromEntries(Object.entries(file).toReversed()));
  assert.deepEqual(parseTrainedWeights(text, "w.json"), file);
  const refuse = (change: object) => () =>
    parseTrainedWeights(JSON.stringify({ ...file, ...change }), "w.json");
  assert.throws(refuse({ intercepts: [1, 0] }), /w\.json was changed: its SHA-256/);
  assert.throws(refuse({ version: 3 }), /w\.json is no weights file/);
  const other = (change: Partial<WeightsContent>) => refuse(sealed({ ...CONTENT, ...change }));
  assert.throws(other({ means: [0] }), /rows of the wrong length/);
  assert.throws(other({ intercepts: [0] }), /rows of the wrong length/);
  assert.throws(other({ inputs: ["a"] }), /was fitted on other features/);
  assert.throws(other({ featuresVersion: FEATURES_VERSION + 1 }), /was fitted on other features/);
  assert.throws(other({ questions: ["a", "b"] }), /answers other questions/);
  assert.throws(() => parseTrainedWeights("{", "w.json"), /is no weights file/);
  assert.throws(() => readTrainedWeights("no/such/weights.json"), Deno.errors.NotFound);
});

Deno.test("openTrainedVerifier() opens the verifier that ships, which tells a claim from its opposite", async () => {
  const { cache: cacheDirectory } = FACTUALITY_PATHS;
  await using verifier = await openTrainedVerifier({ cacheDirectory, threads: 1 });
  const source = sourcePassage(
    "Paris is the capital and most populous city of France. It lies on the Seine.",
  );
  const claims = ["The capital of France is Paris.", "The capital of France is Lyon."];
  const verdicts = await verifier.verify(claims, [source]);
  const labels = verdicts.map((verdict) => verdict.kind === "scored" && verdict.label);
  assert.equal(labels[0], "supported");
  assert.notEqual(labels[1], "supported");
});
