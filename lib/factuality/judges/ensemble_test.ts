import assert from "node:assert/strict";
import fc from "fast-check";
import type { AggregationStrategy, Judgement, UnscoredReason } from "../types.ts";
import {
  aggregate,
  calibrated,
  fitPlatt,
  logOdds,
  readJudgeCalibration,
  weightFromAccuracy,
} from "./ensemble.ts";
import { promptTemplates } from "./prompts.ts";

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

function assertClose(found: number, expected: number): void {
  assert.ok(Math.abs(found - expected) < 1e-6, `${found} is not ${expected}`);
}

Deno.test("fitPlatt() by hand: two scores, two labels", () => {
  // Targets are 2/3 and 1/3, which logistic(slope × ±1) meets exactly at slope = ln 2.
  const { slope, intercept } = fitPlatt([1, -1], [true, false]);
  assertClose(slope, Math.log(2));
  assertClose(intercept, 0);
});

Deno.test("fitPlatt() by hand: a score that tells nothing gives the base rate", () => {
  // Three of four true: targets 4/5 (three times) and 1/3, their mean 41/60.
  const { slope, intercept } = fitPlatt([1, -1, 1, 1].map(() => 0), [true, true, true, false]);
  assertClose(slope, 0);
  assertClose(1 / (1 + Math.exp(-intercept)), 41 / 60);
});

Deno.test("fitPlatt() refuses what cannot be fitted", () => {
  assert.throws(() => fitPlatt([1, 2], [true, true]), RangeError);
  assert.throws(() => fitPlatt([1], [true, false]), RangeError);
  assert.throws(() => fitPlatt([NaN, 1], [true, false]), /a score is NaN/);
});

Deno.test("calibrated() is the model's own probability without scaling", () => {
  assert.equal(calibrated(0.3, undefined), 0.3);
  assertClose(calibrated(0.3, { slope: 1, intercept: 0 }), 0.3);
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
    { numRuns: 200 },
  );
});

const YAML = `
templates:
  - name: claim
    description: d
    answer: score
    next_word_form: truth
    text: "{{claim}} {{answer_format}}"
  - name: truth
    description: d
    answer: next word
    next_words: { yes: ["true"], no: ["false"] }
    text: "{{claim|line}} It is"
`;

const PROMPTS = promptTemplates(YAML, "made.yaml");
const FILE = "a".repeat(64);
const MEASURED = { balancedAccuracy: 0.7, low: 0.6, high: 0.8, n: 100, on: "made" };

function entry(prompt: string, more: Record<string, unknown> = {}) {
  return {
    id: "model",
    readout: prompt === "claim" ? "generation" : "next-token",
    prompt,
    promptSha256: PROMPTS.template(prompt).sha256,
    modelSha256: FILE,
    scaling: prompt === "claim" ? null : { slope: 1, intercept: 0 },
    measured: MEASURED,
    areaUnderCurve: 0.75,
    unscored: 0,
    ...more,
  };
}

const file = (...entries: unknown[]) => JSON.stringify({ schemaVersion: 1, entries });

Deno.test("readJudgeCalibration() finds a model by its readout or prompt", () => {
  const of = readJudgeCalibration(file(entry("claim"), entry("truth")), "made.json", PROMPTS);
  const probability = { scaling: { slope: 1, intercept: 0 }, measured: MEASURED };
  assert.deepEqual(of("model", "next-token", FILE), probability);
  assert.deepEqual(of("model", "truth", FILE), probability);
  assert.deepEqual(of("model", "generation", FILE), { scaling: undefined, measured: MEASURED });
  assert.equal(of("other", "generation", FILE), undefined);
});

Deno.test("readJudgeCalibration() forgets what was measured with another prompt", () => {
  const edited = promptTemplates(YAML.replace("It is", "This is"), "made.yaml");
  const of = readJudgeCalibration(file(entry("claim"), entry("truth")), "made.json", edited);
  assert.equal(of("model", "next-token", FILE), undefined);
  assert.ok(of("model", "generation", FILE));
});

Deno.test("readJudgeCalibration() knows nothing of another file of the same name, nor of a server's", () => {
  const of = readJudgeCalibration(file(entry("claim")), "made.json", PROMPTS);
  assert.ok(of("model", "generation", FILE));
  assert.equal(of("model", "generation", "b".repeat(64)), undefined);
  assert.equal(of("model", "generation", undefined), undefined);
});

Deno.test("readJudgeCalibration() names what is wrong", () => {
  const wrong = file(entry("claim", { areaUnderCurve: 2 }));
  assert.throws(() => readJudgeCalibration(wrong, "made.json", PROMPTS), /entries\.0\.areaUnder/);
  assert.throws(
    () => readJudgeCalibration("{", "made.json", PROMPTS),
    /made\.json: it is not JSON/,
  );
});
