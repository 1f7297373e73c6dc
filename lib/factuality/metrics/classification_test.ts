import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../stats/random.ts";
import {
  accuracy,
  balancedAccuracy,
  confusionTable,
  f1,
  macroF1,
  type Outcome,
  precision,
  recall,
} from "./classification.ts";
import { classificationInterval } from "./classification_interval.ts";

type Pet = "cat" | "dog" | "fox";
const PETS: readonly Pet[] = ["cat", "dog", "fox"];

/** `cd` is a cat taken for a dog. */
function outcomes(words: string): Outcome<Pet>[] {
  const named = (letter: string | undefined) => PETS.find((pet) => pet[0] === letter)!;
  return words.split(" ").map((word) => ({ truth: named(word[0]), predicted: named(word[1]) }));
}

// By hand: 4 cats (3 right), 2 dogs (1 right), 2 foxes (0 right); taken for cat 4, dog 4, fox 0.
const TABLE = confusionTable(PETS, outcomes("cc cc cc cd dd dc fd fd"));

Deno.test("confusionTable() counts each pair of labels", () => {
  assert.deepEqual(TABLE.counts, [[3, 1, 0], [1, 1, 0], [0, 2, 0]]);
  assert.equal(TABLE.n, 8);
});

Deno.test("accuracy(), precision(), recall() and f1() are those worked by hand", () => {
  assert.equal(accuracy(TABLE), 4 / 8);
  assert.equal(precision(TABLE, "cat"), 3 / 4);
  assert.equal(recall(TABLE, "cat"), 3 / 4);
  assert.equal(precision(TABLE, "dog"), 1 / 4);
  assert.equal(recall(TABLE, "dog"), 1 / 2);
  assert.equal(f1(TABLE, "dog"), 2 / (2 + 4));
  assert.equal(f1(TABLE, "fox"), 0);
});

Deno.test("balancedAccuracy() and macroF1() give every label the same weight", () => {
  assert.equal(balancedAccuracy(TABLE), (3 / 4 + 1 / 2 + 0) / 3);
  assert.equal(macroF1(TABLE), (3 / 4 + 1 / 3 + 0) / 3);
});

Deno.test("a measure of a label without cases is unavailable, with the reason, and never 0", () => {
  const table = confusionTable(PETS, outcomes("cc cd dd"));
  assert.deepEqual(recall(table, "fox"), { kind: "unavailable", reason: "no case is fox" });
  assert.deepEqual(precision(TABLE, "fox"), {
    kind: "unavailable",
    reason: "no case was taken for fox",
  });
  assert.deepEqual(f1(table, "fox"), {
    kind: "unavailable",
    reason: "fox neither occurs nor was predicted",
  });
  assert.deepEqual(balancedAccuracy(table), { kind: "unavailable", reason: "no case is fox" });
  assert.deepEqual(accuracy(confusionTable(PETS, [])), {
    kind: "unavailable",
    reason: "no cases",
  });
});

Deno.test("confusionTable() refuses a label it does not know", () => {
  assert.throws(
    () => confusionTable<string>(["cat"], [{ truth: "cow", predicted: "cat" }]),
    { name: "RangeError", message: 'Cannot count outcomes: "cow" is none of cat.' },
  );
});

Deno.test("Requirement 12.4: accuracy is the mean of the recalls weighted by cases", () => {
  const pet = fc.constantFrom(...PETS);
  fc.assert(
    fc.property(fc.array(fc.record({ truth: pet, predicted: pet }), { minLength: 1 }), (made) => {
      const table = confusionTable(PETS, made);
      const weighted = PETS.reduce((total, label) => {
        const share = made.filter(({ truth }) => truth === label).length / made.length;
        const value = recall(table, label);
        return typeof value === "number" ? total + share * value : total;
      }, 0);
      assert.ok(Math.abs(weighted - (accuracy(table) as number)) < 1e-12);
    }),
    { numRuns: 200 },
  );
});

Deno.test("classificationInterval() resamples responses, holds its estimate, repeats by seed", () => {
  const clustered = outcomes("cc cd dd dd cc dc dd cc").map((outcome, i) => ({
    ...outcome,
    cluster: `response ${i >> 1}`,
  }));
  const pair: readonly Pet[] = ["cat", "dog"];
  const once = classificationInterval(pair, clustered, accuracy, randomSource(1));
  assert.deepEqual(once, classificationInterval(pair, clustered, accuracy, randomSource(1)));
  assert.ok(once.kind === "interval");
  assert.equal(once.estimate, 6 / 8);
  assert.equal(once.clusters, 4);
  assert.ok(once.low <= once.estimate && once.estimate <= once.high);
});
