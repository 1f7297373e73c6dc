import assert from "node:assert/strict";
import { detectSignal, dPrimeFromRates, type TwoOrderAnswers } from "./detection.ts";

function near(actual: number, expected: number, tolerance = 1e-9) {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);
}

const answers = (a: number, nA: number, b: number, nB: number): TwoOrderAnswers => (
  { grammaticalAtA: { answeredA: a, n: nA }, grammaticalAtB: { answeredA: b, n: nB } }
);

Deno.test("dPrimeFromRates() gives the published d′ of an unbiased 2AFC, and one with a bias worked by hand", () => {
  // Hacker & Ratcliff 1979 (also Macmillan & Creelman 2005, table A5.7), m = 2: d′ by p(c).
  const published = [[0.55, 0.18], [0.60, 0.36], [0.75, 0.95], [0.90, 1.81], [0.95, 2.33]] as const;
  for (const [correct, dPrime] of published) {
    const detection = dPrimeFromRates(correct, 1 - correct);
    near(detection.dPrime, dPrime, 0.005);
    near(detection.positionBias, 0);
  }
  // z(.8) = .8416212336, z(.4) = −.2533471031: d′ = 1.0949683367 / √2, bias = .5882741305 / 2.
  const detection = dPrimeFromRates(0.8, 0.4);
  near(detection.dPrime, 0.774259536, 1e-9);
  near(detection.positionBias, 0.29413706523, 1e-9);
});

Deno.test("detectSignal() corrects rates log-linearly, so that a perfect judge has a finite d′", () => {
  // 10 of 10 and 0 of 10: 10.5 / 11 and 0.5 / 11; z = ±1.6906216295849.
  const detection = detectSignal(answers(10, 10, 0, 10));
  assert.ok(detection.kind === "detection");
  near(detection.dPrime, 2 * 1.6906216295849 / Math.SQRT2, 1e-9);
  near(detection.positionBias, 0);
  const always = detectSignal(answers(20, 20, 20, 20));
  assert.ok(always.kind === "detection" && always.positionBias > 1.9);
});

Deno.test("detectSignal() is unavailable when one order is missing", () => {
  const noA = detectSignal(answers(0, 0, 3, 5));
  const noB = detectSignal(answers(3, 5, 0, 0));
  assert.ok(noA.kind === "unavailable" && /at A$/.test(noA.reason));
  assert.ok(noB.kind === "unavailable" && /at B$/.test(noB.reason));
  assert.throws(() => detectSignal(answers(6, 5, 0, 5)), RangeError);
});
