import assert from "node:assert/strict";
import { test } from "node:test";
import { formatCsv } from "../../../files/csv.ts";
import { readTestResults, testResultsTable, TRAINING_COLUMNS } from "./training_results.ts";

const ROW = {
  ...{ step: "result", set: "made claims, test", verifier: "knowing", reading: "binary", n: 40 },
  ...{ unscored: 0, clusters: 4, accuracy: 0.9, balanced_accuracy: 0.875, low: 0.8, high: 0.95 },
  ...{ macro_f1: 0.87, calibration_error: 0.02, brier: 0.2 },
};

function table(rows: readonly (typeof ROW)[]): string {
  const path = Deno.makeTempFileSync();
  Deno.writeTextFileSync(path, formatCsv(TRAINING_COLUMNS, rows));
  return path;
}

test("readTestResults() keeps what was measured on the test countries", () => {
  const path = table([ROW, { ...ROW, set: "made claims, development" }, {
    ...ROW,
    step: "penalty",
  }]);
  try {
    const found = readTestResults(path);
    assert.equal(found.length, 1);
    assert.match(
      testResultsTable(found),
      /\| knowing \| binary \| 40 \| 4 \| 0\.875 \[0\.800, 0\.950\]/,
    );
  } finally {
    Deno.removeSync(path);
  }
});

test("readTestResults() names the line that is damaged", () => {
  const path = table([ROW, { ...ROW, reading: "four-way" }]);
  try {
    assert.throws(() => readTestResults(path), /line 3 is damaged/);
  } finally {
    Deno.removeSync(path);
  }
});
