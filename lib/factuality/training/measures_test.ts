import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../stats/random.ts";
import { measureScore, type ScoredClaim } from "./measures.ts";

/** A claim a cluster: those at even places are supported. */
function claims(scores: readonly number[]): readonly ScoredClaim[] {
  return scores.map((score, i) => ({
    cluster: `c${i}`,
    label: i % 2 === 0 ? "supported" : i % 4 === 1 ? "refuted" : "not enough info",
    score,
  }));
}

const measured = (scores: readonly number[]) =>
  measureScore(claims(scores), { on: "made", random: randomSource(1) });

Deno.test("measureScore() by hand: the area is the share of pairs in the right order", () => {
  const { areaUnderCurve, measured: { n, on } } = measured([9, 1, 5, 6, 4, 2, 8, 3, 7, 0]);
  // Of 25 pairs of 9, 5, 4, 8, 7 with 1, 6, 2, 3, 0, those of 5 and 4 with 6 are in the wrong order.
  assert.ok(Math.abs(areaUnderCurve - 23 / 25) < 1e-12);
  assert.deepEqual([n, on], [10, "made"]);
});

Deno.test("measureScore() finds a threshold below zero, and on what it has not seen", () => {
  const scores = Array.from({ length: 60 }, (_, i) => i % 2 === 0 ? -1 + i / 1000 : -2 + i / 1000);
  const { calibration, measured: { balancedAccuracy } } = measured(scores);
  assert.equal(balancedAccuracy, 1);
  assert.ok(calibration.threshold < -1 && calibration.threshold > -2 + 0.059);
  assert.equal(calibration.refutedShare, 0.5);
});

Deno.test("Requirement 13.2: a score that knows nothing is not measured as one that does", () => {
  const seeds = fc.integer({ min: 0, max: 10_000 });
  fc.assert(
    fc.property(seeds, (seed) => {
      const random = randomSource(seed);
      const { measured: { low, balancedAccuracy, high } } = measured(
        Array.from({ length: 40 }, () => random.next()),
      );
      assert.ok(0 <= low && low <= balancedAccuracy && balancedAccuracy <= high && high <= 1);
      assert.ok(low < 0.75);
    }),
    { numRuns: 100 },
  );
});
