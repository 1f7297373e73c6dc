import assert from "node:assert/strict";
import {
  type ClassifiedAnswer,
  measuredCsv,
  measuredRows,
  readMeasured,
} from "./measured_table.ts";

/** Of eight answers four abstain; the classifier misses one of them, and takes one answer for one. */
const ANSWERS: readonly ClassifiedAnswer[] = Array.from({ length: 8 }, (_, i) => ({
  cluster: `q${i}`,
  answer: i < 4 ? "I don't know." : "It is blue.",
  label: i < 4 ? "abstains" : "answers",
  probability: i < 3 || i === 7 ? 0.9 : 0.1,
}));
const ROWS = measuredRows("made", ANSWERS);
const of = (method: string, measure: string) =>
  ROWS.find((row) => row.method === method && row.measure === measure)!;

Deno.test("measuredRows() measures the classifier and what it has to be better than", () => {
  assert.equal(of("classifier", "accuracy").value, 0.75);
  assert.equal(of("list of phrases", "accuracy").value, 1);
  assert.equal(of("never abstains", "accuracy").value, 0.5);
  assert.deepEqual([of("classifier", "f1").abstaining, of("classifier", "f1").n], [4, 8]);
});

Deno.test("measuredRows() gives a share of 1 an interval, though all resamples are alike", () => {
  // Four of four: Wilson's lower bound is 4 / (4 + 1.96²).
  const { value, low, high } = of("list of phrases", "recall");
  assert.deepEqual([value, high], [1, 1]);
  assert.ok(Math.abs(Number(low) - 4 / (4 + 1.959964 ** 2)) < 1e-6);
});

Deno.test("measuredRows() has no precision of a method that never abstains, and says why", () => {
  assert.equal(of("never abstains", "precision").value, "");
  assert.notEqual(of("never abstains", "precision").reason, "");
});

Deno.test("readMeasured() reads what measuredCsv() writes", () => {
  const path = Deno.makeTempFileSync();
  Deno.writeTextFileSync(path, measuredCsv(ROWS));
  assert.deepEqual(readMeasured(path), ROWS);
  Deno.removeSync(path);
});
