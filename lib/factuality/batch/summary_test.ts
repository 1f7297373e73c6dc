import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../stats/random.ts";
import { distribution } from "./summary.ts";

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
    if (mean.kind !== "interval") return;
    assert.ok(mean.low <= mean.estimate && mean.estimate <= mean.high);
  }));
});
