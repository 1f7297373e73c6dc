import assert from "node:assert/strict";
import { judgedClaims } from "./response_material.ts";
import { readTable } from "../../files/resumable_table.ts";
import { claimKey, drawClaims } from "./draw_claims.ts";
import { CLAIM_LABEL_TABLE, CLAIM_TABLE, type ClaimLabelRow } from "./response_tables.ts";
import { KNOWLEDGE_SEED } from "../training/knowledge_claims.ts";
import { claimRowOf } from "./testdata/rows.ts";

const LABEL: ClaimLabelRow = {
  ...{ system: "S", question_id: "ke", claim_id: "c1", claim: "Kenya exports tea." },
  ...{ label: "refuted", reason: "made up", second_label: "refuted" },
};

Deno.test("judgedClaims() pairs verdicts with a reader's labels, and refuses labels of other words", () => {
  const [judged] = judgedClaims([LABEL], [claimRowOf()]);
  assert.deepEqual([judged!.label, judged!.probabilities?.supported], ["refuted", 0.8]);
  const changed = [claimRowOf({ claim: "Kenya exports coffee." })];
  assert.throws(() => judgedClaims([LABEL], changed), /claim c1 of S about ke/);
});

Deno.test("The labels that ship are of the claims that ship, the first of their draw", () => {
  const [labels, claims] = [readTable(CLAIM_LABEL_TABLE), readTable(CLAIM_TABLE)];
  assert.equal(judgedClaims(labels, claims).length, 124);
  const drawn = drawClaims(claims, labels.length, KNOWLEDGE_SEED);
  assert.deepEqual(labels.map(claimKey), drawn.map(claimKey));
});
