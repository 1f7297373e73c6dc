import assert from "node:assert/strict";
import { CONTESTANTS } from "./metrics_contestants.ts";
import { tables } from "./metrics_tables.ts";

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
