import assert from "node:assert/strict";
import { VERDICT_LABELS } from "../verdicts/verdict.ts";
import { readBaselineSettings, readVerifierWeights } from "./weights_files.ts";

Deno.test("the weights that ship load: hash, features and labels are those of the code", () => {
  const weights = readVerifierWeights();
  assert.ok(weights.training.cases.train > 1_000);
  assert.ok(
    weights.gazetteer.some(({ name, also }) => name === "France" && also.includes("French")),
  );
});

Deno.test("the baselines' thresholds that ship load, and the shares are a distribution", () => {
  const { majority, overlap, cosine } = readBaselineSettings();
  const sum = VERDICT_LABELS.reduce((total, label) => total + majority[label], 0);
  assert.ok(Math.abs(sum - 1) < 1e-9);
  assert.ok(overlap.slope > 0 && cosine.slope > 0);
});

Deno.test("a weights file that is not there is said to be missing", () => {
  assert.throws(() => readVerifierWeights("no/such/weights.json"), Deno.errors.NotFound);
});
