import assert from "node:assert/strict";
import { judgesOf, oneJudgeEach, rightOn, strongestJudge } from "./judge.ts";
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
