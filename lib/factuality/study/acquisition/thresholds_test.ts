import assert from "node:assert/strict";
import { type ThresholdEffect, thresholdTable } from "./thresholds.ts";

const effect = (minimumShare: number, minimumCosine: number): ThresholdEffect => ({
  ...{ claims: 300, minimumShare, minimumCosine },
  ...{ present: 0.98, presentOwn: 0.92, wrong: 0.9, wrongOwn: 0.7, absent: 0.19 },
});
const EFFECTS = [effect(0, 0.5), effect(0.1, -1), effect(0.1, 0.65)];

Deno.test("thresholdTable() shows the thresholds of the cosine under one share of words", () => {
  const rows = thresholdTable(EFFECTS, 0.1).split("\n").slice(2);
  assert.deepEqual(rows, [
    "| (any) | 98.0 | 92.0 | 90.0 | 70.0 | 19.0 |",
    "| 0.65 | 98.0 | 92.0 | 90.0 | 70.0 | 19.0 |",
  ]);
});
