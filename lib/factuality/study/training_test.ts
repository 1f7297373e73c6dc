import assert from "node:assert/strict";
import { lineChart } from "../../figures/lines.ts";
import type { CurveRow, DomainRow } from "./tables.ts";
import { domainPoints, domainTable, learningCurveLines } from "./training.ts";

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

const ROW: DomainRow = {
  ...{ features: "both", head: "logistic", trained_on: "the other sets", set: "x", n: 4 },
  ...{ clusters: 1, balanced_accuracy: 0.5, low: "", high: "" },
  ...{ difference: "", difference_low: "", difference_high: "" },
};

Deno.test("domainTable() and domainPoints() say where there is no figure", () => {
  assert.match(domainTable([ROW]), /the other sets .*0\.500 \[–, –\]/);
  assert.match(domainTable([ROW]), /half of every set +\| +–/);
  const [row] = domainPoints([ROW]);
  assert.deepEqual([row?.group, row?.measure.kind], ["x", "value"]);
});
