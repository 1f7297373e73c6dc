import assert from "node:assert/strict";
import fc from "fast-check";
import { brierScore, calibrationError, reliabilityBins } from "./calibration.ts";

const FORECASTS = [
  { confidence: 0.95, right: true },
  { confidence: 0.95, right: false },
  { confidence: 0.55, right: true },
  { confidence: 1, right: true },
];

Deno.test("reliabilityBins() puts a confidence of 1 into the last bin", () => {
  const bins = reliabilityBins(FORECASTS);
  assert.deepEqual(bins.map((bin) => bin.n), [0, 0, 0, 0, 0, 1, 0, 0, 0, 3]);
  assert.equal(bins[9]?.share, 2 / 3);
  assert.equal(bins[0]?.share, undefined);
});

Deno.test("calibrationError() is the gap of each bin weighted by its share of cases", () => {
  // By hand: bin 0.5–0.6: |1 − 0.55|·¼; bin 0.9–1: |2/3 − 2.9/3|·¾.
  const expected = 0.45 / 4 + (0.9 / 3) * 0.75;
  assert.ok(Math.abs((calibrationError(FORECASTS) as number) - expected) < 1e-12);
});

Deno.test("calibrationError() and brierScore() are unavailable without forecasts", () => {
  assert.deepEqual(calibrationError([]), { kind: "unavailable", reason: "no forecasts" });
  assert.deepEqual(brierScore(["a"], []), { kind: "unavailable", reason: "no forecasts" });
});

Deno.test("brierScore() is 0 for certainty, 2 for certain error, 1 − 1/K for ignorance", () => {
  const labels = ["a", "b", "c"] as const;
  const score = (a: number, b: number, c: number) =>
    brierScore(labels, [{ probabilities: { a, b, c }, truth: "a" }]);
  assert.equal(score(1, 0, 0), 0);
  assert.equal(score(0, 1, 0), 2);
  assert.ok(Math.abs((score(1 / 3, 1 / 3, 1 / 3) as number) - 2 / 3) < 1e-12);
});

Deno.test("a confidence outside 0–1 is an error", () => {
  assert.throws(() => calibrationError([{ confidence: 1.2, right: true }]), RangeError);
});

Deno.test("Requirement 13.2: the calibration error of any forecasts is in 0–1", () => {
  const forecast = fc.record({
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    right: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(forecast, { minLength: 1 }), (forecasts) => {
      const error = calibrationError(forecasts) as number;
      assert.ok(error >= 0 && error <= 1);
    }),
    { numRuns: 200 },
  );
});
