import assert from "node:assert/strict";
import { classifiedFromRows, judgedClaims, ratingsOf, readerRatings } from "./response_material.ts";
import { readTable } from "../../files/resumable_table.ts";
import { claimKey, drawClaims } from "./draw_claims.ts";
import { CLAIM_LABEL_TABLE, CLAIM_TABLE, type ClaimLabelRow } from "./response_tables.ts";
import { KNOWLEDGE_SEED } from "../training/knowledge_claims.ts";
import { claimRowOf, responseRowOf } from "./testdata/rows.ts";

const LABEL: ClaimLabelRow = {
  ...{ system: "S", question_id: "ke", claim_id: "c1", claim: "Kenya exports tea." },
  ...{ label: "refuted", reason: "made up" },
};

Deno.test("classifiedFromRows() leaves out what cannot be checked, and keeps what has no verdict", () => {
  const none = { label: "", p_supported: "", p_refuted: "", p_not_enough_info: "" } as const;
  const [one, empty] = classifiedFromRows(
    [responseRowOf(), responseRowOf({ question_id: "fo", response: "" })],
    [
      claimRowOf(),
      claimRowOf({ claim_id: "c2", status: "not checkable", ...none }),
      claimRowOf({ claim_id: "c3", status: "no evidence", ...none }),
      claimRowOf({ system: "T" }),
    ],
    ({ response }) => response === "",
  );
  assert.deepEqual(one!.claims.map(({ id, label }) => [id, label]), [
    ["c1", "supported"],
    ["c3", undefined],
  ]);
  assert.deepEqual([one!.abstained, one!.cluster], [false, "ke"]);
  assert.deepEqual([empty!.abstained, empty!.claims], [true, []]);
});

Deno.test("judgedClaims() pairs verdicts with a reader's labels, and refuses labels of other words", () => {
  const [judged] = judgedClaims([LABEL], [claimRowOf()]);
  assert.deepEqual([judged!.label, judged!.probabilities?.supported], ["refuted", 0.8]);
  const changed = [claimRowOf({ claim: "Kenya exports coffee." })];
  assert.throws(() => judgedClaims([LABEL], changed), /claim c1 of S about ke/);
});

Deno.test("readerRatings() knows two labels; ratingsOf() takes one system's that have a score", () => {
  const rows = readerRatings([LABEL, { ...LABEL, system: "T" }]);
  assert.deepEqual(ratingsOf("S", rows).map(({ rater, label }) => [rater, label]), [
    ["careful reader", "not supported"],
  ]);
  assert.deepEqual(ratingsOf("S", rows.map((row) => ({ ...row, label: "" }))), []);
});

Deno.test("The labels that ship are of the claims that ship, the first of their draw", () => {
  const [labels, claims] = [readTable(CLAIM_LABEL_TABLE), readTable(CLAIM_TABLE)];
  assert.equal(judgedClaims(labels, claims).length, 124);
  const drawn = drawClaims(claims, labels.length, KNOWLEDGE_SEED);
  assert.deepEqual(labels.map(claimKey), drawn.map(claimKey));
});
