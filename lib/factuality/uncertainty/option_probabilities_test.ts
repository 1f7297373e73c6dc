import assert from "node:assert/strict";
import fc from "fast-check";
import { optionProbabilities } from "./option_probabilities.ts";

Deno.test("optionProbabilities() gives P(option | one of the options)", () => {
  const found = optionProbabilities(["a", "b"], [Math.log(0.03), Math.log(0.01)]);
  assert.ok(Math.abs(found[0]! - 0.75) < 1e-12);
});

Deno.test("optionProbabilities() per character does not favour short options", () => {
  const [short, long] = optionProbabilities(["ab", "abcd"], [-2, -4], "per character");
  assert.ok(Math.abs(short! - long!) < 1e-12);
});

Deno.test("optionProbabilities() is a distribution, however unlikely the options are", () => {
  const logs = fc.array(fc.double({ min: -2_000, max: 0, noNaN: true }), {
    minLength: 4,
    maxLength: 4,
  });
  fc.assert(
    fc.property(logs, (values) => {
      const found = optionProbabilities(["a", "b", "c", "d"], values);
      assert.ok(Math.abs(found.reduce((sum, p) => sum + p, 0) - 1) < 1e-9);
    }),
    { numRuns: 100 },
  );
});
