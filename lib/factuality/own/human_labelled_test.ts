import assert from "node:assert/strict";
import {
  HUMAN_ANSWERS,
  HUMAN_LABELLED,
  humanAnswers,
  humanFigures,
  humanLabelledRows,
} from "./human_labelled.ts";
import { exampleCase } from "./testdata/labelled.ts";

const CASES = [
  ...["a", "b", "c"].map((id) => exampleCase(id)),
  ...["d", "e"].map((id) => exampleCase(id, "not supported")),
];

function rowOf(answered: Readonly<Record<string, number | undefined>>, cases = CASES) {
  const answers = new Map(
    Object.entries(answered).map(([id, supported]) => {
      const unscored = supported === undefined ? "failure" as const : undefined;
      return [id, { supported, unscored, reason: "", milliseconds: 4 }];
    }),
  );
  const runs = [{ component: "judge", answers }];
  return humanLabelledRows({ set: "s", scope: "draw" }, cases, runs);
}

Deno.test("humanLabelledRows() counts what was scored: worked by hand", () => {
  // a, b right, c missed, d taken for supported, e without a score.
  const [row] = rowOf({ a: 0.9, b: 0.5, c: 0.1, d: 0.8, e: undefined });
  assert.deepEqual([row!.n, row!.unscored, row!.clusters], [4, 1, 4]);
  assert.deepEqual([row!.accuracy, row!.precision, row!.recall], [0.5, 0.6667, 0.6667]);
  // One claim of the one label: without it there is no balanced accuracy, and so no interval.
  const { balanced_accuracy, balanced_accuracy_low: low, median_milliseconds } = row!;
  assert.deepEqual([balanced_accuracy, low, median_milliseconds], [0.3333, "", 4]);
  assert.match(HUMAN_LABELLED.format(rowOf({ a: 0.9 })), /\ns,draw,judge,1,1,0,/);
});

Deno.test("Requirement 10.3: precision and recall of hallucination detection and those of supported", () => {
  // 12 supported, of which 3 are taken for hallucinations; 8 hallucinations, of which 6 are found.
  const ids = Array.from({ length: 20 }, (_, i) => `${i}`);
  const cases = ids.map((id, i) => i < 12 ? exampleCase(id) : exampleCase(id, "not supported"));
  const answers = ids.map((id, i) => [id, i < 3 || i >= 14 ? 0.2 : 0.8]);
  const row = rowOf(Object.fromEntries(answers), cases)[0]!;
  assert.deepEqual([row.precision, row.recall], [0.8182, 0.75]);
  assert.deepEqual([row.detection_precision, row.detection_recall], [0.6667, 0.75]);
  const { detection_recall_low: low, detection_recall_high: high } = row;
  assert.ok(Number(low) < 0.75 && Number(high) > 0.75);
});

Deno.test("humanFigures() counts all cases for whoever answered all, and the draw for everyone: worked by hand", () => {
  const answersTo = (ids: string, supported: (id: string) => number) =>
    new Map([...ids].map((id) => [id, {
      supported: supported(id),
      unscored: undefined,
      reason: "It says so.",
      milliseconds: 1,
    }]));
  const runs = [
    // a, b right; c missed; d taken for supported; e right.
    { component: "quick", answers: answersTo("abcde", (id) => "abd".includes(id) ? 0.9 : 0.1) },
    { component: "slow", answers: answersTo("ad", () => 0.49996) },
  ];
  const rows = humanAnswers("s", CASES, runs);
  assert.deepEqual(rows.at(-1)!.supported, 0.4999, "rounding accepts nothing");
  assert.ok(!HUMAN_ANSWERS.format(rows).includes("coast"), "no text is kept");
  assert.deepEqual(
    humanFigures(rows).map(({ cases, component, n, accuracy }) => [cases, component, n, accuracy]),
    [["all", "quick", 5, 0.6], ["draw", "quick", 2, 0.5], ["draw", "slow", 2, 0.5]],
  );
});
