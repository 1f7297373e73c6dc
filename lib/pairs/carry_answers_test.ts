import assert from "node:assert/strict";
import { carryRows, sameQuestions } from "./carry_answers.ts";

const pair = (id: string, grammatical: string, ungrammatical: string) => ({
  ...{ id, grammatical, ungrammatical },
});

Deno.test("sameQuestions() goes by both sentences, whatever the number", () => {
  const before = [pair("P_001", "a", "b"), pair("P_002", "c", "d"), pair("P_003", "e", "f")];
  const now = [pair("P_001", "c", "d"), pair("P_002", "e", "x"), pair("P_003", "a", "b")];
  assert.deepEqual([...sameQuestions(before, now)], [["P_001", "P_003"], ["P_002", "P_001"]]);
});

Deno.test("carryRows() gives rows their pairs' present ids and leaves out those of pairs gone", () => {
  const rows = [{ pairId: "P_001", n: 1 }, { pairId: "P_003", n: 2 }, { pairId: "P_001", n: 3 }];
  assert.deepEqual(carryRows(rows, new Map([["P_001", "P_007"]])), [
    { pairId: "P_007", n: 1 },
    { pairId: "P_007", n: 3 },
  ]);
});
