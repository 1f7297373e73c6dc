import assert from "node:assert/strict";
import { FEATURE_NAMES, FEATURES_VERSION, sourceReader } from "../features/features.ts";
import { gazetteerOf } from "../features/words.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { SOURCE_TEXT, sourcePassage } from "../types.ts";
import { combinedProbabilities, passageVerdict, readAlone } from "./head.ts";
import { claimReader, HEAD_INPUTS, HEAD_QUESTIONS, headProbabilities } from "./head.ts";
import { openTrainedVerifier, parseTrainedWeights, readTrainedWeights, withHash } from "./head.ts";
import type { WeightsContent } from "./head.ts";
import { scriptedNetwork } from "./testdata/tiny_models.ts";

const NONE = HEAD_INPUTS.map(() => 0);

/** A head that uses only the network's log-odds of supported, with a threshold of 1. */
const CONTENT: WeightsContent = {
  version: 5,
  network: { path: "network.gguf", sha256: "a".repeat(64) },
  featuresVersion: FEATURES_VERSION,
  inputs: [...HEAD_INPUTS],
  questions: [...HEAD_QUESTIONS],
  means: NONE.with(0, 1),
  scales: NONE.map(() => 1).with(0, 2),
  coefficients: [NONE.with(0, 4), NONE.with(0, -4)],
  intercepts: [0, 1],
  training: { l2: 0.1, cases: { made: 1 }, dataSha256: "b".repeat(64) },
  trust: { sources: 0, bands: [] },
  gazetteer: [],
};
const SOURCE = sourcePassage("Rain falls on Oslo in 10 towns.");

const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 1e-12, `${actual}, not ${expected}`);

