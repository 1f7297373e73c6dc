import assert from "node:assert/strict";
import { randomSource } from "../../../stats/random.ts";
import type { ClaimMatcher } from "../../metrics/claim_matching.ts";
import { matchersTable, measureMatcher, readLabelledPairs } from "./labelled_pairs.ts";

/** A premise that has the claim's every letter entails it. */
const matcher: ClaimMatcher = {
  name: "letters",
  settings: {},
  entailments: () =>
    Promise.resolve((premise, claim) => [...claim].every((letter) => premise.includes(letter))),
};

const pair = (
  question_id: string,
  first: string,
  second: string,
  label: "same" | "first entails" | "second entails" | "neither",
) => ({ part: "test", question_id, first, second, label }) as const;

Deno.test("measureMatcher() counts both directions of each pair: 3 of 4 found are right, 3 of 4 are found", async () => {
  const pairs = [
    pair("no", "ab", "ba", "same"),
    pair("se", "abc", "a", "first entails"),
    pair("fi", "ab", "a", "neither"),
    pair("dk", "a", "b", "second entails"),
  ];
  const found = await measureMatcher(pairs, matcher, randomSource(1));
  assert.deepEqual([found.directions, found.entailments], [8, 4]);
  assert.ok(found.precision.kind === "interval" && found.precision.estimate === 3 / 4);
  assert.ok(found.recall.kind === "interval" && found.recall.estimate === 3 / 4);
  assert.match(matchersTable([found]), /\| letters \| +8 \| +4 \|/);
});

Deno.test("the pairs that ship can be read, and no query is in both parts", () => {
  const pairs = readLabelledPairs();
  const queries = (part: string) =>
    new Set(pairs.filter((pair) => pair.part === part).map(({ question_id }) => question_id));
  assert.ok(queries("development").size > 0);
  assert.ok(queries("development").isDisjointFrom(queries("test")));
});
