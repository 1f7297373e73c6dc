import assert from "node:assert/strict";
import { randomSource } from "../../stats/random.ts";
import type { CaseLabel } from "../datasets/labelled_case.ts";
import { FEATURE_NAMES } from "../features/features.ts";
import { headVerdict, parseTrainedWeights, weightsOf } from "../verifiers/head.ts";
import { type HeadSettings, ownHeadFile, type SplitCase, trainOwnHead } from "./own_head.ts";
import type { Split } from "./splits.ts";

const SETTINGS: HeadSettings = {
  labels: "binary",
  features: "readable",
  hidden: 0,
  l2: 0.001,
  classWeights: "balanced",
  patience: 5,
  maxIterations: 50,
  seed: 1,
};

const ORIGIN = { data: "made up", gazetteer: [], encoder: { name: "none", dimensions: 2 } };

/** Supported where the first feature is over ½; sentence vectors are equal then, else opposite. */
function someCases(count: number, labels: readonly CaseLabel[]): readonly SplitCase[] {
  const random = randomSource("cases");
  return Array.from({ length: count }, (_, i) => {
    const label = labels[i % labels.length]!;
    const isSupported = label === "supported";
    const first = (isSupported ? 0.5 : 0) + random.next() / 2;
    const [u, v] = [random.next(), random.next()];
    const split: Split = i % 5 === 0 ? "test" : i % 5 === 1 ? "development" : "train";
    const same = isSupported ? 1 : -1;
    const told = { id: `${i}`, claim: `claim ${i}`, passages: [], set: "made up" };
    return {
      case: { ...told, label, cluster: `${i % 15}` },
      vector: [...FEATURE_NAMES.map((_, k) => k === 0 ? first : 0), u, v, same * u, same * v],
      split,
    };
  });
}

Deno.test("Requirement 12.4: ownHeadFile() learns and measures, whatever the head reads and is", () => {
  const cases = someCases(150, ["supported", "refuted"]);
  for (const features of ["readable", "embeddings", "both"] as const) {
    for (const hidden of [0, 6]) {
      const weights = ownHeadFile(cases, { ...SETTINGS, features, hidden }, ORIGIN);
      const { heldOut, training, rest } = weights;
      assert.equal(heldOut.n, 30);
      assert.ok("estimate" in heldOut.f1 && heldOut.f1.estimate > 0.9, `${features} ${hidden}`);
      assert.ok("low" in heldOut.accuracy && heldOut.accuracy.low <= heldOut.accuracy.estimate);
      assert.deepEqual(training.cases, { train: 90, development: 30, test: 30 });
      assert.equal(rest, "refuted");
      assert.deepEqual(ownHeadFile(cases, { ...SETTINGS, features, hidden }, ORIGIN), weights);
    }
  }
});

Deno.test("Requirement 12.3: weights that were saved load and say the same", () => {
  const cases = someCases(60, ["supported", "refuted", "not enough info"]);
  const weights = ownHeadFile(cases, { ...SETTINGS, labels: "three-way", hidden: 3 }, ORIGIN);
  const read = parseTrainedWeights(JSON.stringify(weights), "own.json");
  const [vector] = cases.map((one) => one.vector!);
  assert.deepEqual(headVerdict(vector!, read), headVerdict(vector!, weightsOf(weights)));
});

Deno.test("ownHeadFile() counts claims without evidence as unscored, and hashes the data", () => {
  const cases = someCases(60, ["supported", "not supported"]);
  const weights = ownHeadFile(cases, SETTINGS, ORIGIN);
  assert.equal(weights.rest, "not enough info");
  const blank = cases.with(0, { ...cases[0]!, vector: undefined });
  assert.equal(ownHeadFile(blank, SETTINGS, ORIGIN).heldOut.unscored, 1);
  const other = cases.with(0, { ...cases[0]!, case: { ...cases[0]!.case, claim: "another" } });
  const { training } = ownHeadFile(other, SETTINGS, ORIGIN);
  assert.notEqual(training.dataSha256, weights.training.dataSha256);
});

Deno.test("trainOwnHead() says which labels are missing, or do not tell what is asked", () => {
  const train = (labels: readonly CaseLabel[], settings: Partial<HeadSettings> = {}) => () =>
    trainOwnHead(someCases(60, labels), { ...SETTINGS, ...settings });
  assert.throws(train(["supported"]), /no claim to learn from is not supported\.$/);
  const three = { labels: "three-way" } as const;
  assert.throws(train(["supported", "refuted"], three), /is not enough info\. Train a binary/);
  assert.throws(train(["supported", "not supported"], three), /: 3 is labelled "not supported"/);
});
