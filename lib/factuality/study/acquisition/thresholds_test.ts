import assert from "node:assert/strict";
import { type ThresholdEffect, thresholdFigure, thresholdTable } from "./thresholds.ts";

const effect = (
  minimumShare: number,
  minimumCosine: number,
  present: number,
  absent: number,
): ThresholdEffect => ({
  ...{ claims: 300, ownAmongFive: 0.9 },
  ...{ minimumShare, minimumCosine, present, absent },
});
const EFFECTS = [
  effect(0, -1, 1, 0.7),
  effect(0.1, -1, 1, 0.65),
  effect(0.1, 0.6, 0.98, 0.19),
  effect(0.2, -1, 0.93, 0.35),
];

Deno.test("thresholdTable() shows the thresholds of the cosine under one share of words", () => {
  const rows = thresholdTable(EFFECTS, 0.1).split("\n").slice(2);
  assert.deepEqual(rows, ["| (any) | 100.0 | 65.0 |", "| 0.6 | 98.0 | 19.0 |"]);
});

Deno.test("thresholdFigure() draws re-ranking and words alone, and leaves out what has no threshold", () => {
  const { svg } = thresholdFigure(EFFECTS, 0.1);
  for (const label of ["0.6", "0.1", "0.2"]) assert.ok(svg.includes(`>${label}</text>`), label);
  assert.ok(svg.includes("300 claims"));
});
