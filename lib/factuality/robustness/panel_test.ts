import assert from "node:assert/strict";
import fc from "fast-check";
import { judgement } from "../evaluate/testdata/stand_ins.ts";
import { aggregate } from "../judges/ensemble.ts";
import { AGGREGATION_STRATEGIES, sourcePassage } from "../types.ts";
import { panelScores } from "./panel.ts";
import { fakePanel } from "./testdata/fake_panel.ts";

const CLAIMS = ["One.", "Two wrong."];
const scoresOf = (panel: ReturnType<typeof fakePanel>) => {
  const text = { text: CLAIMS.join(" "), claims: CLAIMS, passages: [sourcePassage("One. Two.")] };
  return panelScores(panel, text, new AbortController().signal);
};

Deno.test("panelScores() gives verifier, judges and ensemble in points: worked by hand", async () => {
  const scores = await scoresOf(fakePanel([() => 40, () => 80]));
  assert.deepEqual(scores.map(({ component, score }) => [component, score]), [
    ["trained verifier (share supported)", 50],
    ["trained verifier (mean probability)", 45],
    ["judge 1 (next word)", 40],
    ["judge 2 (next word)", 80],
    ["ensemble of judges", 60],
  ]);
  const none = await scoresOf(fakePanel([() => undefined]));
  const why = none.slice(2).map(({ status, score }) => [status, score]);
  assert.deepEqual(why, Array(2).fill(["malformed answer", undefined]));
});

Deno.test("Requirement 10.1: the order of the judges does not change the ensemble's score", () => {
  const points = fc.double({ min: 0, max: 100, noNaN: true });
  const judged = fc.array(fc.tuple(points, fc.nat(9)), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(judged, fc.constantFrom(...AGGREGATION_STRATEGIES), (pairs, strategy) => {
      const [one, other] = [pairs, pairs.toReversed()].map((all) =>
        aggregate(all.map(([score]) => judgement(score)), strategy, all.map(([, n]) => n + 1))
      );
      assert.ok(one?.kind === "scored" && other?.kind === "scored");
      assert.ok(Math.abs(one.score - other.score) < 1e-9);
    }),
    { numRuns: 200 },
  );
});
