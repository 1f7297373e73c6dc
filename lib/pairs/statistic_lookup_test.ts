import assert from "node:assert/strict";
import { decimalWithInterval, lookUp, percentWithInterval, pValue } from "./statistic_lookup.ts";
import type { Statistic } from "./statistics_row.ts";

const ROWS: readonly Statistic[] = [
  {
    model: "m",
    phenomenon: "ALL",
    measure: "accuracy",
    value: { kind: "interval", estimate: 0.5125, low: 0.48, high: 0.546 },
    n: 1000,
    clusters: 200,
    method: "correct / answers",
  },
  {
    model: "m",
    phenomenon: "UMLAUT",
    measure: "accuracy",
    value: { kind: "unavailable" },
    n: 0,
    clusters: 0,
    method: "no answers",
  },
];

Deno.test("lookUp() finds a row and turns its value into what figures draw", () => {
  const found = lookUp(ROWS);
  assert.equal(found.row("m", "accuracy").n, 1000);
  assert.equal(percentWithInterval(found.measure("m", "accuracy")), "51.2 [48.0, 54.6]");
  assert.deepEqual(found.measure("m", "accuracy", "UMLAUT"), {
    kind: "unavailable",
    reason: "no answers",
  });
});

Deno.test("lookUp() throws for a row that is not there, and never invents a number", () => {
  const found = lookUp(ROWS);
  assert.throws(() => found.row("other", "accuracy"), /Cannot find accuracy of other/);
  assert.equal(percentWithInterval(found.measure("other", "accuracy")), "–");
});

Deno.test("decimalWithInterval() writes a point without an interval alone", () => {
  assert.equal(decimalWithInterval({ kind: "value", estimate: -0.126 }), "-0.13");
  assert.equal(decimalWithInterval({ kind: "value", estimate: -0.004 }), "0.00");
});

Deno.test("pValue() never says that a p-value is nought", () => {
  const written = [0.5604, 0.0005, 0.00049, 0].map((estimate) =>
    pValue({ kind: "value", estimate })
  );
  assert.deepEqual(written, ["0.560", "0.001", "< 0.001", "< 0.001"]);
  assert.equal(pValue({ kind: "unavailable", reason: "no pair" }), "–");
});
