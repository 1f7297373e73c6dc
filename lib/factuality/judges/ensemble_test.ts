import assert from "node:assert/strict";
import fc from "fast-check";
import type { AggregationStrategy, Judgement, UnscoredReason } from "../types.ts";
import {
  calibratedProbability,
  ensembleOf,
  fitPlatt,
  logOdds,
  readJudgeCalibration,
  weightFromAccuracy,
} from "./ensemble.ts";
import { ENTRIES, PROMPTS, testPrompts } from "./testdata/made.ts";

const provenance = { producedBy: "one", modelSha256: undefined, promptSha256: undefined };
const rest = { reasoning: "", flagged: [], parse: "complete", provenance } as const;
const scored = (score: number): Judgement => ({ kind: "scored", score, ...rest });
const nothing = { kind: "unscored", message: "m", partialText: undefined, provenance } as const;
const unscored = (reason: UnscoredReason): Judgement => ({ ...nothing, reason });

const together = (
  judgements: readonly Judgement[],
  aggregation: AggregationStrategy = "mean",
  weights = judgements.map(() => 1),
) =>
  ensembleOf(
    judgements.map((judgement, at) => ({ judgement, weight: weights[at]! })),
    { aggregation, lowConfidenceVariance: 20 },
  );

function ensemble(scores: readonly number[], strategy: AggregationStrategy, weights?: number[]) {
  const result = together(scores.map(scored), strategy, weights);
  assert.ok(result.kind === "scored");
  return result;
}

Deno.test("ensembleOf() by hand: mean, median, weighted average, majority vote", () => {
  assert.equal(ensemble([80, 84, 88], "mean").score, 84);
  assert.equal(ensemble([80, 84, 100], "median").score, 84);
  assert.equal(ensemble([80, 90], "median").score, 85);
  assert.equal(ensemble([80, 40], "weighted average", [3, 1]).score, 70);
  assert.equal(ensemble([80, 40], "weighted average", [1e308, 1e308]).score, 60);
  // 50 is a vote for: two of three.
  assert.equal(ensemble([90, 50, 49], "majority vote").score, 200 / 3);
  const tied = ensemble([51, 49], "majority vote");
  assert.deepEqual([tied.score, tied.lowConfidence], [50, true]);
  assert.deepEqual(tied.reasons, ["the vote is tied, 1 to 1"]);
});

Deno.test("Requirement 11.3: a variance over 20 points² is of low confidence, 20 is not", () => {
  // Two scores d apart have a sample variance of d²/2.
  const near = ensemble([80, 86], "mean");
  assert.deepEqual([near.variance, near.range, near.reasons], [18, 6, []]);
  const far = ensemble([80, 87], "mean");
  assert.deepEqual([far.variance, far.lowConfidence], [24.5, true]);
  assert.match(far.reasons[0]!, /variance of 24\.5 points², over 20/);
});

Deno.test("ensembleOf() leaves judges without a score, or a weight, out and counts them; without any it has none", () => {
  const result = together([scored(80), unscored("time-out")]);
  assert.ok(result.kind === "scored" && result.variance === undefined);
  assert.deepEqual([result.score, result.scored, result.asked], [80, 1, 2]);
  assert.deepEqual(result.reasons, ["only one judge gave a score"]);
  const none = (...reasons: UnscoredReason[]) => together(reasons.map(unscored));
  const message = "No judge gave a score: one (time-out), one (time-out).";
  assert.deepEqual(none("time-out", "time-out"), { kind: "unscored", reason: "time-out", message });
  const mixed = none("refusal", "time-out");
  assert.ok(mixed.kind === "unscored" && mixed.reason === "failure");
  const weightless = together([scored(80), scored(20)], "mean", [0, 1]);
  assert.ok(weightless.kind === "scored");
  assert.deepEqual([weightless.score, weightless.scored, weightless.asked], [20, 1, 2]);
  const untrusted = together([scored(80)], "mean", [0]);
  assert.ok(untrusted.kind === "unscored" && untrusted.reason === "not measured");
});

Deno.test("weightFromAccuracy() trusts a judge only where its interval is above chance", () => {
  const at = (balancedAccuracy: number, low: number) =>
    weightFromAccuracy({ balancedAccuracy, low, high: 1, n: 100, on: "made" });
  assert.deepEqual([at(0.75, 0.7), at(0.56, 0.49), at(0.3, 0.2), at(1, 0.98)], [0.5, 0, 0, 1]);
});

Deno.test("Requirement 11.1, 11.2: an average lies between its scores, whatever the order and weights", () => {
  const weights = fc.double({ min: 0.01, max: 9, noNaN: true });
  const pair = fc.tuple(fc.integer({ min: 0, max: 100 }), weights);
  const strategies = fc.constantFrom<AggregationStrategy>("mean", "median", "weighted average");
  fc.assert(
    fc.property(fc.array(pair, { minLength: 1, maxLength: 5 }), strategies, (pairs, strategy) => {
      const of = (list: readonly (readonly [number, number])[]) =>
        ensemble(list.map(([score]) => score), strategy, list.map(([, weight]) => weight)).score;
      const scores = pairs.map(([score]) => score);
      assert.ok(of(pairs) >= Math.min(...scores) && of(pairs) <= Math.max(...scores));
      assert.ok(Math.abs(of(pairs) - of([...pairs].reverse())) < 1e-9);
    }),
  );
});

