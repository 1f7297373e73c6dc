import assert from "node:assert/strict";
import { refusalsOf } from "./generation/abstention_rates.ts";
import { madeAnswer } from "./generation/testdata/made.ts";
import type { LabelledCase } from "../../factuality/labelled_case.ts";
import type { ComponentRun } from "../../factuality/own/compare_components.ts";
import { CAREFUL_READER, claimRatings, classifiedResponses } from "./system_profiles.ts";
import { trustedRaters } from "./system_profiles.ts";

const answer = (system: string, question_id: string) => ({ system, question_id });

function claim(claim_id: string, status: "scored" | "not checkable" | "no evidence" = "scored") {
  const label = status === "scored" ? "supported" as const : "" as const;
  return { ...answer("a", "no"), claim_id, claim: `no ${claim_id}`, status, label };
}

Deno.test("classifiedResponses() leaves out what cannot be checked and keeps what was not scored", () => {
  const [one, two] = classifiedResponses([answer("a", "no"), answer("b", "no")], [
    claim("c1"),
    claim("c2", "not checkable"),
    claim("c3", "no evidence"),
  ]);
  const actual = one!.claims.map(({ id, label }) => [id, label]);
  assert.deepEqual(actual, [["c1", "supported"], ["c3", undefined]]);
  assert.deepEqual([one!.cluster, two!.claims], ["no", []]);
  assert.throws(
    () => classifiedResponses([], [claim("c1")]),
    /claim c1 is of a's answer to no, which is not there; run "deno task study respond" again/,
  );
});

Deno.test("trustedRaters() are those above chance on other claims; claimRatings() tells them from others", () => {
  const claims = Array.from({ length: 12 }, (_, i) => {
    const label = i % 2 === 0 ? "supported" as const : "refuted" as const;
    return { system: "a", question_id: `q${i}`, claim_id: "c1", claim: `${i}`, label };
  });
  const ratings = claims.flatMap(({ label, ...claim }) => [
    { ...claim, rater: "good", label: label === "supported" ? label : "not supported" as const },
    { ...claim, rater: "same", label: "supported" as const },
  ]);
  const cases = Array.from({ length: 40 }, (_, i) => (
    { id: `k${i}`, cluster: `c${i}`, label: i % 2 === 0 ? "supported" : "refuted" } as LabelledCase
  ));
  const run = (component: string, supportedOf: (at: number) => number) => {
    const answers = new Map(cases.map(({ id }, at) => [id, { supported: supportedOf(at) }]));
    return { component, answers } as unknown as ComponentRun;
  };
  const trusted = trustedRaters(cases, [
    run("good (next word)", (at) => 1 - at % 2),
    run("same", () => 0.9),
  ]);
  assert.deepEqual([...trusted].sort(), [CAREFUL_READER, "good"]);
  const found = claimRatings("a", ratings, claims, trusted);
  const above = new Map(found.map(({ rater, aboveChance }) => [rater, aboveChance]));
  assert.deepEqual([...above], [["good", true], ["same", false], [CAREFUL_READER, true]]);
});

Deno.test("Requirement 20.1: an answer is labelled by hand, else by the classifier, else not at all", () => {
  const queries = ["p", "q", "r"].map((id) => {
    return { id, kind: "river", exists: false, name: "Zzyx", question: "Where is Zzyx?" } as const;
  });
  const answers = [
    madeAnswer({ query_id: "p", label: "abstains", probability: 0.1 }),
    madeAnswer({ query_id: "q", probability: 0.1 }),
    madeAnswer({ query_id: "r" }),
    madeAnswer({ query_id: "p", probability: 0.9, instruction: "may decline" }),
  ];
  const found = refusalsOf("made", answers, queries);
  assert.deepEqual(found.map(({ abstained }) => abstained), [true, false, undefined]);
});
