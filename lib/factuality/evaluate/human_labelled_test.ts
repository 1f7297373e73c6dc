import assert from "node:assert/strict";
import { randomSource } from "../../stats/random.ts";
import { caseOf } from "./testdata/labelled.ts";
import type { ComponentAnswer } from "./compare_components.ts";
import { HUMAN_LABELLED, humanLabelledRows } from "./human_labelled.ts";

const answer = (supported: number | undefined): ComponentAnswer => ({
  supported,
  unscored: supported === undefined ? "failure" : undefined,
  reason: "",
  milliseconds: 4,
});

const CASES = [
  ...["a", "b", "c"].map((id) => caseOf(id)),
  ...["d", "e"].map((id) => caseOf(id, "not supported")),
];

Deno.test("humanLabelledRows() counts what was scored: worked by hand", () => {
  // a, b right, c missed, d taken for supported, e without a score.
  const answers = new Map([
    ...([["a", 0.9], ["b", 0.5], ["c", 0.1], ["d", 0.8]] as const)
      .map(([id, value]) => [id, answer(value)] as const),
    ["e", answer(undefined)] as const,
  ]);
  const [row] = humanLabelledRows(
    { set: "made up", scope: "all" },
    CASES,
    [{ component: "judge", answers }],
    randomSource(1),
  );
  assert.equal(row!.n, 4);
  assert.equal(row!.unscored, 1);
  assert.equal(row!.clusters, 4);
  assert.equal(row!.accuracy, 0.5);
  assert.equal(row!.precision, 0.6667);
  assert.equal(row!.recall, 0.6667);
  assert.equal(row!.f1, 0.6667);
  // One claim of the one label: resamples without it are too many for an interval.
  assert.equal(row!.balanced_accuracy, "");
  assert.equal(row!.median_milliseconds, 4);
});

Deno.test("humanLabelledRows() leaves a figure empty that the cases cannot give", () => {
  const answers = new Map([["a", answer(0.9)]]);
  const runs = [{ component: "judge", answers }];
  const rows = humanLabelledRows({ set: "s", scope: "draw" }, CASES, runs, randomSource(1));
  assert.equal(rows[0]!.balanced_accuracy, "");
  const [, line] = HUMAN_LABELLED.format(rows).split("\n");
  assert.match(line!, /^s,draw,judge,1,1,0,/);
});
