import assert from "node:assert/strict";
import { unavailable } from "../../lib/stats/agreement.ts";
import { CONTESTANTS, metricAgreement, tables } from "./metrics.ts";

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

Deno.test("every metric is named once and gives cells for whatever table is drawn", () => {
  const names = CONTESTANTS.map(({ metric }) => metric);
  assert.equal(new Set(names).size, names.length);
  for (const { metric, table } of CONTESTANTS) {
    for (const { ours } of tables(metric, 50, table)) {
      for (const cell of ours()) {
        assert.ok(typeof cell !== "number" || Number.isFinite(cell), metric);
      }
    }
  }
});

Deno.test("tables() draws the same tables for a seed, degenerate ones among them", () => {
  const { table } = CONTESTANTS[0]!;
  const drawn = tables("seed", 200, table);
  const sent = JSON.stringify(drawn.map((one) => one.sent));
  assert.equal(sent, JSON.stringify(tables("seed", 200, table).map((one) => one.sent)));
  const undefinedOnes = drawn.filter(({ ours }) => typeof ours()[0] !== "number");
  assert.ok(undefinedOnes.length > 0 && undefinedOnes.length < 40);
});
