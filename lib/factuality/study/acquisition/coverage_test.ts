import assert from "node:assert/strict";
import { FACTUALITY_PATHS } from "../../paths.ts";
import { coverageTable, readCoverage } from "./coverage.ts";

Deno.test("coverageTable() shows the committed aggregates, a row a splitter and model", () => {
  const rows = readCoverage(FACTUALITY_PATHS.claimCoverage);
  assert.equal(coverageTable(rows).split("\n").length, rows.length + 2);
  for (const row of rows) {
    assert.ok(row.facts_covered_low <= row.facts_covered);
    assert.ok(row.facts_covered <= row.facts_covered_high);
  }
});
