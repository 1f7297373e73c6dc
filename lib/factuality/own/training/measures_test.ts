import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../../stats/random.ts";
import type { CaseLabel } from "../../types.ts";
import { verdictProbabilities } from "../../verifiers/large.ts";
import {
  fitBySource,
  fitVerdicts,
  measureJudge,
  measureVerdicts,
  verdictCounts,
} from "./measures.ts";
import type { JudgedCase } from "./measures.ts";

/**
 * Measures a judge of claims with these scores, one per cluster. Claims at even indices are
 * supported.
 */
const judge = (scores: readonly number[], readout: "generation" | "next-token", odd = false) =>
  measureJudge(
    scores.map((score, i) => ({ cluster: `c${i}`, supported: i % 2 === 0 || odd, score })),
    { readout, on: "made", random: randomSource(1) },
  );
Deno.test("measureJudge() by hand: written scores count from 50 on", () => {
  // Supported: 90, 50, 40 → two of three right; others: 10, 60, 20 → two of three.
  const { measured, areaUnderCurve, scaling } = judge([90, 10, 50, 60, 40, 20], "generation");
  assert.ok(Math.abs(measured.balancedAccuracy - 2 / 3) < 1e-12);
  assert.deepEqual([measured.n, measured.on, scaling], [6, "made", undefined]);
  // Of nine pairs, 90 wins three, 50 and 40 two each.
  assert.ok(Math.abs(areaUnderCurve - 7 / 9) < 1e-12);
  assert.throws(() => judge([80, 20, 70], "generation", true), /Cannot measure on 3 claims/);
});

Deno.test("Requirement 13.2: accuracy lies within its interval; what knows nothing is not measured as one that does", () => {
  const measures = [
    (scores: readonly number[]) => judge(scores, "generation"),
    (scores: readonly number[]) => judge(scores, "next-token"),
  ];
  fc.assert(
    fc.property(fc.nat(10_000), fc.constantFrom(...measures), (seed, measure) => {
      const random = randomSource(seed);
      const { measured } = measure(Array.from({ length: 40 }, () => random.integer(101)));
      const { low, balancedAccuracy, high } = measured;
      assert.ok(0 <= low && low <= balancedAccuracy && balancedAccuracy <= high && high <= 1);
      assert.ok(low < 0.75);
    }),
    { numRuns: 150 },
  );
});

const judged = (label: CaseLabel, supported: number, cluster: string): JudgedCase => {
  const rest = 1 - supported;
  const probabilities = { supported, refuted: rest * 0.75, "not enough info": rest * 0.25 };
  return { label, cluster, probabilities };
};

Deno.test("measureVerdicts() reads both ways, and counts what is unscored", () => {
  // By hand: at ½ the second is labelled "not supported", the one error of four.
  const cases: JudgedCase[] = [
    judged("supported", 0.9, "1"),
    judged("supported", 0.4, "2"),
    judged("refuted", 0.1, "3"),
    judged("not enough info", 0.2, "4"),
    { label: "refuted", cluster: "5", probabilities: undefined },
  ];
  const binary = measureVerdicts(cases, "binary");
  const { n, unscored, accuracy, balancedAccuracy } = binary;
  assert.deepEqual([n, unscored, accuracy, balancedAccuracy], [4, 1, 0.75, (0.5 + 1) / 2]);
  const threeWay = measureVerdicts(cases, "three-way");
  assert.equal(threeWay.balancedAccuracy, (0.5 + 1 + 0) / 3);
});

Deno.test("verdictCounts() counts verdicts a label, without what is unscored", () => {
  const judged = (label: CaseLabel, supported?: number, refuted = 0): JudgedCase => {
    const rest = 1 - (supported ?? 0) - refuted;
    const probabilities = supported === undefined
      ? undefined
      : { supported, refuted, "not enough info": rest };
    return { label, cluster: "c", probabilities };
  };
  const cases = [
    judged("supported", 0.5),
    judged("supported", 0.4, 0.3),
    judged("supported"),
    judged("refuted", 0.4, 0.2),
  ];
  const none = { supported: 0, refuted: 0, not_enough_info: 0 };
  assert.deepEqual(verdictCounts("alone", cases), [
    { source: "alone", label: "supported", n: 2, ...none, supported: 1, refuted: 1 },
    { source: "alone", label: "refuted", n: 1, ...none, not_enough_info: 1 },
  ]);
});

Deno.test("fitVerdicts() puts 0.5 half-way between the sides, and fits the second scaling to known labels alone", () => {
  // Supported about 3, the rest about 1; refuted about 0, silent about -2.
  const near = (at: number, label: CaseLabel, refuted: number) =>
    [-1.5, -0.5, 0, 0.5, 1.5].map((by) => (
      { label, odds: { supported: at + by, refuted: refuted + by } }
    ));
  const scored = [
    ...near(3, "supported", 9),
    ...near(3, "supported", 9),
    ...near(1, "refuted", 0),
    ...near(1, "not enough info", -2),
  ];
  const fitted = fitVerdicts(scored);
  const at = (supported: number, refuted: number) =>
    verdictProbabilities({ supported, refuted }, fitted);
  assert.ok(Math.abs(at(2, 0).supported - 0.5) < 0.01);
  assert.ok(at(4, 0).supported > 0.8 && at(0, 0).supported < 0.2);
  const { refuted, "not enough info": silent } = at(0, -1);
  assert.ok(Math.abs(refuted - silent) < 0.01);
  const more = [...scored, ...near(1, "not supported", 50)];
  assert.deepEqual(fitVerdicts(more).refuted, fitted.refuted);
});

Deno.test("fitBySource() puts 0.5 half-way between the sides, whatever the shares of labels and sources", () => {
  const claim = (
    source: string,
    label: "supported" | "refuted" | "not enough info",
    supported: number,
    refuted: number,
  ) => (
    { source, cluster: "c", label, odds: { supported, refuted } }
  );
  const many = (count: number, ...of: Parameters<typeof claim>) =>
    Array.from({ length: count }, () => claim(...of));
  // The sides of each source lie at 0 and 2; one has nine times as many refuted claims as supported ones.
  const claims = [
    ...many(10, "one", "supported", 2, 0),
    ...many(90, "one", "refuted", 0, 1),
    ...many(4, "two", "supported", 2, 0),
    ...many(4, "two", "not enough info", 0, -1),
  ];
  const fitted = fitBySource(claims);
  const { supported } = verdictProbabilities({ supported: 1, refuted: 0 }, fitted);
  assert.ok(Math.abs(supported - 0.5) < 1e-3);
  assert.ok(fitted.refuted.slope > 0);
  assert.deepEqual(fitBySource(claims.slice(0, 100)).refuted, { slope: 1, intercept: 0 });
});
