import assert from "node:assert/strict";
import { unavailable } from "../../lib/stats/unavailable.ts";
import { metricAgreement } from "./metrics_agreement.ts";

Deno.test("metricAgreement() keeps the largest difference of numbers", () => {
  const found = metricAgreement([[1, 0.5], [0]], [[1, 0.25], [0.125]]);
  assert.deepEqual([found.compared, found.largestDifference], [3, 0.25]);
  assert.equal(found.degenerate.size, 0);
});

Deno.test("metricAgreement() counts what each side says where one has no number", () => {
  const none = unavailable("no case is 2");
  const found = metricAgreement([[none, 1], [none], [0.5]], [[0, 1], ["nan"], ["ValueError"]]);
  assert.equal(found.compared, 1);
  assert.deepEqual([...found.degenerate], [
    ["unavailable (no case is N) here, 0 there", 1],
    ["unavailable (no case is N) here, nan there", 1],
    ["a number here, ValueError there", 1],
  ]);
});

Deno.test("metricAgreement() refuses tables that were lost on the way", () => {
  assert.throws(() => metricAgreement([[1]], []), RangeError);
});
