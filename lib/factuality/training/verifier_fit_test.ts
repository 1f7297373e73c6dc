import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { randomSource } from "../../stats/random.ts";
import { FEATURE_NAMES, FEATURES } from "../features/features.ts";
import { sourcePassage, VERDICT_LABELS, type VerdictLabel } from "../types.ts";
import { headVerdict, parseTrainedWeights } from "../verifiers/head.ts";
import type { KnowledgeCase } from "./knowledge_claims.ts";
import { measureVerdicts } from "./measures.ts";
import {
  baselineProbabilities,
  bestPenalty,
  FEATURE_GROUPS,
  fitBaselines,
  fitHead,
  measuredHead,
  ofSplit,
  runTraining,
  type VectorCase,
  weightsFile,
} from "./verifier_fit.ts";
import { caseVectors, openVectorStore, storedCases } from "./vectors.ts";

const FORMS = ["passage", "web"] as const;
const SPLIT = ["train", "train", "development", "test"] as const;

function madeCase(id: number, label: VerdictLabel): KnowledgeCase {
  return {
    id: String(id),
    claim: `claim ${id}`,
    passages: [sourcePassage("A source.")],
    label,
    cluster: `country ${id % 16}`,
    set: "made",
    split: SPLIT[id % 4]!,
    kind: "prose",
    edit: "number",
    form: FORMS[(id >> 2) % 2]!,
  };
}

/** The first feature tells what is supported, `quantity.contradicted` what is refuted. */
const CASES: readonly VectorCase[] = Array.from({ length: 240 }, (_, id) => {
  const random = randomSource(id);
  const label = VERDICT_LABELS[random.integer(3)]!;
  const noise = () => 0.3 * random.next();
  const values: number[] = FEATURE_NAMES.map(() => 0);
  values[0] = (label === "not enough info" ? 0 : 0.8) + noise();
  values[FEATURE_NAMES.indexOf("quantity.contradicted")] = (label === "refuted" ? 0.8 : 0) +
    noise();
  return { case: madeCase(id, label), vector: [...values, values[0]!, noise()] };
});

Deno.test("runTraining() learns what separates the labels, and sees which group it needs", () => {
  const run = runTraining(CASES);
  const test = measuredHead(ofSplit(CASES, "test"), run.head, "three-way");
  assert.ok(test.balancedAccuracy as number > 0.9, JSON.stringify(test));
  const without = new Map(run.ablations.map(({ group, measured }) => [group, measured]));
  assert.ok(without.get("quantity")!.balancedAccuracy as number < 0.8);
  assert.ok(without.get("negation")!.balancedAccuracy as number > 0.9);
  assert.equal(
    bestPenalty([{ l2: 1, balancedAccuracy: 0.7 }, { l2: 2, balancedAccuracy: 0.7 }]),
    2,
  );
});

Deno.test("fitHead() gives a group that is left out no weight", () => {
  const head = fitHead(CASES, 0.01, FEATURE_GROUPS.filter((group) => group !== "quantity"));
  FEATURES.forEach(({ group }, i) => {
    if (group === "quantity") assert.ok(head.output.coefficients.every((row) => row[i] === 0));
  });
  assert.ok(head.output.coefficients[0]![0]! !== 0);
});

Deno.test("weightsFile() seals a file that loads and says the same as the head", () => {
  const run = runTraining(CASES);
  const weights = weightsFile(CASES, run, { seed: 1, encoder: "none", gazetteer: [] });
  const read = parseTrainedWeights(JSON.stringify(weights), "w.json");
  assert.equal(read.training.cases.test, 60);
  const values = CASES[5]!.vector!.slice(0, FEATURE_NAMES.length);
  const [a, b] = [headVerdict(values, run.head), headVerdict(values, read)];
  for (const label of VERDICT_LABELS) assert.ok(Math.abs(a[label] - b[label]) < 1e-6);
});

Deno.test("fitBaselines() takes shares and thresholds of the development split", () => {
  const settings = fitBaselines(CASES);
  const development = ofSplit(CASES, "development");
  const supported = development.filter((one) => one.case.label === "supported").length;
  assert.equal(settings.majority.supported, supported / development.length);
  const said = baselineProbabilities([...FEATURE_NAMES.map(() => 0), 1, 0], settings);
  assert.ok(said["word overlap"].supported > 0.5 || settings.overlap.slope < 0);
});

Deno.test("measureVerdicts() reads both ways, and counts what is unscored", () => {
  const judged = (label: VerdictLabel, supported: number | undefined, i: number) => ({
    label,
    cluster: String(i),
    probabilities: supported === undefined ? undefined : {
      supported,
      refuted: (1 - supported) * 0.75,
      "not enough info": (1 - supported) * 0.25,
    },
  });
  // By hand: at ½ the second is taken for "not supported" and is the one wrong of four.
  const cases = [
    judged("supported", 0.9, 1),
    judged("supported", 0.4, 2),
    judged("refuted", 0.1, 3),
    judged("not enough info", 0.2, 4),
    judged("refuted", undefined, 5),
  ];
  const binary = measureVerdicts(cases, "binary", randomSource(1));
  assert.equal(binary.n, 4);
  assert.equal(binary.unscored, 1);
  assert.equal(binary.accuracy, 0.75);
  assert.equal(binary.balancedAccuracy, (0.5 + 1) / 2);
  const threeWay = measureVerdicts(cases, "three-way", randomSource(1));
  assert.equal(threeWay.balancedAccuracy, (0.5 + 1 + 0) / 3);
});

Deno.test("caseVectors() reads a source once for neighbours, and nothing that is stored, kill or no kill", () =>
  inFolder(async (folder) => {
    const path = join(folder, "cache", "vectors.txt");
    const cases = [madeCase(1, "supported"), madeCase(2, "refuted")];
    let [reads, made] = [0, 0];
    const read = () => {
      reads++;
      return (claim: string) => Promise.resolve(claim === "claim 1" ? [1, 0.5] : undefined);
    };
    const vectors = async () => {
      using store = openVectorStore(path);
      return await caseVectors(cases, { store, read, onCase: () => void made++ });
    };
    assert.deepEqual(await vectors(), [[1, 0.5], undefined]);
    assert.deepEqual(await vectors(), [[1, 0.5], undefined]);
    assert.deepEqual([reads, made], [1, 2]);
    // A kill in the middle of the second line.
    Deno.truncateSync(path, Deno.statSync(path).size - 3);
    assert.deepEqual(await vectors(), [[1, 0.5], undefined]);
    assert.deepEqual([reads, made], [2, 3]);
    using store = openVectorStore(path);
    assert.equal(storedCases(cases, store), 2);
  }));
