import assert from "node:assert/strict";
import { unavailable } from "../../lib/stats/agreement.ts";
import { MEASURE_COVERAGE } from "../../lib/studies/factuality/generation/tables.ts";
import { CONTESTANTS, metricAgreement, tables } from "./metrics.ts";

Deno.test("metricAgreement() keeps the largest difference, and what each side says without a number", () => {
  const numbers = metricAgreement([[1, 0.5], [0]], [[1, 0.25], [0.125]]);
  assert.deepEqual(numbers, { compared: 3, largestDifference: 0.25, degenerate: new Map() });
  const none = unavailable("no case is 2");
  const found = metricAgreement([[none, 1], [none], [0.5]], [[0, 1], ["nan"], ["ValueError"]]);
  assert.equal(found.compared, 1);
  assert.deepEqual([...found.degenerate], [
    ["unavailable (no case is N) here, 0 there", 1],
    ["unavailable (no case is N) here, nan there", 1],
    ["a number here, ValueError there", 1],
  ]);
});

Deno.test("every metric is named once and gives cells for whatever table is drawn, the same for a seed", () => {
  const names = CONTESTANTS.map(({ metric }) => metric);
  assert.equal(new Set(names).size, names.length);
  for (const { metric, table } of CONTESTANTS) {
    const drawn = tables(metric, 50, table);
    const sent = (some: typeof drawn) => JSON.stringify(some.map((one) => one.sent));
    assert.equal(sent(drawn), sent(tables(metric, 50, table)));
    for (const cell of drawn.flatMap(({ ours }) => ours())) {
      assert.ok(typeof cell !== "number" || Number.isFinite(cell), metric);
    }
  }
});

Deno.test("committed coverage of the intervals: 0.93 to 0.975 where n says something, 0.90 everywhere else", () => {
  for (const row of MEASURE_COVERAGE.read()) {
    const { quantity, clusters, items, correlation, truth, effective, coverage } = row;
    const what = [quantity, clusters, items, correlation, truth].join(" ");
    const isTold = quantity === "share" && truth * (1 - truth) * effective >= 5;
    assert.ok(coverage >= (isTold ? 0.93 : 0.9), `${what}: ${coverage}`);
    if (isTold) assert.ok(coverage <= 0.975, `${what}: ${coverage}`);
  }
});
