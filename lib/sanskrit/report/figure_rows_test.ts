import assert from "node:assert/strict";
import {
  cellBars,
  confusionCells,
  frequencyBars,
  probeRows,
  refusalBars,
  stemBars,
} from "./figure_rows.ts";
import { madeEvidence, MASKED, probe } from "./testdata/evidence.ts";

const EVIDENCE = madeEvidence();

Deno.test("confusionCells() shows cases with five pairs or more, for scored models and the yardstick", () => {
  const { rows, columns, groups, cells } = confusionCells(EVIDENCE);
  assert.deepEqual(rows, ["genitive", "genitive"]);
  assert.deepEqual(columns, ["dat."]);
  assert.deepEqual(groups, ["small, likelihood", MASKED]);
  assert.deepEqual(cells.map(([cell]) => cell?.kind === "interval" && cell.estimate), [1, 1]);
  const few = { ...EVIDENCE.sets, main: EVIDENCE.sets.main.slice(0, 4) };
  assert.deepEqual(confusionCells({ ...EVIDENCE, sets: few }).rows, []);
});

Deno.test("frequencyBars() leaves out classes that no pair belongs to", () => {
  const bars = frequencyBars(EVIDENCE).map(({ group, label, n }) => `${group}: ${label}, ${n}`);
  assert.deepEqual(bars, ["small, likelihood: nowhere else, 9", `${MASKED}: nowhere else, 9`]);
});

Deno.test("probeRows() has a row a set, also where it was not measured", () => {
  const rows = probeRows({ probes: [probe("control", "likelihood_accuracy_total", 0.4)] });
  assert.deepEqual(rows.map(({ label, measure }) => [label, measure.kind]), [
    ["the Gītā's lines", "unavailable"],
    ["new sentences", "interval"],
    ["bare forms", "unavailable"],
    ["the lines in IAST", "unavailable"],
    ["i-stems", "unavailable"],
  ]);
});

Deno.test("cellBars() counts pairs by correct cell, changes of case and number apart", () => {
  assert.deepEqual(cellBars(EVIDENCE), [
    { label: "genitive", group: "singular", amounts: [7, 0] },
    { label: "nominative", group: "plural", amounts: [0, 2] },
  ]);
});

Deno.test("stemBars() has the stems with most pairs first, in Devanagari", () => {
  const bars = stemBars(EVIDENCE, 5);
  assert.deepEqual(bars.map(({ label, n }) => [label, n]), [["देव", 8], ["पुत्र", 1]]);
  assert.deepEqual(bars[0]?.measure, { kind: "value", estimate: 6 / 8 });
  assert.equal(stemBars(EVIDENCE, 1).length, 1);
});

Deno.test("refusalBars() leaves the surplus out and says reasons in words", () => {
  const refusal = (reason: string) => ({
    ...{ source: { text: "G", chapter: 1, sentence: 1 }, phenomenon: "case", candidate: "x" },
    ...{ reason, detail: "" },
  });
  const rejections = ["not_read", "not_selected", "same_form", "not_read"].map(refusal);
  const bars = refusalBars({ rejections }, 1);
  assert.deepEqual(bars.map(({ group, label, measure }) => [group, label, measure]), [
    ["Case", "not read", { kind: "value", estimate: 2 }],
  ]);
});
