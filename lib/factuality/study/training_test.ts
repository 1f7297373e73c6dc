import assert from "node:assert/strict";
import { lineChart } from "../../figures/lines.ts";
import type { AblationRow, CurveRow, DomainRow } from "./tables.ts";
import {
  ablationDifferences,
  ablationTable,
  domainPoints,
  domainTable,
  learningCurveLines,
  learningCurveTable,
} from "./training.ts";

const point = (share: number, seed: CurveRow["seed"], value: number): CurveRow => ({
  ...{ features: "embeddings", head: "MLP 32", share, countries: 100 * share, claims: 9, seed },
  ...{ reading: "binary", n: 20, clusters: 4, balanced_accuracy: value },
  ...{ low: value - 0.05, high: value + 0.05 },
});

const CURVE = [point(0.1, 1, 0.55), point(0.1, "mean", 0.6), point(1, "mean", 0.7)];

Deno.test("learningCurveTable() has the means alone, a column a number of countries", () => {
  const [header, , row] = learningCurveTable(CURVE, "binary").split("\n");
  assert.match(header!, /head +\| +10 countries +\| +100 countries/);
  assert.match(row!, /frozen MiniLM, MLP 32 .*0\.600 \[0\.550, 0\.650\].*0\.700/);
});

Deno.test("learningCurveLines() are drawn with chance under them", () => {
  const chart = learningCurveLines(CURVE, "binary");
  assert.deepEqual(chart.lines.map(({ points }) => points.map(({ x }) => x)), [[10, 100]]);
  assert.equal(chart.y.reference?.value, 0.5);
  assert.ok(lineChart({ ...chart, title: "Curve", alt: "A curve." }).png.length > 0);
});

const ablated = (model: AblationRow["model"], group: string, value: number): AblationRow => ({
  ...{ model, group, reading: "binary", n: 20, clusters: 4, balanced_accuracy: value },
  ...{ low: value - 0.05, high: value + 0.05, difference: value - 0.9 },
  ...{ difference_low: value - 0.95, difference_high: value - 0.85 },
});

Deno.test("ablationTable() sets without, difference and alone side by side", () => {
  const rows = [
    ...[ablated("all features", "", 0.9), ablated("without", "name", 0.8)],
    ablated("alone", "name", 0.6),
  ];
  const lines = ablationTable(rows, "binary").split("\n");
  assert.match(lines[3]!, /name .*0\.800 .*-0\.100 .*0\.600/);
  const [row] = ablationDifferences(rows, "binary");
  assert.ok(row?.measure.kind === "interval" && Math.abs(row.measure.estimate + 0.1) < 1e-12);
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
