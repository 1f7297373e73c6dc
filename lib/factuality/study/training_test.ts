import assert from "node:assert/strict";
import { randomSource } from "../../stats/random.ts";
import type { ResponseClaimLabel } from "../generation/tables.ts";
import type { ToldClaim } from "../metrics/intervals.ts";
import { HEAD_INPUTS } from "../verifiers/head.ts";
import * as training from "./training.ts";

const told = (label: ToldClaim["label"], supported: number, cluster: string) => (
  { label, supported, cluster }
);

/** Two supported claims, one of them accepted; four that are not, one of them accepted. */
const TOLD = [
  told("supported", 0.9, "a"),
  told("supported", 0.2, "b"),
  told("refuted", 0.6, "a"),
  told("refuted", 0.1, "b"),
  told("refuted", 0.3, "b"),
  told("not enough info", 0.4, "a"),
];

Deno.test("trustOf() has the mean of both recalls, of supported and of the rest", () => {
  const { accuracy, n } = training.trustOf("made", "verifier", TOLD, 1);
  assert.ok(accuracy.kind === "interval");
  assert.deepEqual([accuracy.estimate, n], [(1 / 2 + 3 / 4) / 2, 6]);
});

Deno.test("passedShare() counts refuted claims alone, and says so where there are none", () => {
  const passed = training.passedShare(TOLD, randomSource(1));
  assert.ok(passed.kind === "interval");
  assert.deepEqual([passed.estimate, passed.n], [1 / 3, 3]);
  assert.equal(training.passedShare(TOLD.slice(0, 2), randomSource(1)).kind, "unavailable");
});

Deno.test("reliabilityOf() puts probabilities of supported into ten bins", () => {
  const sets = [training.reliabilityOf("made", TOLD)];
  assert.deepEqual(sets[0]!.bins.map(({ n }) => n), [0, 1, 1, 1, 1, 0, 1, 0, 0, 1]);
});

Deno.test("toldByRater() leaves out what the rater did not rate", () => {
  const named = { system: "s", question_id: "xx", claim: "It is." };
  const label = (claim_id: string): ResponseClaimLabel => (
    { ...named, claim_id, label: "refuted", reason: "", second_label: "refuted" }
  );
  const rating = { ...named, claim_id: "c1", label: "supported", settings_sha256: "" } as const;
  const ratings = [{ ...rating, rater: "one", score: 0.7 }, { ...rating, rater: "two", score: 0 }];
  assert.deepEqual(training.toldByRater("one", ratings, [label("c1"), label("c2")]), [
    { label: "refuted", cluster: "xx", supported: 0.7 },
  ]);
});

Deno.test("weighedTable() tells the greatest first, signed for supported over refuted", () => {
  const zeros = HEAD_INPUTS.map(() => 0);
  const head = {
    means: zeros,
    scales: zeros.map(() => 2),
    coefficients: [zeros.with(0, 1).with(1, 3), zeros.with(0, -1).with(1, 6), zeros],
    intercepts: [0, 0, 0],
  };
  const table = training.weighedTable(zeros.with(0, 4).with(1, 4), head, 2).split("\n").slice(2);
  assert.deepEqual(table, [
    `| ${HEAD_INPUTS[1]} | 4.00 | -6.00 |`,
    `| ${HEAD_INPUTS[0]} | 4.00 | 4.00 |`,
  ]);
});
