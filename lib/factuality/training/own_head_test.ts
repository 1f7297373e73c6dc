import assert from "node:assert/strict";
import { randomSource } from "../../stats/random.ts";
import type { CaseLabel } from "../datasets/labelled_case.ts";
import { FEATURE_NAMES } from "../features/features.ts";
import { headVerdict, parseTrainedWeights, weightsOf } from "../verifiers/head.ts";
import { measureHead } from "./measures.ts";
import { type HeadSettings, ownHeadFile, type SplitCase, trainOwnHead } from "./own_head.ts";
import type { Split } from "./splits.ts";

const DIMENSIONS = 2;

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

const ORIGIN = {
  data: "made up",
  gazetteer: [],
  encoder: { name: "none", dimensions: DIMENSIONS },
};

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
    return {
      case: {
        id: `${i}`,
        claim: `claim ${i}`,
        passages: [],
        label,
        cluster: `${i % 15}`,
        set: "made up",
      },
      vector: [...FEATURE_NAMES.map((_, k) => k === 0 ? first : 0), u, v, same * u, same * v],
      split,
    };
  });
}

for (const features of ["readable", "embeddings", "both"] as const) {
  for (const hidden of [0, 6]) {
    Deno.test(`Requirement 12.4: ownHeadFile() learns and measures: ${features}, ${hidden} hidden`, () => {
      const cases = someCases(150, ["supported", "refuted"]);
      const settings = { ...SETTINGS, features, hidden };
      const weights = ownHeadFile(cases, settings, ORIGIN);
      const { heldOut, training, rest } = weights;
      assert.equal(heldOut.n, 30);
      assert.ok("estimate" in heldOut.f1 && heldOut.f1.estimate > 0.9);
      assert.ok("low" in heldOut.accuracy && heldOut.accuracy.low <= heldOut.accuracy.estimate);
      assert.deepEqual(training.cases, { train: 90, development: 30, test: 30 });
      assert.equal(rest, "refuted");
      assert.deepEqual(ownHeadFile(cases, settings, ORIGIN), weights);
    });
  }
}

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
  const blank = cases.map((one, i) => i === 0 ? { ...one, vector: undefined } : one);
  assert.equal(ownHeadFile(blank, SETTINGS, ORIGIN).heldOut.unscored, 1);
  const other = cases.map((one, i) =>
    i === 0 ? { ...one, case: { ...one.case, claim: "another" } } : one
  );
  assert.notEqual(
    ownHeadFile(other, SETTINGS, ORIGIN).training.dataSha256,
    weights.training.dataSha256,
  );
});

Deno.test("trainOwnHead() says which labels are missing, or do not tell what is asked", () => {
  const train = (labels: readonly CaseLabel[], settings: Partial<HeadSettings> = {}) => () =>
    trainOwnHead(someCases(60, labels), { ...SETTINGS, ...settings });
  assert.throws(train(["supported"]), /no claim to learn from is not supported\.$/);
  const three = { labels: "three-way" } as const;
  assert.throws(train(["supported", "refuted"], three), /is not enough info\. Train a binary/);
  assert.throws(
    train(["supported", "not supported"], three),
    /: 3 is labelled "not supported", which/,
  );
});

Deno.test("measureHead() is worked by hand, and says why a figure is missing", () => {
  const four = [[0.9, "supported"], [0.6, "refuted"], [0.2, "not supported"], [0.4, "supported"]];
  const judged = Array.from({ length: 10 }, () => four).flat()
    .map(([share, label], i) => ({
      label: label as CaseLabel,
      cluster: `${i}`,
      probabilities: {
        supported: share as number,
        refuted: 0,
        "not enough info": 1 - (share as number),
      },
    }));
  const { n, clusters, accuracy, precision, recall, f1, brier, calibrationError } = measureHead(
    judged,
    "binary",
    randomSource(1),
  );
  const estimates = [accuracy, precision, recall, f1].map((figure) =>
    "estimate" in figure ? figure.estimate : figure.unavailable
  );
  assert.deepEqual([n, clusters, ...estimates], [40, 40, 0.5, 0.5, 0.5, 0.5]);
  // Twice the mean of 0.1², 0.6², 0.2², 0.6².
  assert.ok("estimate" in brier && Math.abs(brier.estimate - 0.385) < 1e-9);
  // Bins: 0.6 wrong twice (gap 0.6, share ½), 0.8 and 0.9 right (gaps 0.2 and 0.1, a quarter each).
  assert.ok("estimate" in calibrationError);
  assert.ok(Math.abs(calibrationError.estimate - 0.375) < 1e-9);
  const single = measureHead(judged.slice(0, 1), "binary", randomSource(1));
  assert.deepEqual(single.accuracy, {
    estimate: 1,
    noInterval: "a single cluster says nothing about others",
  });
  assert.ok("unavailable" in single.balancedAccuracy);
});
