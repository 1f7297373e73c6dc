import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { randomSource } from "../../stats/random.ts";
import { FEATURE_NAMES, FEATURES } from "../features/features.ts";
import { sourcePassage, VERDICT_LABELS, type VerdictLabel } from "../types.ts";
import { headVerdict, parseTrainedWeights } from "../verifiers/head.ts";
import type { KnowledgeCase } from "./knowledge_claims.ts";
import { FEATURE_GROUPS, fitBaselines, fitHead, measuredHead } from "./verifier_fit.ts";
import { ofSplit, runTraining, type VectorCase, weightsFile } from "./verifier_fit.ts";
import { caseVectors } from "./vectors.ts";

function madeCase(id: number, label: VerdictLabel): KnowledgeCase {
  const split = (["train", "train", "development", "test"] as const)[id % 4]!;
  const form = (["passage", "web"] as const)[(id >> 2) % 2]!;
  const how = { set: "made", split, kind: "prose", edit: "number", form } as const;
  const claim = { id: String(id), claim: `claim ${id}`, passages: [sourcePassage("A source.")] };
  return { ...claim, label, cluster: `country ${id % 16}`, ...how };
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
  const best = Math.max(...run.trials.map(({ balancedAccuracy }) => balancedAccuracy));
  assert.equal(run.trials.findLast((one) => one.balancedAccuracy === best)!.l2, run.l2);
  const { majority, overlap } = fitBaselines(CASES);
  const development = ofSplit(CASES, "development").map((one) => one.case.label);
  const supported = development.filter((label) => label === "supported");
  assert.equal(majority.supported, supported.length / development.length);
  assert.ok(overlap.slope > 0);
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

Deno.test("caseVectors() reads a source once for neighbours, and nothing that is stored, kill or no kill", () =>
  inFolder(async (folder) => {
    const path = join(folder, "cache", "vectors.txt");
    const cases = [madeCase(1, "supported"), madeCase(2, "refuted")];
    let [reads, made] = [0, 0];
    const vectors = () =>
      caseVectors("made", cases, path, () => {
        reads++;
        return (claim) => {
          made++;
          return Promise.resolve(claim === "claim 1" ? [1, 0.5] : undefined);
        };
      });
    assert.deepEqual(await vectors(), [[1, 0.5], undefined]);
    assert.deepEqual(await vectors(), [[1, 0.5], undefined]);
    assert.deepEqual([reads, made], [1, 2]);
    // A kill in the middle of the second line.
    Deno.truncateSync(path, Deno.statSync(path).size - 3);
    assert.deepEqual(await vectors(), [[1, 0.5], undefined]);
    assert.deepEqual([reads, made], [2, 3]);
  }));
