import assert from "node:assert/strict";
import type { AnswerRow } from "../../../factuality/own/component_answers.ts";
import { NATURAL_SET, naturalClaims } from "../claims/knowledge_claims.ts";
import * as natural from "./natural.ts";
import { estimateOf } from "./testdata/fake_panel.ts";

/** Id, kind, label, P(supported) and the label given, on three passages. */
const ASKED = [
  ["c0", "supported", "supported", 0.9, "supported"],
  ["c1", "supported", "supported", 0.2, "refuted"],
  ["c2", "cause", "refuted", 0.1, "not enough info"],
  ["c2/right", "cause", "supported", 0.6, "supported"],
  ["c3", "cause", "refuted", 0.8, "supported"],
  ["c3/right", "cause", "supported", 0.7, "supported"],
  ["c4", "dose", "refuted", 0.3, "refuted"],
  ["c4/right", "dose", "supported", 0.4, "refuted"],
  ["c5", "hedged and certain", "not supported", 0.4, "refuted"],
  ["c6", "not stated", "not enough info", 0.1, "not enough info"],
  ["c7", "scope", "refuted", "", "time-out"],
] as const;
const CASES = ASKED.map(([id, kind, label], at): natural.NaturalCase => {
  return { id, claim: "So.", passages: [], set: NATURAL_SET, cluster: `p${at % 3}`, kind, label };
});
const ROWS = ASKED.map(([case_id, , label, supported, said], at): AnswerRow => ({
  ...{ set: NATURAL_SET, case_id, case_sha256: "0", cluster: `p${at % 3}` },
  ...{ claim_kind: "factual", label, component: "verifier", milliseconds: 1, settings_sha256: "0" },
  ...{ status: supported === "" ? "time-out" : "scored", supported, reason: `${said}: so it is` },
}));

Deno.test("Requirement 14.5: natural contradictions by kind, apart from changes by rule, worked by hand", () => {
  const figures = natural.naturalFigures(CASES, [...ROWS, { ...ROWS[0]!, set: "robustness" }]);
  const actual = figures.map((
    { group, measure, n, value },
  ) => [group, measure, n, estimateOf(value)]);
  const not = natural.NOT_ACCEPTED;
  assert.deepEqual(actual, [
    // Of c2 to c5 all but c3; the claim without a score counts nowhere.
    [natural.ALL_CONTRADICTIONS, not, 4, 0.75],
    [natural.SET_RIGHT, not, 3, Number((1 / 3).toFixed(9))],
    [natural.REWORDED, not, 2, 0.5],
    [natural.NOT_STATED, not, 1, 1],
    [natural.ALL_CONTRADICTIONS, natural.DIFFERENCE, 4, Number((0.75 - 1 / 3).toFixed(9))],
    // c3 is more supported than c3/right; c5 has no other.
    [natural.ALL_CONTRADICTIONS, natural.DISCRIMINATED, 3, Number((2 / 3).toFixed(9))],
    // Three of the five supported, four of the five others.
    [natural.ALL_CLAIMS, natural.BALANCED_ACCURACY, 10, 0.7],
    // Right are c0, c2/right, c3/right, c4 and c6, of nine: "not supported" is not one of three.
    [natural.ALL_CLAIMS, natural.THREE_LABELS, 9, Number((5 / 9).toFixed(9))],
    ["dose", not, 1, 1],
    ["dose", `${not} when set right`, 1, 1],
    ["cause", not, 2, 0.5],
    ["cause", `${not} when set right`, 2, 0],
    ["hedged and certain", not, 1, 1],
  ]);
  assert.deepEqual(natural.naturalFigures(CASES, []), []);
});

Deno.test("natural contradictions: a passage, its topic and its claims are in one split; 40 are held out", () => {
  const claims = naturalClaims();
  const splitsOf = (key: (one: typeof claims[number]) => string) =>
    [...Map.groupBy(claims, key).values()].map((own) =>
      new Set(own.map(({ split }) => split)).size
    );
  const byPassage = Map.groupBy(claims, ({ cluster }) => cluster);
  assert.ok(splitsOf(({ cluster }) => cluster).every((splits) => splits === 1));
  assert.ok(splitsOf(({ passages }) => passages[0]!.text).every((splits) => splits === 1));
  assert.equal(new Set(claims.map(({ claim }) => claim)).size, claims.length);
  const heldOut = natural.heldOutNaturalClaims();
  assert.ok(new Set(heldOut.map(({ cluster }) => cluster)).size >= 40);
  assert.ok(byPassage.size >= 120);
  // Every contradiction is set right once, with its kind, in its passage.
  const byId = new Map(claims.map((one) => [one.id, one]));
  const wrong = claims.filter(({ kind, label }) =>
    kind !== "supported" && kind !== "not stated" && label !== "supported"
  );
  for (const { id, kind, cluster } of wrong) {
    const right = byId.get(`${id}/right`);
    assert.deepEqual([right?.kind, right?.cluster, right?.label], [kind, cluster, "supported"]);
  }
  // Tables are rows of their own, as a source has them.
  assert.match(claims.find(({ id }) => id === "train-013/1")!.passages[0]!.text, /price \|\n\|---/);
});
