import assert from "node:assert/strict";
import { measureMatcher } from "./claim_matches.ts";

Deno.test("measureMatcher() counts both directions of each pair: 3 of 4 found are right, 3 of 4 are found", async () => {
  // A premise that has the claim's every letter entails it.
  const within = (premise: string, claim: string) =>
    [...claim].every((letter) => premise.includes(letter));
  const letters = { name: "letters", entailments: () => Promise.resolve(within) };
  const pairs = ([
    ["no", "ab", "ba", "same"],
    ["se", "abc", "a", "first entails"],
    ["fi", "ab", "a", "neither"],
    ["dk", "a", "b", "second entails"],
  ] as const).map(([question_id, first, second, label]) => (
    { part: "test", question_id, first, second, label } as const
  ));
  const found = await measureMatcher(pairs, letters);
  assert.deepEqual([found.directions, found.entailments], [8, 4]);
  assert.ok(found.precision.kind === "interval" && found.precision.estimate === 3 / 4);
  assert.ok(found.recall.kind === "interval" && found.recall.estimate === 3 / 4);
});
