import assert from "node:assert/strict";
import { sourcePassage } from "../../retrieval/passage.ts";
import { KNOWLEDGE_SET } from "../../training/case_group.ts";
import type { KnowledgeCase } from "../../training/knowledge_case.ts";
import { claimOnlyTable, exampleTable, splitTable, tallyTable } from "./case_tables.ts";

const CASE: KnowledgeCase = {
  id: "a/f0/supported",
  claim: "Ada sang.",
  passages: [sourcePassage("Bo danced."), sourcePassage("Ada sang in Rome.")],
  label: "supported",
  cluster: "A",
  set: KNOWLEDGE_SET,
  split: "test",
  kind: "fact",
  edit: "value",
  form: "web",
};
const CASES: readonly KnowledgeCase[] = [
  CASE,
  { ...CASE, label: "refuted", cluster: "B" },
  { ...CASE, label: "not enough info", kind: "opinion", edit: "opinion", split: "train" },
];
const rows = (table: string) => table.split("\n").slice(2);

Deno.test("splitTable() counts countries, cases and labels", () => {
  assert.deepEqual(rows(splitTable(CASES)), [
    "| train | 1 | 1 | 0 | 0 | 1 |",
    "| development | 0 | 0 | 0 | 0 | 0 |",
    "| test | 2 | 2 | 1 | 1 | 0 |",
  ]);
});

Deno.test("tallyTable() puts the most frequent first", () => {
  assert.deepEqual(rows(tallyTable(CASES, "edit")), [
    "| value | 2 | 1 | 1 | 0 |",
    "| opinion | 1 | 0 | 0 | 1 |",
  ]);
});

Deno.test("exampleTable() shows the part of the sources that is nearest to the claim", () => {
  assert.deepEqual(rows(exampleTable([CASE, CASES[2]!])), [
    "| A | Ada sang. | supported | fact, value | (web) Ada sang in Rome. |",
    "| A | Ada sang. | not enough info | opinion | (web) Ada sang in Rome. |",
  ]);
});

Deno.test("claimOnlyTable() says why there is no figure, rather than give one", () => {
  const table = claimOnlyTable(() => 0.9, [CASE, { ...CASE, cluster: "B" }]);
  assert.match(rows(table)[0]!, /\| 2 \| 2 \| – \(/u);
});
