import assert from "node:assert/strict";
import fc from "fast-check";
import { aggregate, weightFromAccuracy } from "./aggregate.ts";
import type { AggregationStrategy } from "./ensemble_score.ts";
import type { Judgement } from "./judgement.ts";
import type { UnscoredReason } from "../verdicts/verdict.ts";

const provenance = (producedBy: string) => ({
  producedBy,
  modelSha256: undefined,
  promptSha256: undefined,
});

function scored(score: number): Judgement {
  const producedBy = `judge ${score}`;
  return {
    kind: "scored",
    score,
    reasoning: "",
    flagged: [],
    parse: "complete",
    provenance: provenance(producedBy),
  };
}

function unscored(reason: UnscoredReason): Judgement {
  const [message, partialText] = ["m", undefined];
  return { kind: "unscored", reason, message, partialText, provenance: provenance("mute") };
}

function ensemble(scores: readonly number[], strategy: AggregationStrategy, weights?: number[]) {
  const result = aggregate(scores.map(scored), strategy, weights ?? scores.map(() => 1));
  assert.ok(result.kind === "scored");
  return result;
}

Deno.test("aggregate() by hand: mean, median, weighted average, majority vote", () => {
  assert.equal(ensemble([80, 84, 88], "mean").score, 84);
  assert.equal(ensemble([80, 84, 100], "median").score, 84);
  assert.equal(ensemble([80, 90], "median").score, 85);
  assert.equal(ensemble([80, 40], "weighted average", [3, 1]).score, 70);
  assert.equal(ensemble([80, 40], "weighted average", [1e308, 1e308]).score, 60);
  // 50 is a vote for: two of three.
  assert.equal(ensemble([90, 50, 49], "majority vote").score, 200 / 3);
});

Deno.test("aggregate() states a tied vote", () => {
  const tied = ensemble([51, 49], "majority vote");
  assert.equal(tied.score, 50);
  assert.deepEqual(tied.reasons, ["the vote is tied, 1 to 1"]);
  assert.ok(tied.lowConfidence);
});

Deno.test("Requirement 11.3: a variance over 20 points² is of low confidence, 20 is not", () => {
  // Two scores d apart have a sample variance of d²/2.
  const near = ensemble([80, 86], "mean");
  assert.deepEqual([near.variance, near.range, near.lowConfidence], [18, 6, false]);
  assert.deepEqual(near.reasons, []);
  const far = ensemble([80, 87], "mean");
  assert.deepEqual([far.variance, far.lowConfidence], [24.5, true]);
  assert.match(far.reasons[0]!, /variance of 24\.5 points², over 20/);
});

Deno.test("aggregate() leaves judges without a score out and counts them", () => {
  const result = aggregate([scored(80), unscored("time-out")], "mean", [1, 1]);
  assert.ok(result.kind === "scored");
  assert.deepEqual([result.score, result.scored, result.asked], [80, 1, 2]);
  assert.equal(result.variance, undefined);
  assert.deepEqual(result.reasons, ["only one judge gave a score"]);
});

Deno.test("aggregate() is unscored with the reason where no judge gave a score", () => {
  assert.deepEqual(aggregate([unscored("time-out"), unscored("time-out")], "mean", [1, 1]), {
    kind: "unscored",
    reason: "time-out",
    message: "No judge gave a score: mute (time-out), mute (time-out).",
  });
  const mixed = aggregate([unscored("refusal"), unscored("time-out")], "mean", [1, 1]);
  assert.ok(mixed.kind === "unscored" && mixed.reason === "failure");
  assert.ok(aggregate([], "mean", []).kind === "unscored");
});

Deno.test("Requirement 11.2: judges that all weigh nothing have no weighted average", () => {
  const result = aggregate([scored(80), unscored("refusal")], "weighted average", [0, 1]);
  assert.ok(result.kind === "unscored");
  assert.match(result.message, /weight above 0: judge 80/);
});

Deno.test("aggregate() refuses weights that are none", () => {
  assert.throws(() => aggregate([scored(80)], "mean", []), /1 judgements: there are 0 weights/);
  for (const weight of [-1, NaN, Infinity]) {
    assert.throws(() => aggregate([scored(80)], "mean", [weight]), RangeError);
  }
});

Deno.test("weightFromAccuracy() trusts a judge only where its interval is above chance", () => {
  const at = (balancedAccuracy: number, low: number) =>
    weightFromAccuracy({ balancedAccuracy, low, high: 1, n: 100, on: "made" });
  assert.equal(at(0.75, 0.7), 0.5);
  assert.equal(at(0.56, 0.49), 0);
  assert.equal(at(0.3, 0.2), 0);
  assert.equal(at(1, 0.98), 1);
});

Deno.test("Requirement 11.1: an average lies between its scores, whatever the order and weights", () => {
  const pair = fc.tuple(
    fc.integer({ min: 0, max: 100 }),
    fc.double({ min: 0.01, max: 9, noNaN: true }),
  );
  const strategies = fc.constantFrom<AggregationStrategy>("mean", "median", "weighted average");
  fc.assert(
    fc.property(fc.array(pair, { minLength: 1, maxLength: 5 }), strategies, (pairs, strategy) => {
      const of = (list: readonly (readonly [number, number])[]) =>
        ensemble(list.map(([score]) => score), strategy, list.map(([, weight]) => weight)).score;
      const scores = pairs.map(([score]) => score);
      assert.ok(of(pairs) >= Math.min(...scores) && of(pairs) <= Math.max(...scores));
      assert.ok(Math.abs(of(pairs) - of([...pairs].reverse())) < 1e-9);
    }),
    { numRuns: 200 },
  );
});
