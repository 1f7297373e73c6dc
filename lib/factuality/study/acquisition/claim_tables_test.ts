import assert from "node:assert/strict";
import type { Claim } from "../../claims/claim.ts";
import { claimTable, spanTable } from "./claim_tables.ts";

const TEXT = "Ada, a poet, sang. Is it late?";
const CLAIMS: readonly Claim[] = [
  {
    ...{ id: "c1", text: "Ada sang.", kind: "factual", notCheckable: undefined },
    spans: [{ start: 0, end: 3 }, { start: 13, end: 17 }],
    sentence: { start: 0, end: 18 },
    notes: [
      { kind: "pronoun resolved", pronoun: "She", to: "Ada" },
      { kind: "pronoun unresolved", pronoun: "it" },
      { kind: "subject supplied", subject: "Ada" },
    ],
  },
  {
    ...{ id: "c2", text: "Is it late?", kind: "temporal", notCheckable: "question" },
    spans: [{ start: 19, end: 30 }],
    sentence: { start: 19, end: 30 },
    notes: [],
  },
];

Deno.test("claimTable() tells what is to be checked, and what the splitter did", () => {
  assert.deepEqual(claimTable(CLAIMS).split("\n").slice(2), [
    "| c1 | Ada sang. | factual | yes | “She” read as “Ada”; “it” left open; subject “Ada” supplied |",
    "| c2 | Is it late? | temporal | no: question |  |",
  ]);
});

Deno.test("spanTable() shows the words that stand at each claim's offsets", () => {
  assert.deepEqual(spanTable(TEXT, CLAIMS).split("\n").slice(2), [
    "| c1 | Ada … sang | 0–3, 13–17 |",
    "| c2 | Is it late? | 19–30 |",
  ]);
});
