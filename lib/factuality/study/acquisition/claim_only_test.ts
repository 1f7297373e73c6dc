import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../../stats/random.ts";
import type { LabelledCase } from "../../cases/labelled_case.ts";
import { measureClaimOnly, trainClaimOnly } from "./claim_only.ts";

const one = (claim: string, label: LabelledCase["label"], cluster = "a"): LabelledCase => ({
  ...{ id: claim, claim, label, cluster },
  ...{ passages: [], set: "made" },
});

Deno.test("trainClaimOnly() gives the odds of naive Bayes, worked by hand", () => {
  const model = trainClaimOnly([one("Yes", "supported"), one("No no", "refuted")]);
  // Terms known: yes, no, "no no". P(yes | supported) = 2/4, P(yes | others) = 1/6.
  assert.ok(Math.abs(model("yes") - (2 / 4) / (2 / 4 + 1 / 6)) < 1e-12);
  assert.equal(model("maybe"), 0.5);
});

Deno.test("trainClaimOnly() knows a number by its shape", () => {
  const model = trainClaimOnly([one("in 1961", "supported"), one("in 1,961", "refuted")]);
  assert.ok(model("1825") > 0.5);
  assert.ok(model("1,825") < 0.5);
});

Deno.test("measureClaimOnly() finds nothing where each claim is supported as often as not", () => {
  const cases = ["Ada sang.", "Bo sang.", "Cy lived in Oslo."].flatMap((claim) => [
    one(claim, "supported", claim),
    one(claim, "refuted", claim),
  ]);
  const found = measureClaimOnly(trainClaimOnly(cases), cases, randomSource(1));
  assert.equal(found.balancedAccuracy, 0.5);
  assert.equal(found.n, 6);
});

Deno.test("trainClaimOnly() gives a probability for any text", () => {
  const model = trainClaimOnly([one("Ada sang in 1815.", "supported"), one("No.", "refuted")]);
  fc.assert(
    fc.property(fc.string(), (claim) => {
      const probability = model(claim);
      assert.ok(probability >= 0 && probability <= 1);
    }),
    { numRuns: 200 },
  );
});
