import assert from "node:assert/strict";
import fc from "fast-check";
import { unavailable } from "../../stats/agreement.ts";
import { accuracy, balancedAccuracy, brierScore, calibrationError } from "./classification.ts";
import {
  confusionTable,
  f1,
  type LabelledPrediction,
  macroF1,
  precision,
} from "./classification.ts";
import { recall, reliabilityBins } from "./classification.ts";

type Pet = "cat" | "dog" | "fox";
const PETS: readonly Pet[] = ["cat", "dog", "fox"];

/** `cd` is a cat taken for a dog. */
function outcomes(words: string): LabelledPrediction<Pet>[] {
  const named = (letter: string | undefined) => PETS.find((pet) => pet[0] === letter)!;
  return words.split(" ").map((word) => ({ truth: named(word[0]), predicted: named(word[1]) }));
}

// By hand: 4 cats (3 right), 2 dogs (1 right), 2 foxes (0 right); taken for cat 4, dog 4, fox 0.
const TABLE = confusionTable(PETS, outcomes("cc cc cc cd dd dc fd fd"));

Deno.test("accuracy(), precision(), recall(), f1() and their means are those worked by hand", () => {
  assert.deepEqual(TABLE.counts, [[3, 1, 0], [1, 1, 0], [0, 2, 0]]);
  assert.equal(accuracy(TABLE), 4 / 8);
  assert.deepEqual([precision(TABLE, "cat"), recall(TABLE, "cat")], [3 / 4, 3 / 4]);
  assert.deepEqual([precision(TABLE, "dog"), recall(TABLE, "dog")], [1 / 4, 1 / 2]);
  assert.deepEqual([f1(TABLE, "dog"), f1(TABLE, "fox")], [2 / (2 + 4), 0]);
  assert.equal(balancedAccuracy(TABLE), (3 / 4 + 1 / 2 + 0) / 3);
  assert.equal(macroF1(TABLE), (3 / 4 + 1 / 3 + 0) / 3);
});

Deno.test("a measure of a label without cases is unavailable, with the reason, and never 0", () => {
  const table = confusionTable(PETS, outcomes("cc cd dd"));
  for (const found of [recall(table, "fox"), balancedAccuracy(table)]) {
    assert.deepEqual(found, unavailable("no case is fox"));
  }
  assert.deepEqual(precision(TABLE, "fox"), unavailable("no case was taken for fox"));
  assert.deepEqual(f1(table, "fox"), unavailable("fox neither occurs nor was predicted"));
  assert.deepEqual(accuracy(confusionTable(PETS, [])), unavailable("no cases"));
});

const FORECASTS = [
  { confidence: 0.95, right: true },
  { confidence: 0.95, right: false },
  { confidence: 0.55, right: true },
  { confidence: 1, right: true },
];

Deno.test("calibrationError() is the gap of each bin weighted by its share of cases", () => {
  const bins = reliabilityBins(FORECASTS);
  assert.deepEqual(bins.map((bin) => bin.n), [0, 0, 0, 0, 0, 1, 0, 0, 0, 3]);
  assert.deepEqual([bins[9]?.share, bins[0]?.share], [2 / 3, undefined]);
  // By hand: bin 0.5–0.6: |1 − 0.55|·¼; bin 0.9–1: |2/3 − 2.9/3|·¾.
  const expected = 0.45 / 4 + (0.9 / 3) * 0.75;
  assert.ok(Math.abs((calibrationError(FORECASTS) as number) - expected) < 1e-12);
});

Deno.test("brierScore() is 0 for certainty, 2 for certain error, 1 − 1/K for ignorance", () => {
  const labels = ["a", "b", "c"] as const;
  const score = (a: number, b: number, c: number) =>
    brierScore(labels, [{ probabilities: { a, b, c }, truth: "a" }]);
  assert.equal(score(1, 0, 0), 0);
  assert.equal(score(0, 1, 0), 2);
  assert.ok(Math.abs((score(1 / 3, 1 / 3, 1 / 3) as number) - 2 / 3) < 1e-12);
});

Deno.test("Requirement 13.2: the calibration error of any forecasts is in 0–1", () => {
  const confidence = fc.double({ min: 0, max: 1, noNaN: true });
  const forecast = fc.record({ confidence, right: fc.boolean() });
  fc.assert(
    fc.property(fc.array(forecast, { minLength: 1 }), (forecasts) => {
      const error = calibrationError(forecasts) as number;
      assert.ok(error >= 0 && error <= 1);
    }),
    { numRuns: 200 },
  );
});
