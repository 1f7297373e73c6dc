import assert from "node:assert/strict";
import { randomSource } from "../../../stats/random.ts";
import type { CaseLabel } from "../../types.ts";
import { sourcePassage, VERDICT_LABELS } from "../../types.ts";
import { HEAD_INPUTS, headProbabilities, parseTrainedWeights } from "../../verifiers/head.ts";
import { crossFitted, fitHead, INPUT_GROUPS, judgedBy, judgedByNetwork } from "./verifier_fit.ts";
import { type ReadCase, SILENT, weightsFile } from "./verifier_fit.ts";

const at = (name: string) => HEAD_INPUTS.indexOf(name);

function readCase(
  id: number,
  label: CaseLabel,
  inputs: ReadCase["inputs"],
  set = "made",
): ReadCase {
  const told = { id: String(id), claim: `claim ${id}`, passages: [sourcePassage("A source.")] };
  return { case: { ...told, label, set, cluster: `c${id % 40}`, split: "development" }, inputs };
}

/** Inputs by chance, so that no weight is 0 by itself. */
const CASES: readonly ReadCase[] = Array.from({ length: 90 }, (_, id) => {
  const random = randomSource(id);
  return readCase(id, VERDICT_LABELS[id % 3]!, HEAD_INPUTS.map(() => random.next()));
});

Deno.test("crossFitted() asks heads that know no claim of the cluster", () => {
  // Five clusters, one a fold; only the first is supported, and only its first input is 1.
  const cases = Array.from({ length: 50 }, (_, id) => {
    const isFirst = id % 5 === 0;
    const inputs = HEAD_INPUTS.map(() => 0).with(0, Number(isFirst));
    const { case: one } = readCase(id, isFirst ? "supported" : "refuted", inputs);
    return { case: { ...one, cluster: `c${id % 5}` }, inputs };
  });
  assert.ok(judgedBy(cases, fitHead(cases))[0]!.probabilities!.supported > 0.9);
  assert.ok(crossFitted(cases, [])[0]!.probabilities!.supported < 0.1);
  assert.ok(crossFitted(cases.slice(0, 1), cases)[0]!.probabilities!.supported > 0.9);
  const [asked, ...none] = crossFitted(cases, [], INPUT_GROUPS, cases.slice(5, 6));
  assert.ok(asked!.probabilities!.supported < 0.1 && none.length === 0);
});

Deno.test("fitHead() gives what is left out no weight", () => {
  const unused = (group: string) => {
    const { coefficients } = fitHead(CASES, INPUT_GROUPS.filter((one) => one !== group));
    return HEAD_INPUTS.filter((_, i) => coefficients.every((row) => row[i] === 0));
  };
  const said = ["supported", "refuted", "contradicted"].map((one) => `network.${one}`);
  assert.deepEqual(unused("network"), said);
  assert.deepEqual(unused("quantity"), ["quantity.contradicted", "quantity.date_contradicted"]);
});

Deno.test("fitHead() takes as much for supported as for the rest, and each set as the root of its claims", () => {
  const zeros = HEAD_INPUTS.map(() => 0);
  const many = (count: number, label: CaseLabel, set: string) =>
    Array.from({ length: count }, (_, id) => readCase(id, label, zeros, set));
  // Nothing to read: only the shares are left. Of "one" a half is supported, whatever the counts.
  const one = [...many(90, "supported", "one"), ...many(10, "refuted", "one_more")];
  assert.ok(Math.abs(headProbabilities(zeros, fitHead(one)).supported - 0.5) < 1e-4);
  // 100 claims weigh 10, half of that each side; four weigh 2. Of ten refuted ones and four that are left
  // open, the root of each: √10 to 2.
  const other = [...many(2, "supported", "two"), ...many(4, "not enough info", "two")];
  const both = headProbabilities(zeros, fitHead([...one, ...other]));
  assert.ok(Math.abs(both.supported - 0.5) < 1e-4);
  assert.ok(Math.abs(both.refuted - 0.5 * Math.sqrt(10) / (Math.sqrt(10) + 2)) < 1e-4);
  // Silent sources say nothing of what is supported.
  const silent = headProbabilities(
    zeros,
    fitHead([...one, ...many(90, "not enough info", SILENT)]),
  );
  assert.ok(Math.abs(silent.supported - 0.5) < 1e-4);
  assert.ok(
    Math.abs(silent.refuted - 0.5 * Math.sqrt(10) / (Math.sqrt(10) + Math.sqrt(90))) < 1e-4,
  );
  // Where no set tells them apart, the network's odds do: here 3 to 1.
  const odds = zeros.with(at("network.refuted"), Math.log(3));
  const untold = [
    readCase(1, "supported", odds, "s"),
    readCase(2, "not supported", zeros, "s"),
    readCase(3, "not supported", odds, "s"),
  ];
  const { supported, refuted } = headProbabilities(odds, fitHead(untold));
  assert.ok(Math.abs(refuted / (1 - supported) - 3 / 4) < 1e-9);
  // So they do where only silent sources tell.
  const hushed = headProbabilities(
    odds,
    fitHead([...untold, readCase(4, "not enough info", zeros, SILENT)]),
  );
  assert.ok(Math.abs(hushed.refuted / (1 - hushed.supported) - 3 / 4) < 1e-9);
});

Deno.test("judgedByNetwork() turns log-odds into probabilities: worked by hand", () => {
  const inputs = HEAD_INPUTS.map(() => 0)
    .with(at("network.supported"), Math.log(3)).with(at("network.refuted"), Math.log(4));
  const [{ probabilities } = {}] = judgedByNetwork([readCase(1, "supported", inputs)]);
  [0.75, 0.2, 0.05].forEach((share, i) =>
    assert.ok(Math.abs(probabilities![VERDICT_LABELS[i]!] - share) < 1e-12)
  );
  assert.equal(judgedByNetwork([readCase(1, "supported", undefined)])[0]!.probabilities, undefined);
});

Deno.test("weightsFile() seals a file that loads and says the same as the head", () => {
  const head = fitHead(CASES);
  const network = { path: "network.gguf", sha256: "a".repeat(64) };
  const weights = weightsFile(CASES, head, { network, gazetteer: [] });
  const read = parseTrainedWeights(JSON.stringify(weights), "w.json");
  assert.deepEqual(read.training.cases, { made: 90 });
  const inputs = CASES[5]!.inputs!;
  const [a, b] = [headProbabilities(inputs, head), headProbabilities(inputs, read)];
  for (const label of VERDICT_LABELS) assert.ok(Math.abs(a[label] - b[label]) < 1e-6);
});