function assertClose(found: number, expected: number): void {
  assert.ok(Math.abs(found - expected) < 1e-6, `${found} is not ${expected}`);
}

Deno.test("fitPlatt() by hand, and what cannot be fitted", () => {
  // Targets are 2/3 and 1/3, which logistic(slope × ±1) meets exactly at slope = ln 2.
  const fitted = fitPlatt([1, -1], [true, false]);
  assertClose(fitted.slope, Math.log(2));
  assertClose(fitted.intercept, 0);
  // A score that tells nothing: targets 4/5 (three times) and 1/3, their mean 41/60.
  const base = fitPlatt([0, 0, 0, 0], [true, true, true, false]);
  assertClose(base.slope, 0);
  assertClose(1 / (1 + Math.exp(-base.intercept)), 41 / 60);
  assert.throws(() => fitPlatt([1, 2], [true, true]), RangeError);
  assert.throws(() => fitPlatt([NaN, 1], [true, false]), /a score is NaN/);
  assert.equal(calibratedProbability(0.3, undefined), 0.3);
  assertClose(calibratedProbability(0.3, { slope: 1, intercept: 0 }), 0.3);
  assertClose(logOdds(0), Math.log(0.001 / 0.999));
});

Deno.test("fitPlatt() is where the loss is flat: calibrated probabilities average to the targets", () => {
  const item = fc.tuple(fc.integer({ min: -60, max: 60 }), fc.boolean());
  const both = fc.array(item, { minLength: 4, maxLength: 30 })
    .filter((list) => list.some(([, label]) => label) && list.some(([, label]) => !label));
  fc.assert(
    fc.property(both, (list) => {
      const labels = list.map(([, label]) => label);
      const xs = list.map(([x]) => x / 10);
      const { slope, intercept } = fitPlatt(xs, labels);
      const positive = labels.filter(Boolean).length;
      const negative = labels.length - positive;
      const wanted = positive * (positive + 1) / (positive + 2) + negative / (negative + 2);
      const sum = xs.reduce((all, x) => all + 1 / (1 + Math.exp(-slope * x - intercept)), 0);
      assert.ok(Math.abs(sum - wanted) < 1e-4 * list.length, `${sum} ${wanted}`);
    }),
  );
});

const FILE = "a".repeat(64);
const measured = { balancedAccuracy: 0.7, low: 0.6, high: 0.8, n: 100, on: "made" };
const scaling = { slope: 1, intercept: 0 };

const fileOf = (areaUnderCurve = 0.75) => {
  const shared = { id: "model", modelSha256: FILE, measured, areaUnderCurve, unscored: 0 };
  const [claim, truth] = ["claim", "truth"].map((prompt) => ({
    ...shared,
    prompt,
    promptSha256: PROMPTS.template(prompt).sha256,
  }));
  const entries = [
    { ...claim, readout: "generation", scaling: null },
    { ...truth, readout: "next-token", scaling },
  ];
  return JSON.stringify({ schemaVersion: 1, entries });
};

Deno.test("readJudgeCalibration() finds a model by its readout or prompt, and forgets what has changed", () => {
  const of = readJudgeCalibration(fileOf(), "made.json", PROMPTS);
  const floats = { modelSha256: FILE, weights: "F32" };
  const shipped = { modelSha256: FILE, weights: "shipped" };
  assert.deepEqual(of("model", "next-token", floats), { scaling, measured });
  assert.deepEqual(of("model", "truth", floats), { scaling, measured });
  assert.deepEqual(of("model", "generation", shipped), { measured });
  assert.equal(of("other", "generation", shipped), undefined);
  // Requirement 1.3: what was measured of floats says nothing of 8 bits.
  assert.equal(of("model", "next-token", { ...floats, weights: "Q8_0" }), undefined);
  // Another file of the same name; a server's, until it was measured under the host's own name.
  assert.equal(of("model", "generation", { ...shipped, modelSha256: "b".repeat(64) }), undefined);
  const served = { modelSha256: undefined, weights: "host/model" };
  assert.equal(of("model", "generation", served), undefined);
  const text = fileOf().replaceAll(`"${FILE}"`, 'null,"weights":"host/model"');
  const ofServers = readJudgeCalibration(text, "made.json", PROMPTS);
  assert.deepEqual(ofServers("model", "generation", served), { measured });
  assert.equal(ofServers("model", "generation", { ...served, weights: "other" }), undefined);
  const truth = { ...ENTRIES.truth, text: "{{claim|line}} This is" };
  const edited = testPrompts({ ...ENTRIES, truth });
  const now = readJudgeCalibration(fileOf(), "made.json", edited);
  assert.equal(now("model", "next-token", floats), undefined);
  assert.ok(now("model", "generation", shipped));
  const read = (text: string) => () => readJudgeCalibration(text, "made.json", PROMPTS);
  assert.throws(read(fileOf(2)), /entries\.0\.areaUnder/);
  assert.throws(read("{"), /made\.json: .*in JSON/);
});
