import assert from "node:assert/strict";
import { atomicFactCoverage } from "./coverage.ts";

Deno.test("atomicFactCoverage() counts what one statement of the other list has the words of", () => {
  const claims = ["Ada Byron was born in London in 1815.", "Ada Byron wrote notes."];
  const facts = [
    "Ada was born in 1815.",
    "Ada was born in London.",
    "She wrote notes.",
    "She sang.",
  ];
  assert.deepEqual(atomicFactCoverage(claims, facts, "Ada Byron"), {
    claims: 2,
    facts: 4,
    factsCovered: 3,
    claimsCovered: 1,
  });
});
