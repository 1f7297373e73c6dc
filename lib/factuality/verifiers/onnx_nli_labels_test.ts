import assert from "node:assert/strict";
import fc from "fast-check";
import { nliLabels, nliProbabilities } from "./onnx_nli_labels.ts";

Deno.test("nliLabels() reads published orders and spellings", () => {
  const three = (entailment: number, neutral: number, contradiction: number) => ({
    ...{ kind: "three labels", entailment, neutral, contradiction },
  });
  const cases: readonly (readonly [Record<string, string>, unknown])[] = [
    [{ 0: "entailment", 1: "neutral", 2: "contradiction" }, three(0, 1, 2)],
    [{ 0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT" }, three(2, 1, 0)],
    [{ 0: "contradiction", 1: "entailment", 2: "neutral" }, three(1, 2, 0)],
    [{ 0: "SUPPORTS", 1: "REFUTES", 2: "NOT ENOUGH INFO" }, three(0, 2, 1)],
    [{ 0: "entailment", 1: "not_entailment" }, {
      ...{ kind: "two labels", entailment: 0, notEntailment: 1 },
    }],
    [{ 0: "unsupported", 1: "Supported" }, {
      ...{ kind: "two labels", entailment: 1, notEntailment: 0 },
    }],
  ];
  for (const [labels, expected] of cases) assert.deepEqual(nliLabels(labels), expected);
});

Deno.test("nliLabels() refuses to guess", () => {
  const refused: readonly (Record<string, string> | undefined)[] = [
    undefined,
    {},
    { 0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2" },
    { 0: "entailment", 1: "neutral" },
    { 0: "entailment", 1: "neutral", 2: "contradiction", 3: "other" },
    { 0: "entailment", 1: "entailment", 2: "contradiction" },
  ];
  for (const labels of refused) {
    assert.throws(() => nliLabels(labels), /^TypeError: the labels of its config\.json \(/);
  }
});

Deno.test("nliProbabilities() puts each logit under its verdict", () => {
  const labels = nliLabels({ 0: "contradiction", 1: "entailment", 2: "neutral" });
  const found = nliProbabilities([0, Math.log(2), Math.log(5)], labels);
  assert.ok(Math.abs(found.refuted - 1 / 8) < 1e-12);
  assert.ok(Math.abs(found.supported - 2 / 8) < 1e-12);
  assert.ok(Math.abs(found["not enough info"] - 5 / 8) < 1e-12);
  const two = nliLabels({ 0: "entailment", 1: "not_entailment" });
  assert.deepEqual(nliProbabilities([0, 0], two), {
    supported: 0.5,
    refuted: 0,
    "not enough info": 0.5,
  });
  assert.throws(() => nliProbabilities([0, NaN, 1], labels), /not 3 finite numbers/);
  assert.throws(() => nliProbabilities([0, 1], labels), /not 3 finite numbers/);
});

Deno.test("Requirement 2.2: any finite logits give three probabilities that sum to 1", () => {
  const logit = fc.double({ min: -1e6, max: 1e6, noNaN: true });
  const labels = nliLabels({ 0: "entailment", 1: "neutral", 2: "contradiction" });
  fc.assert(
    fc.property(fc.tuple(logit, logit, logit), (logits) => {
      const found = nliProbabilities(logits, labels);
      const values = Object.values(found);
      assert.ok(values.every((value) => value >= 0 && value <= 1));
      assert.ok(Math.abs(values.reduce((sum, value) => sum + value, 0) - 1) < 1e-12);
    }),
    { numRuns: 200 },
  );
});
