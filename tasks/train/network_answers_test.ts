import assert from "node:assert/strict";
import { greatestDifference } from "./network_answers.ts";

Deno.test("greatestDifference() is of probabilities, not of logits", () => {
  assert.equal(greatestDifference([5, 1, 2], [5, 1, 2]), 0);
  // A shift of all logits changes no probability.
  assert.ok(greatestDifference([5, 1, 2], [6, 2, 3]) < 1e-12);
  // A third against e/(e + 2).
  const expected = Math.E / (Math.E + 2) - 1 / 3;
  assert.ok(Math.abs(greatestDifference([0, 0, 0], [1, 0, 0]) - expected) < 1e-12);
});
