import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../stats/random.ts";
import { emptyEvaluation, sampleEvaluation } from "../report/testdata/sample.ts";
import { batchSummary, distribution, summaryMarkdown } from "./summary.ts";

Deno.test("Requirement 5.3: mean, median, deciles and bins of hand-made scores", () => {
  const found = distribution([0, 10, 20, 30, 100, undefined], 100, randomSource(1));
  assert.deepEqual([found.scored, found.unscored], [5, 1]);
  assert.equal(found.mean.kind === "interval" && found.mean.estimate, 32);
  assert.equal(found.median.kind === "interval" && found.median.estimate, 20);
  assert.deepEqual([found.deciles[0], found.deciles[5], found.deciles[10]], [0, 20, 100]);
  assert.deepEqual(found.histogram.map(({ n }) => n), [1, 1, 1, 1, 0, 0, 0, 0, 0, 1]);
  const none = distribution([undefined], 100, randomSource(1));
  assert.deepEqual([none.mean.kind, none.deciles], ["unavailable", []]);
  assert.throws(() => distribution([101], 100, randomSource(1)), RangeError);
});

Deno.test("Requirement 5.3: each request is in one bin, and figures keep within the scores", () => {
  const score = fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined });
  fc.assert(fc.property(fc.array(score, { maxLength: 8 }), (scores) => {
    const { histogram, scored, unscored, mean } = distribution(scores, 100, randomSource(1));
    assert.equal(histogram.reduce((sum, { n }) => sum + n, 0), scored);
    assert.equal(scored + unscored, scores.length);
    if (mean.kind === "unavailable") return;
    assert.ok(mean.low <= mean.estimate && mean.estimate <= mean.high);
  }));
});

Deno.test("a summary counts what is missing, in part or whole, and is told in words", async () => {
  const evaluations = [await sampleEvaluation(), await emptyEvaluation()];
  const summary = batchSummary(evaluations, { requests: 3, passedOver: 2 }, randomSource(1));
  assert.deepEqual([summary.evaluated, summary.missing], [1, 1]);
  // A judge of the first did not answer in time.
  assert.deepEqual(summary.incomplete, [{ id: "r1", failed: ["60 s passed."] }]);
  assert.deepEqual([summary.factualAccuracy.scored, summary.factualAccuracy.unscored], [1, 1]);
  const text = summaryMarkdown(summary);
  assert.match(
    text,
    /1 of 3 requests are evaluated\. 1 have no result.* Of 1 a part failed.* over: 2\./,
  );
  assert.match(text, /\| r1 \| 60 s passed\. \|/);
  assert.match(text, /a single cluster says nothing/);
  assert.doesNotMatch(text, /undefined|NaN/);
});
