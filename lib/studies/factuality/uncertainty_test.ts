import assert from "node:assert/strict";
import { sampledThought } from "../../factuality/metrics/testdata/made.ts";
import { questionUncertainties, uncertaintySummaries } from "./uncertainty.ts";

Deno.test("questionUncertainties() puts the thoughts about a question together", () => {
  const rows = [
    sampledThought("ao", [0.7, 0.1, 0.1, 0.1]),
    sampledThought("ao", [0.1, 0.7, 0.1, 0.1]),
  ];
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

Deno.test("Requirement 18.4: uncertainty tells wrong answers from right ones, and is flagged", () => {
  // Two thoughts each about ten countries: sure and right, or unsure and wrong.
  const rows = Array.from({ length: 20 }, (_, i) => {
    const sure = [0.97, 0.01, 0.01, 0.01];
    return sampledThought(`q${i % 10}`, i % 10 < 5 ? sure : [0.2, 0.4, 0.2, 0.2]);
  });
  const { questions } = questionUncertainties(rows);
  const { measures } = uncertaintySummaries(questions)[0]!;
  const total = measures.find(({ name }) => name === "total, by entropy")!;
  assert.ok(total.area.kind === "interval" && total.area.estimate === 1);
  assert.ok(total.high.kind === "interval" && total.high.estimate === 0.5);
  const same = measures.find(({ name }) => name === "epistemic, by variance")!;
  assert.ok(same.area.kind === "interval" && Math.abs(same.area.estimate - 0.5) < 1e-9);
  const token = measures.find(({ name }) => name.startsWith("token entropy"))!;
  assert.deepEqual([token.meanRight, token.high.kind], [2, "unavailable"]);
});
