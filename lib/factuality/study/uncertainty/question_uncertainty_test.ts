import assert from "node:assert/strict";
import { questionUncertainties } from "./question_uncertainty.ts";
import { sampleRow, tenQuestions } from "./testdata/sample_rows.ts";

Deno.test("questionUncertainties() puts the thoughts about a question together", () => {
  const rows = [sampleRow("ao", [0.7, 0.1, 0.1, 0.1]), sampleRow("ao", [0.1, 0.7, 0.1, 0.1])];
  const { questions: [found], incomplete } = questionUncertainties(rows);
  assert.equal(incomplete, 0);
  assert.deepEqual([found!.model, found!.cluster, found!.samples], ["m", "ao", 2]);
  const rounded = found!.meanProbabilities.map((p) => Number(p.toFixed(6)));
  assert.deepEqual(rounded, [0.4, 0.4, 0.1, 0.1]);
  assert.ok(found!.byVariance.kind === "uncertainty" && found!.byEntropy.kind === "uncertainty");
  // p̄: 1 − .34; within: 1 − .52; across: the rest; all ÷ ¾.
  assert.ok(Math.abs(found!.byVariance.normalised.total - 0.66 / 0.75) < 1e-9);
  assert.ok(Math.abs(found!.byVariance.normalised.epistemic - 0.18 / 0.75) < 1e-9);
  assert.equal(found!.tokenEntropy, 2);
});

Deno.test("questionUncertainties() calls the most probable option the answer", () => {
  const { questions } = questionUncertainties(tenQuestions());
  assert.deepEqual(questions.map(({ right }) => right), [
    ...[true, true, true, true, true, false, false, false, false, false],
  ]);
  assert.ok(Math.abs(questions[9]!.confidence - 0.4) < 1e-9);
});

Deno.test("questionUncertainties() leaves out what was not asked as often, or with other settings", () => {
  const rows = [
    ...tenQuestions(),
    sampleRow("zz", [0.7, 0.1, 0.1, 0.1]),
    ...tenQuestions().slice(0, 2).map((row) => ({ ...row, settings_sha256: "new" })),
  ];
  const { questions, incomplete } = questionUncertainties(rows);
  assert.deepEqual([questions.length, incomplete], [1, 11]);
});

Deno.test("questionUncertainties() keeps a model that was asked less often with its new settings", () => {
  const old = [0.7, 0.6].map((p) => sampleRow("ao", [p, 0.1, 0.1, 0.1]));
  const { questions } = questionUncertainties([...old, { ...old[0]!, settings_sha256: "new" }]);
  assert.equal(questions.length, 1);
});

Deno.test("questionUncertainties() of thoughts without tokens has no token entropy", () => {
  const row = sampleRow("ao", [0.7, 0.1, 0.1, 0.1], { token_entropy: "" });
  const { questions: [found] } = questionUncertainties([row]);
  assert.equal(found!.tokenEntropy, undefined);
  assert.equal(found!.byEntropy.kind, "unavailable");
});
