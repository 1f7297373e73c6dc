import assert from "node:assert/strict";
import type { HeapingShare } from "../analysis/results.ts";
import { heapingTable, raterPairTable } from "./rater_sections.ts";

function rater(estimate: number) {
  const share = {
    kind: "interval",
    estimate,
    low: 0,
    high: 0.2,
    confidence: 0.95,
    n: 240,
  } as const;
  const heaping: readonly HeapingShare[] = [{ name: "highest score", share, chance: undefined }];
  return { rater: `rater ${estimate}`, heaping };
}

Deno.test("heapingTable() says where the interval is by another method", () => {
  const table = heapingTable([rater(0), rater(0.1)]);
  assert.match(table, /\| rater 0 \| 0\.0 \[0\.0, 20\.0\] † \|/);
  assert.match(table, /\| rater 0\.1 \| 10\.0 \[0\.0, 20\.0\] \|/);
  assert.match(table, /\n\n† .*Wilson's with items as trials/);
});

Deno.test("heapingTable() has no footnote where nothing refers to it", () => {
  assert.ok(!heapingTable([rater(0.1)]).includes("†"));
});

Deno.test("raterPairTable() says of one rater that there is nothing to compare", () => {
  assert.equal(raterPairTable({ pairs: [] }), "One rater: there is nobody to compare with.");
});
