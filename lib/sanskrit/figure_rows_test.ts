import assert from "node:assert/strict";
import {
  confusionCells,
  judgesOf,
  oneJudgeEach,
  rightOn,
  stemBars,
  strongestJudge,
} from "./figure_rows.ts";
import { madeEvidence, MASKED } from "./testdata/evidence.ts";

const EVIDENCE = madeEvidence();

Deno.test("judgesOf() lists every way that was measured, oneJudgeEach() likelihood before choice", () => {
  const labels = judgesOf(EVIDENCE).map(({ label }) => label);
  assert.deepEqual(labels, ["small, likelihood", "small, choice", MASKED]);
  const each = oneJudgeEach(judgesOf(EVIDENCE)).map(({ label }) => label);
  assert.deepEqual(each, ["small, likelihood", MASKED]);
  assert.deepEqual(judgesOf({ ...EVIDENCE, statistics: [] }), []);
});

Deno.test("strongestJudge() takes no model that was trained on the text here", () => {
  const { label, overall } = strongestJudge(EVIDENCE);
  assert.equal(label, "small, likelihood");
  // Right on the seven pairs of case, wrong on the two of number.
  assert.ok(overall.kind === "interval" && Math.abs(overall.estimate - 7 / 9) < 1e-6);
  assert.throws(() => strongestJudge({ ...EVIDENCE, statistics: [] }), RangeError);
});

Deno.test("rightOn() wants every answer of a choice right, and knows what was not given", () => {
  const [byLikelihood, byChoice] = judgesOf(EVIDENCE).map((judge) => rightOn(judge, EVIDENCE));
  assert.equal(byLikelihood?.("morph_0001"), true);
  assert.equal(byLikelihood?.("morph_0007"), false);
  assert.equal(byLikelihood?.("morph_0099"), undefined);
  assert.equal(byChoice?.("morph_0001"), false);
  assert.equal(byChoice?.("morph_0099"), undefined);
});

Deno.test("confusionCells() shows cases with five pairs or more, for scored models and the yardstick", () => {
  const { rows, columns, groups, cells } = confusionCells(EVIDENCE);
  assert.deepEqual(rows, ["genitive", "genitive"]);
  assert.deepEqual(columns, ["dat."]);
  assert.deepEqual(groups, ["small, likelihood", MASKED]);
  assert.deepEqual(cells.map(([cell]) => cell?.kind === "interval" && cell.estimate), [1, 1]);
  const few = { ...EVIDENCE.sets, main: EVIDENCE.sets.main.slice(0, 4) };
  assert.deepEqual(confusionCells({ ...EVIDENCE, sets: few }).rows, []);
});

Deno.test("stemBars() has the stems with most pairs first, in Devanagari", () => {
  const bars = stemBars(EVIDENCE, 5);
  assert.deepEqual(bars.map(({ label, n }) => [label, n]), [["देव", 8], ["पुत्र", 1]]);
  assert.deepEqual(bars[0]?.measure, { kind: "value", estimate: 6 / 8 });
  assert.equal(stemBars(EVIDENCE, 1).length, 1);
});
