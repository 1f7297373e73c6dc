import assert from "node:assert/strict";
import * as training from "./training.ts";

const told = (label: training.ClassifiedClaim["label"], supported: number, cluster: string) => (
  { label, supported, cluster }
);

/** Two supported claims, one of them accepted; four that are not, one of them accepted. */
const TOLD = [
  told("supported", 0.9, "a"),
  told("supported", 0.2, "b"),
  told("refuted", 0.6, "a"),
  told("refuted", 0.1, "b"),
  told("refuted", 0.3, "b"),
  told("not enough info", 0.4, "a"),
];

Deno.test("trustOf() has the mean of both recalls, of supported and of the rest", () => {
  const { accuracy, n } = training.trustOf("made", "verifier", TOLD);
  assert.ok(accuracy.kind === "interval");
  assert.deepEqual([accuracy.estimate, n], [(1 / 2 + 3 / 4) / 2, 6]);
});

Deno.test("passedShare() counts refuted claims alone, and says so where there are none", () => {
  const passed = training.passedShare(TOLD);
  assert.ok(passed.kind === "interval");
  assert.deepEqual([passed.estimate, passed.n], [1 / 3, 3]);
  assert.equal(training.passedShare(TOLD.slice(0, 2)).kind, "unavailable");
});
