import assert from "node:assert/strict";
import { atomicFactCoverage } from "./coverage.ts";

Deno.test("atomicFactCoverage() counts what one statement of the other list has the words of", () => {
  const claims = ["Ada Byron was born in London in 1815.", "Ada Byron wrote notes."];
  const facts = ["in 1815", "in London"].map((part) => `Ada was born ${part}.`);
  const found = atomicFactCoverage(
    claims,
    [...facts, "She wrote notes.", "She sang."],
    "Ada Byron",
  );
  assert.deepEqual(found, { claims: 2, facts: 4, factsCovered: 3, claimsCovered: 1 });
});
