import assert from "node:assert/strict";
import { randomSource } from "../../../stats/random.ts";
import type { CaseLabel } from "../../types.ts";
import { sourcePassage, VERDICT_LABELS } from "../../types.ts";
import { HEAD_INPUTS, headProbabilities, parseTrainedWeights } from "../../verifiers/head.ts";
import {
  fitHead,
  headPredictions,
  heldOutVerdicts,
  INPUT_GROUPS,
  networkPredictions,
} from "./verifier_fit.ts";
import { lineVerdicts, trustBands } from "./verifier_fit.ts";
import { type ReadCase, SILENT, weightsFile } from "./verifier_fit.ts";

const at = (name: string) => HEAD_INPUTS.indexOf(name);

function readCase(
  id: number,
  label: CaseLabel,
  inputs: ReadCase["inputs"],
  set = "made",
): ReadCase {
  const given = { id: String(id), claim: `claim ${id}`, passages: [sourcePassage("A source.")] };
  return { case: { ...given, label, set, cluster: `c${id % 40}`, split: "development" }, inputs };
}

/** Random inputs, so that no weight is 0. */
const CASES: readonly ReadCase[] = Array.from({ length: 90 }, (_, id) => {
  const random = randomSource(id);
  return readCase(id, VERDICT_LABELS[id % 3]!, HEAD_INPUTS.map(() => random.next()));
});

/** Fifty cases: the first of five clusters is supported, and only its first input is 1. */
const oddCluster = (set: (id: number) => string): readonly ReadCase[] =>
  Array.from({ length: 50 }, (_, id) => {
    const isFirst = id % 5 === 0;
    const inputs = HEAD_INPUTS.map(() => 0).with(0, Number(isFirst));
    const { case: one } = readCase(id, isFirst ? "supported" : "refuted", inputs, set(id));
    return { case: { ...one, cluster: `c${id % 5}` }, inputs };
  });

Deno.test("heldOutVerdicts() asks heads that know no claim of the source or, of a single source, of the cluster", () => {
  const one = oddCluster(() => "made");
  assert.ok(headPredictions(one, fitHead(one))[0]!.probabilities!.supported > 0.9);
  assert.ok(heldOutVerdicts(one, [])[0]!.probabilities!.supported < 0.1);
  assert.ok(heldOutVerdicts(one.slice(0, 1), one)[0]!.probabilities!.supported > 0.9);
  const [asked, ...none] = heldOutVerdicts(one, [], INPUT_GROUPS, one.slice(5, 6));
  assert.ok(asked!.probabilities!.supported < 0.1 && none.length === 0);
  const two = oddCluster((id) => id % 5 === 0 ? "odd_one" : "even_one");
  const [odd] = heldOutVerdicts(two, []);
  assert.ok(odd!.probabilities!.supported < 0.1 && odd!.source === "odd");
  // Cases made from a source's claims are held out with them.
  const made = two.map((read) => ({
    ...read,
    case: { ...read.case, set: "x", madeOf: read.case.set },
  }));
  assert.ok(
    heldOutVerdicts([...two, ...made], [], INPUT_GROUPS, made)[0]!.probabilities!.supported < 0.1,
  );
});

Deno.test("lineVerdicts() fit a line to other sources, or to all cases for further cases that are asked", () => {
  const scored = CASES.map((one, i) => (
    {
      case: {
        ...one.case,
        label: i % 2 === 0 ? "supported" as const : "refuted" as const,
        set: `s${i % 3}`,
      },
      inputs: one.inputs,
      score: i % 2 === 0 ? 0.8 : 0.3,
    }
  ));
  for (const verdicts of [lineVerdicts(scored), lineVerdicts(scored, scored)]) {
    assert.ok(verdicts[0]!.probabilities!.supported > 0.7);
    assert.ok(verdicts[1]!.probabilities!.supported < 0.3);
  }
});

Deno.test("trustBands() are means over sources, small ones left out: worked by hand", () => {
  const said = (source: string, label: CaseLabel, supported: number, count: number) =>
    Array.from({ length: count }, (_, id) => ({
      ...{ id: `${id}`, source, label, cluster: "c" },
      probabilities: { supported, refuted: 1 - supported, "not enough info": 0 },
    }));
  const { sources, bands } = trustBands([
    ...said("a", "supported", 0.95, 40),
    // Half of a source of twice the size is right.
    ...said("b", "supported", 0.95, 40),
    ...said("b", "not supported", 0.95, 40),
    ...said("c", "supported", 0.1, 5),
  ]);
  assert.equal(sources, 2);
  assert.deepEqual(bands.at(-1), { from: 0.9, to: 1, n: 120, right: 0.75 });
  assert.deepEqual(bands[0], { from: 0, to: 0.5, n: 0, right: null });
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
  // Where no set distinguishes them, the network's odds do: here 3 to 1.
  const odds = zeros.with(at("network.refuted"), Math.log(3));
  const untold = [
    readCase(1, "supported", odds, "s"),
    readCase(2, "not supported", zeros, "s"),
    readCase(3, "not supported", odds, "s"),
  ];
  const { supported, refuted } = headProbabilities(odds, fitHead(untold));
  assert.ok(Math.abs(refuted / (1 - supported) - 3 / 4) < 1e-9);
  // So they do where only silent sources decide.
  const hushed = headProbabilities(
    odds,
    fitHead([...untold, readCase(4, "not enough info", zeros, SILENT)]),
  );
  assert.ok(Math.abs(hushed.refuted / (1 - hushed.supported) - 3 / 4) < 1e-9);
});

Deno.test("networkPredictions() turns log-odds into probabilities: worked by hand", () => {
  const inputs = HEAD_INPUTS.map(() => 0)
    .with(at("network.supported"), Math.log(3)).with(at("network.refuted"), Math.log(4));
  const [{ probabilities } = {}] = networkPredictions([readCase(1, "supported", inputs)]);
  [0.75, 0.2, 0.05].forEach((share, i) =>
    assert.ok(Math.abs(probabilities![VERDICT_LABELS[i]!] - share) < 1e-12)
  );
  assert.equal(
    networkPredictions([readCase(1, "supported", undefined)])[0]!.probabilities,
    undefined,
  );
});

Deno.test("weightsFile() seals a file that loads and says the same as the head", () => {
  const head = fitHead(CASES);
  const network = { path: "network.gguf", sha256: "a".repeat(64) };
  const weights = weightsFile(CASES, head, {
    network,
    gazetteer: [],
    trust: { sources: 0, bands: [] },
  });
  const read = parseTrainedWeights(JSON.stringify(weights), "w.json");
  assert.deepEqual(read.training.cases, { made: 90 });
  const inputs = CASES[5]!.inputs!;
  const [a, b] = [headProbabilities(inputs, head), headProbabilities(inputs, read)];
  for (const label of VERDICT_LABELS) assert.ok(Math.abs(a[label] - b[label]) < 1e-6);
});