Deno.test("claimReader() gives the network's odds within ±8, those of two sentences and of single ones, the length and the features", async () => {
  const { network } = scriptedNetwork((ids) => ids.at(-2) === 3 ? [50, 9, 0] : [2, 1, 1]);
  const read = claimReader(network, [])([SOURCE]);
  const reading = await read("Snow falls in 11 towns.");
  assert.ok(reading !== undefined && "inputs" in reading);
  // 2 against ln(e + e) = 1 + ln 2; 1 against 1; 1 against ln(e² + e).
  const said = [1 - Math.LN2, 0, 1 - Math.log(Math.E ** 2 + Math.E)];
  said.forEach((value, i) => near(reading.inputs[i]!, value));
  const readable = sourceReader([SOURCE], gazetteerOf([])).features("Snow falls in 11 towns.");
  // One sentence: it is the window, the two nearest and the strongest.
  assert.deepEqual(reading.inputs.slice(3, 6), [
    reading.inputs[0],
    reading.inputs[0],
    reading.inputs[2],
  ]);
  near(reading.inputs[6]!, Math.log(1 + 7));
  assert.deepEqual(reading.inputs.slice(7), readable.values);
  assert.equal(reading.inputs.length, 7 + FEATURE_NAMES.length);
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

const thirds = (supported: number, refuted: number) => (
  { supported, refuted, "not enough info": 1 - supported - refuted }
);
const passage = (section: string, collection = "base") => (
  { id: section, text: `${section}. name: Ottawa`, collection, title: "Canada", section }
);
const saying = (
  claim: string,
  section: string,
  supported: number,
  refuted: number,
  collection?: string,
) => passageVerdict(claim, passage(section, collection), thirds(supported, refuted));

Deno.test("combinedProbabilities() is halfway in log-odds between all passages and the strongest: worked by hand", () => {
  const claim = "Canada's capital is Toronto.";
  const together = thirds(0.2, 0.4);
  // Of one passage there is nothing to combine.
  assert.equal(combinedProbabilities(together, [saying(claim, "Climate", 0.9, 0)]), together);
  const both = combinedProbabilities(together, [
    saying(claim, "Climate", 0.1, 0.1),
    saying(claim, "Major urban areas", 0.8 / 0.97, 0.05),
  ]);
  // ln(0.2/0.8) and ln(0.8/0.2) are as far from 0.
  near(both.supported, 0.5);
  // Of the rest: half in all together; of the first, which refutes most, a ninth.
  const odds = Math.exp((0 + Math.log(1 / 8)) / 2);
  near(both.refuted, 0.5 * odds / (1 + odds));
});

Deno.test("combinedProbabilities(): what the first passage on the claim's attribute refutes no other outvotes", () => {
  const claim = "Canada's capital is Toronto.";
  const others = saying(claim, "Major urban areas", 0.95, 0.01);
  const said = (first: ReturnType<typeof saying>) =>
    combinedProbabilities(thirds(0.7, 0.1), [first, others]);
  assert.deepEqual(said(saying(claim, "Capital", 0.1, 0.8)), thirds(0.1, 0.8));
  assert.ok(said(saying(claim, "Climate", 0.1, 0.8)).supported > 0.8, "another attribute");
  assert.ok(said(saying(claim, "Capital", 0.3, 0.2)).supported > 0.8, "not refuted");
  assert.ok(said(saying(claim, "Capital", 0.1, 0.8, SOURCE_TEXT)).supported > 0.8, "a source text");
});

Deno.test("readAlone() takes several passages with words, at most eight", () => {
  const many = Array.from({ length: 12 }, (_, at) => passage(`Field ${at}`));
  assert.deepEqual(readAlone(many.slice(0, 1)), []);
  assert.equal(readAlone(many).length, 8);
  assert.equal(readAlone([...many.slice(0, 2), { ...passage("x"), text: " " }]).length, 2);
});

Deno.test("parseTrainedWeights() takes what was sealed, in any order of keys, and nothing else", () => {
  const file = withHash(CONTENT);
  const text = JSON.stringify(Object.fromEntries(Object.entries(file).toReversed()));
  assert.deepEqual(parseTrainedWeights(text, "w.json"), file);
  const refuse = (change: object) => () =>
    parseTrainedWeights(JSON.stringify({ ...file, ...change }), "w.json");
  assert.throws(refuse({ intercepts: [1, 0] }), /w\.json was changed: its SHA-256/);
  assert.throws(refuse({ version: 4 }), /w\.json is no weights file/);
  const other = (change: Partial<WeightsContent>) => refuse(withHash({ ...CONTENT, ...change }));
  assert.throws(other({ means: [0] }), /rows of the wrong length/);
  assert.throws(other({ intercepts: [0] }), /rows of the wrong length/);
  assert.throws(other({ inputs: ["a"] }), /was fitted on other features/);
  assert.throws(other({ featuresVersion: FEATURES_VERSION + 1 }), /was fitted on other features/);
  assert.throws(other({ questions: ["a", "b"] }), /answers other questions/);
  assert.throws(() => parseTrainedWeights("{", "w.json"), /is no weights file/);
  assert.throws(() => readTrainedWeights("no/such/weights.json"), Deno.errors.NotFound);
});

Deno.test("openTrainedVerifier() opens the verifier that ships, which distinguishes a claim from its opposite", async () => {
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

Deno.test("the verifier that ships reads attributes of a knowledge base: what the first passage on one refutes stays refuted", async () => {
  const { cache: cacheDirectory } = FACTUALITY_PATHS;
  await using verifier = await openTrainedVerifier({ cacheDirectory, threads: 1 });
  const field = (title: string, section: string, text: string) => (
    { id: `${title}/${section}`, collection: "base", title, section, text: `${section}. ${text}` }
  );
  const cities =
    "6.372 million Toronto, 4.308 million Montreal, 1.437 million OTTAWA (capital) (2023)";
  const canada = [
    field("Canada", "Capital", "name: Ottawa; time difference: UTC-5"),
    field("Canada", "Major urban areas - population", cities),
  ];
  const bolivia = [
    field("Bolivia", "Coastline", "0 km (landlocked)"),
    field("Bolivia", "Geography - note", "landlocked; shares control of Lago Titicaca with Peru"),
  ];
  const labelOf = async (claim: string, passages: typeof canada) => {
    const [verdict] = await verifier.verify([claim], passages);
    assert.ok(verdict?.kind === "scored");
    // What the verdict rests on stands first.
    assert.equal(verdict.evidence[0]!.passageId, passages[0]!.id);
    return verdict.label;
  };
  assert.equal(await labelOf("Canada's capital is Ottawa.", canada), "supported");
  assert.equal(await labelOf("Canada's capital is Toronto.", canada), "refuted");
  assert.equal(await labelOf("Bolivia has a long Atlantic coastline.", bolivia), "refuted");
});
