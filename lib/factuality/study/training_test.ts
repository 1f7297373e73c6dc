import assert from "node:assert/strict";
import { lineChart } from "../../figures/lines.ts";
import type { CurveRow } from "./tables.ts";
import { learningCurveLines } from "./training.ts";

const point = (share: number, seed: CurveRow["seed"], value: number): CurveRow => ({
  ...{ features: "embeddings", head: "MLP 32", share, countries: 100 * share, claims: 9, seed },
  ...{ reading: "binary", n: 20, clusters: 4, balanced_accuracy: value },
  ...{ low: value - 0.05, high: value + 0.05 },
});

const CURVE = [point(0.1, 1, 0.55), point(0.1, "mean", 0.6), point(1, "mean", 0.7)];

Deno.test("learningCurveLines() are drawn with chance under them", () => {
  const chart = learningCurveLines(CURVE, "binary");
  assert.deepEqual(chart.lines.map(({ points }) => points.map(({ x }) => x)), [[10, 100]]);
  assert.equal(chart.y.reference?.value, 0.5);
  assert.ok(lineChart({ ...chart, title: "Curve", alt: "A curve." }).png.length > 0);
});
