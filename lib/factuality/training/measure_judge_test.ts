import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../stats/random.ts";
import { weightFromAccuracy } from "../judges/ensemble.ts";
import { type JudgedClaim, measureJudge } from "./measure_judge.ts";

/** A claim a cluster: those at even places are supported. */
function claims(scores: readonly number[]): readonly JudgedClaim[] {
  return scores.map((score, i) => ({ cluster: `c${i}`, supported: i % 2 === 0, score }));
}

const written = (scores: readonly number[]) =>
  measureJudge(claims(scores), { readout: "generation", on: "made", random: randomSource(1) });

const read = (scores: readonly number[]) =>
  measureJudge(claims(scores), { readout: "next-token", on: "made", random: randomSource(1) });

Deno.test("measureJudge() by hand: written scores count from 50 on", () => {
  // Supported: 90, 50, 40 → two of three right; others: 10, 60, 20 → two of three.
  const { measured, areaUnderCurve, scaling } = written([90, 10, 50, 60, 40, 20]);
  assert.ok(Math.abs(measured.balancedAccuracy - 2 / 3) < 1e-12);
  assert.deepEqual([measured.n, measured.on], [6, "made"]);
  // Of nine pairs, 90 wins three, 50 and 40 two each.
  assert.ok(Math.abs(areaUnderCurve - 7 / 9) < 1e-12);
  assert.equal(scaling, undefined);
});

Deno.test("measureJudge() gives a judge that always says the same no weight", () => {
  const { measured, areaUnderCurve } = written(Array(40).fill(100));
  assert.deepEqual([measured.balancedAccuracy, measured.low, measured.high], [0.5, 0.5, 0.5]);
  assert.equal(areaUnderCurve, 0.5);
  assert.equal(weightFromAccuracy(measured), 0);
});

Deno.test("measureJudge() finds the threshold of a judge whose scores are all high", () => {
  const scores = Array.from({ length: 60 }, (_, i) => i % 2 === 0 ? 97 + (i % 3) : 90 + (i % 5));
  assert.equal(written(scores).measured.balancedAccuracy, 0.5);
  const { measured, scaling } = read(scores);
  assert.equal(measured.balancedAccuracy, 1);
  assert.ok(scaling!.slope > 0);
});

Deno.test("measureJudge() refuses claims of one label", () => {
  const alike = claims([80, 20, 70]).map((claim) => ({ ...claim, supported: true }));
  const options = { readout: "generation", on: "made", random: randomSource(1) } as const;
  assert.throws(() => measureJudge(alike, options), /Cannot measure a judge on 3 claims/);
});

Deno.test("Requirement 13.2: accuracy lies within its interval, the interval within 0 and 1", () => {
  const scores = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 40, maxLength: 60 });
  fc.assert(
    fc.property(scores, fc.boolean(), (list, calibrate) => {
      const { measured: { low, balancedAccuracy, high }, areaUnderCurve } = calibrate
        ? read(list)
        : written(list);
      assert.ok(0 <= low && low <= balancedAccuracy && balancedAccuracy <= high && high <= 1);
      assert.ok(areaUnderCurve >= 0 && areaUnderCurve <= 1);
    }),
    { numRuns: 100 },
  );
});
