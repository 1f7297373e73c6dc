import assert from "node:assert/strict";
import fc from "fast-check";
import { decide, isAccepted, scoredVerdict } from "./decision.ts";
import type { VerdictProbabilities } from "./types.ts";

const shares = (supported: number, refuted: number): VerdictProbabilities => {
  return { supported, refuted, "not enough info": 1 - supported - refuted };
};

Deno.test("decide() accepts from one half on, and else names the more probable of the rest", () => {
  assert.equal(decide(shares(0.5, 0.5)), "supported");
  // The most probable label, but below half: a rejected claim is not labelled as supported.
  assert.equal(decide(shares(0.48, 0.3)), "refuted");
  assert.equal(decide(shares(0.4, 0.2)), "not enough info");
  assert.equal(decide(shares(0.2, 0.4)), "refuted");
});

Deno.test("decide(): a verdict's label and whether it counts as accepted never differ", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(100), (supported, part) => {
      const probabilities = shares(supported, (1 - supported) * part / 100);
      const provenance = { producedBy: "test", modelSha256: undefined, promptSha256: undefined };
      const { label } = scoredVerdict({ probabilities, evidence: [], provenance });
      assert.equal(label === "supported", isAccepted(supported));
    }),
  );
});
