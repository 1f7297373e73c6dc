import assert from "node:assert/strict";
import {
  VERIFIER_ANSWERS,
  VERIFIER_TRAINING,
  type VerifierAnswer,
} from "../../factuality/own/training/tables.ts";
import * as training from "./training.ts";

const prediction = (
  label: training.PredictedClaim["label"],
  supported: number,
  cluster: string,
) => (
  { label, supported, cluster }
);

/** Two supported claims, one of them accepted. Four that are not, one of them accepted. */
const PREDICTIONS = [
  prediction("supported", 0.9, "a"),
  prediction("supported", 0.2, "b"),
  prediction("refuted", 0.6, "a"),
  prediction("refuted", 0.1, "b"),
  prediction("refuted", 0.3, "b"),
  prediction("not enough info", 0.4, "a"),
];

Deno.test("trustOf() has the mean of both recalls, of supported and of the rest", () => {
  const { accuracy, n } = training.trustOf("made", "verifier", PREDICTIONS);
  assert.ok(accuracy.kind === "interval");
  assert.deepEqual([accuracy.estimate, n], [(1 / 2 + 3 / 4) / 2, 6]);
});

Deno.test("passedShare() counts refuted claims alone, and says so where there are none", () => {
  const passed = training.passedShare(PREDICTIONS);
  assert.ok(passed.kind === "interval");
  assert.deepEqual([passed.estimate, passed.n], [1 / 3, 3]);
  assert.equal(training.passedShare(PREDICTIONS.slice(0, 2)).kind, "unavailable");
});

Deno.test("pairedBalanced() is over the claims that both answered, by cluster", () => {
  const answers = (supported: readonly (number | "")[]) =>
    supported.map((probability, i): VerifierAnswer => ({
      ...{ set: "s", case_id: `${i}`, source: "s", cluster: `${i}`, verifier: "v" },
      label: i < 4 ? "supported" : "refuted",
      supported: probability,
      refuted: probability === "" ? "" : 0,
    }));
  // Recalls 3/4 and 3/3 against 2/4 and 1/3; the last claim has one answer only.
  const first = answers([0.9, 0.9, 0.9, 0.1, 0.1, 0.1, 0.1, 0.9]);
  const second = answers([0.9, 0.9, 0.1, 0.1, 0.1, 0.9, 0.9, ""]);
  const paired = training.pairedBalanced(first, second);
  assert.ok(paired.kind === "interval");
  assert.equal(paired.n, 7);
  assert.ok(Math.abs(paired.estimate - ((3 / 4 + 1) / 2 - (2 / 4 + 1 / 3) / 2)) < 1e-12);
  assert.ok(paired.low < paired.estimate && paired.estimate < paired.high && paired.high <= 1);
  assert.equal(training.pairedBalanced(first, []).kind, "unavailable");
});

Deno.test("heldOutSourcesTable() has a paired difference for every source and for made claims", () => {
  const table = training.heldOutSourcesTable(VERIFIER_TRAINING.read(), VERIFIER_ANSWERS.read());
  const rows = table.trim().split("\n").slice(2).map((line) =>
    line.split("|").slice(1, -1).map((cell) => cell.trim())
  );
  assert.ok(rows.length >= 15);
  const number = (cell: string) => Number(cell.split(" ")[0]!.replace("−", "-"));
  for (const [source, verifier, , , simple, , difference] of rows) {
    // halueval_qa has a claim that the verifier did not answer, so that pairs are one fewer.
    const apart = number(verifier!) - number(simple!) - number(difference!);
    assert.ok(Math.abs(apart) <= 0.016, `${source}: ${verifier} − ${simple} is not ${difference}`);
  }
});
