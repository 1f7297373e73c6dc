import assert from "node:assert/strict";
import fc from "fast-check";
import { aggregate } from "../judges/ensemble.ts";
import { AGGREGATION_STRATEGIES, type Judgement, sourcePassage } from "../types.ts";
import { panelScores } from "./panel.ts";
import { fakePanel } from "./testdata/fake_panel.ts";

const NEVER = new AbortController().signal;

const TEXT = {
  text: "One. Two wrong.",
  ...{ claims: ["One.", "Two wrong."], passages: [sourcePassage("One. Two.")] },
};

Deno.test("panelScores() gives verifier, judges and ensemble in points: worked by hand", async () => {
  const scores = await panelScores(fakePanel([() => 40, () => 80]), TEXT, NEVER);
  assert.deepEqual(scores.map(({ component, score }) => [component, score]), [
    ["trained verifier (share supported)", 50],
    ["trained verifier (mean probability)", 55.00000000000001],
    ["judge 1 (next word)", 40],
    ["judge 2 (next word)", 80],
    ["ensemble of judges", 60],
  ]);
});

Deno.test("panelScores() leaves unscored what gave no score, and says why", async () => {
  const panel = fakePanel([() => undefined]);
  const scores = await panelScores(panel, TEXT, NEVER);
  assert.deepEqual(scores.slice(2).map(({ status, score }) => [status, score]), [
    ["malformed answer", undefined],
    ["malformed answer", undefined],
  ]);
});

const scored = (score: number): Judgement => ({
  ...{ kind: "scored", score, reasoning: "", flagged: [], parse: "not parsed" },
  provenance: { producedBy: "j", modelSha256: undefined, promptSha256: undefined },
});

Deno.test("Requirement 10.1: the order of the judges does not change the ensemble's score", () => {
  const judged = fc.array(fc.tuple(fc.double({ min: 0, max: 100, noNaN: true }), fc.nat(9)), {
    ...{ minLength: 1, maxLength: 6 },
  });
  fc.assert(
    fc.property(judged, fc.constantFrom(...AGGREGATION_STRATEGIES), (pairs, strategy) => {
      const of = (all: typeof pairs) =>
        aggregate(
          all.map(([score]) => scored(score)),
          strategy,
          all.map(([, weight]) => weight + 1),
        );
      const [one, other] = [of(pairs), of(pairs.toReversed())];
      assert.ok(one.kind === "scored" && other.kind === "scored");
      assert.ok(Math.abs(one.score - other.score) < 1e-9);
    }),
    { numRuns: 200 },
  );
});
