import assert from "node:assert/strict";
import { FEATURE_NAMES } from "../features/features.ts";
import type { ClaimKind, HallucinationKind, Verdict } from "../types.ts";
import { hallucinationKind } from "./evaluate.ts";
import { unscored } from "./run.ts";
import { verdict } from "./testdata/stand_ins.ts";

const refutedBy = (...features: string[]) =>
  verdict("refuted", {
    findings: features.map((feature) => ({ feature, words: "", speaksFor: "refuted" })),
  });

/** A verdict on a claim of a kind, and the kind of mistake that it is. */
const KINDS: readonly (readonly [Verdict, ClaimKind, HallucinationKind])[] = [
  [refutedBy("quantity.date_contradicted"), "factual", "temporal inconsistency"],
  [refutedBy("quantity.contradicted"), "temporal", "numerical error"],
  [refutedBy("name.swapped", "quantity.contradicted"), "numerical", "factual error"],
  [verdict("refuted"), "temporal", "temporal inconsistency"],
  [verdict("refuted"), "numerical", "numerical error"],
  [verdict("refuted"), "factual", "factual error"],
  [verdict("not enough info"), "temporal", "unsupported claim"],
  [unscored("x", "failure", "."), "factual", "unsupported claim"],
];

Deno.test("Requirement 8.8: the strongest finding against a refuted claim, else its own kind, says what kind of mistake it is", () => {
  for (const [said, kind, mistake] of KINDS) assert.equal(hallucinationKind(said, kind), mistake);
  // The names that dates and quantities are told by are names of features.
  assert.ok(FEATURE_NAMES.some((name) => name.startsWith("quantity.date")));
  assert.ok(FEATURE_NAMES.some((name) => /^quantity\.(?!date)/.test(name)));
});
