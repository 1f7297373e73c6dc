import assert from "node:assert/strict";
import { FEATURE_NAMES } from "../features/features.ts";
import { unscored } from "./run.ts";
import { verdict } from "./testdata/stand_ins.ts";
import { hallucinationKind } from "./unsupported_claims.ts";

const finding = (feature: string, speaksFor: "refuted" | "supported" = "refuted") => ({
  feature,
  words: "",
  speaksFor,
});

const refutedBy = (...features: string[]) =>
  verdict("refuted", { findings: features.map((feature) => finding(feature)) });

Deno.test("Requirement 8.8: the strongest finding against a refuted claim says what kind of mistake it is", () => {
  assert.equal(
    hallucinationKind(refutedBy("quantity.date_contradicted"), "factual"),
    "temporal inconsistency",
  );
  assert.equal(
    hallucinationKind(refutedBy("quantity.contradicted"), "temporal"),
    "numerical error",
  );
  assert.equal(
    hallucinationKind(refutedBy("name.swapped", "quantity.contradicted"), "numerical"),
    "factual error",
  );
});

Deno.test("Requirement 8.8: without a finding against it the claim's own kind says it", () => {
  const silent = verdict("refuted", { findings: [finding("overlap.top", "supported")] });
  assert.equal(hallucinationKind(silent, "temporal"), "temporal inconsistency");
  assert.equal(hallucinationKind(verdict("refuted"), "numerical"), "numerical error");
  assert.equal(hallucinationKind(verdict("refuted"), "factual"), "factual error");
});

Deno.test("what is not refuted is an unsupported claim", () => {
  assert.equal(hallucinationKind(verdict("not enough info"), "temporal"), "unsupported claim");
  assert.equal(hallucinationKind(unscored("x", "failure", "."), "factual"), "unsupported claim");
});

Deno.test("the names that dates and quantities are told by are names of features", () => {
  const names: readonly string[] = FEATURE_NAMES;
  assert.ok(names.some((name) => name.startsWith("quantity.date")));
  assert.ok(names.some((name) => /^quantity\.(?!date)/.test(name)));
});
