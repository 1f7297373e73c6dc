import assert from "node:assert/strict";
import { randomSource } from "../../stats/random.ts";
import { HUMAN_LABELLED, humanLabelledRows } from "./human_labelled.ts";
import { caseOf } from "./testdata/labelled.ts";

const CASES = [
  ...["a", "b", "c"].map((id) => caseOf(id)),
  ...["d", "e"].map((id) => caseOf(id, "not supported")),
];

function rowOf(answered: Readonly<Record<string, number | undefined>>) {
  const answers = new Map(
    Object.entries(answered).map(([id, supported]) => {
      const unscored = supported === undefined ? "failure" as const : undefined;
      return [id, { supported, unscored, reason: "", milliseconds: 4 }];
    }),
  );
  const runs = [{ component: "judge", answers }];
  return humanLabelledRows({ set: "s", scope: "draw" }, CASES, runs, randomSource(1));
}

Deno.test("humanLabelledRows() counts what was scored: worked by hand", () => {
  // a, b right, c missed, d taken for supported, e without a score.
  const [row] = rowOf({ a: 0.9, b: 0.5, c: 0.1, d: 0.8, e: undefined });
  assert.deepEqual([row!.n, row!.unscored, row!.clusters], [4, 1, 4]);
  assert.deepEqual([row!.accuracy, row!.precision, row!.recall], [0.5, 0.6667, 0.6667]);
  // One claim of the one label: resamples without it are too many for an interval.
  assert.deepEqual([row!.balanced_accuracy, row!.median_milliseconds], ["", 4]);
  assert.match(HUMAN_LABELLED.format(rowOf({ a: 0.9 })), /\ns,draw,judge,1,1,0,/);
});
