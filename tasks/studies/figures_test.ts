import assert from "node:assert/strict";
import { TASK as METRICS } from "../bench/metrics.ts";
import { exitCodeOf, type Runnable } from "../command.ts";
import { TASK as JUDGES } from "./judges.ts";
import {
  HUMAN_ANSWERS,
  HUMAN_LABELLED,
  humanFigures,
} from "../../lib/factuality/own/human_labelled.ts";
import {
  LABELLED,
  MEASURED_ALONE,
  sourceCounts,
  trainingResults,
  VERIFIER,
} from "../../lib/factuality/own/training/results.ts";
import {
  VERIFIER_ANSWERS,
  VERIFIER_SOURCES,
  VERIFIER_TRAINING,
} from "../../lib/factuality/own/training/tables.ts";
import { inFolder } from "../../lib/files/testdata/folder.ts";
import { TASK as ABSTENTION } from "./abstention.ts";
import { TASK as COMPARE } from "./compare.ts";
import { TASK as COVERAGE } from "./coverage.ts";
import { TASK as GOLD } from "./gold.ts";
import { TASK as WMT23 } from "./wmt23.ts";

/** Rows without the ends of intervals, by key. */
const pointsOf = <Row extends object>(rows: readonly Row[], keyOf: (row: Row) => string) =>
  new Map(rows.map((row) => [
    keyOf(row),
    Object.fromEntries(
      Object.entries(row).filter(([name]) => !/(?:^|_)(?:low|high)$/u.test(name)),
    ),
  ]));

/** Returns number scored, accuracy and balanced accuracy of answers at 0.5, in four decimals. */
function plainFigures(
  answers: readonly { readonly label: string; readonly supported: number | "" }[],
) {
  const scored = answers.filter(({ supported }) => supported !== "");
  const sides = [true, false].map((side) => {
    const own = scored.filter(({ label }) => (label === "supported") === side);
    const right = own.filter(({ supported }) => (Number(supported) >= 0.5) === side).length;
    return { right, share: right / own.length };
  });
  const [accuracy, balanced] = [
    (sides[0]!.right + sides[1]!.right) / scored.length,
    (sides[0]!.share + sides[1]!.share) / 2,
  ].map((share) => Number(share.toFixed(4)));
  return [scored.length, accuracy, balanced];
}

Deno.test("the committed figures of verifiers are those of the committed answers, claim by claim", () => {
  const answers = VERIFIER_ANSWERS.read();
  const committed = VERIFIER_TRAINING.read().filter(({ step }) => step !== "ablation");
  for (const row of committed.filter(({ reading }) => reading === "binary")) {
    const isOfSource = (set: string) => set === LABELLED || set === MEASURED_ALONE;
    const own = answers.filter(({ set, source, verifier }) =>
      verifier === row.verifier &&
      (row.step === "source" ? isOfSource(set) && source === row.set : set === row.set)
    );
    assert.deepEqual(plainFigures(own), [row.n, row.accuracy, row.balanced_accuracy]);
  }
  // All figures of one, so that the test is quick: intervals take their time.
  const ofShipped = <Row extends { readonly verifier: string }>(rows: readonly Row[]) =>
    rows.filter(({ verifier }) => verifier === VERIFIER);
  const { keyOf } = VERIFIER_TRAINING;
  const computed = trainingResults(ofShipped(answers));
  assert.deepEqual(pointsOf(computed, keyOf), pointsOf(ofShipped(committed), keyOf));
  assert.deepEqual(sourceCounts(answers), VERIFIER_SOURCES.read());
});

Deno.test("the committed figures on sets that people labelled are those of the committed answers", () => {
  const answers = HUMAN_ANSWERS.read();
  const committed = HUMAN_LABELLED.read();
  const isAsked = Map.groupBy(answers, ({ set, component }) => JSON.stringify([set, component]));
  for (const { set, cases, component, ...row } of committed) {
    const own = isAsked.get(JSON.stringify([set, component]))!;
    const drawn = new Set(
      answers.filter((one) => one.set === set && one.component.startsWith("ensemble"))
        .map(({ case_id }) => case_id),
    );
    const asked = cases === "all" ? own : own.filter(({ case_id }) => drawn.has(case_id));
    assert.deepEqual(plainFigures(asked), [row.n, row.accuracy, row.balanced_accuracy]);
  }
  const [set, component] = ["halueval_qa", VERIFIER];
  const isOne = (row: { readonly set: string; readonly component: string }) =>
    row.set === set && row.component === component;
  const { keyOf } = HUMAN_LABELLED;
  const ofAll = committed.filter((row) => isOne(row) && row.cases === "all");
  assert.deepEqual(
    pointsOf(humanFigures(answers.filter(isOne)), keyOf),
    pointsOf(ofAll, keyOf),
  );
});

/** Commands that read a set, with a part of the name of the first that they look for. */
const READERS: readonly (readonly [Runnable, readonly string[], set: string])[] = [
  [COMPARE, ["--human"], "factcheckgpt_stance"],
  [COVERAGE, [], "factscore_labeled"],
  [GOLD, [], "gita_morphology_gold"],
  [WMT23, [], "wmt23_ende_scores"],
  [JUDGES, ["--large"], "nli_development"],
];

/** Those that do the rest without. */
const OPTIONAL: typeof READERS = [
  [ABSTENTION, [], "factscore_labeled"],
  [METRICS, [], "wmt23_ende_scores"],
];

Deno.test("commands find an absent set before anything else, and say what to get and where to name it", () =>
  inFolder(async (folder) => {
    const cases = [...READERS, ...OPTIONAL].flatMap(([task, words, set]) => {
      const named = [task, [...words, "--folder", folder], set] as const;
      return OPTIONAL.some(([one]) => one === task)
        ? [named]
        : [[task, words, set], named] as const;
    });
    for (const [task, words, set] of cases) {
      const printed: string[] = [];
      const { log, error } = console;
      console.log = console.error = (line: string) => void printed.push(line);
      const code = await exitCodeOf(task, words).finally(() => {
        [console.log, console.error] = [log, error];
      });
      assert.equal(code, 1, set);
      const [sentence, ...more] = printed;
      assert.deepEqual(more, [], "nothing else is printed before it or after");
      assert.match(
        sentence!,
        new RegExp(
          `^Cannot read .*: the set ${set} is not part of this repository\\. Get .* \\(licence: .*\\), ` +
            "put it into a folder and name that with --folder\\.",
        ),
      );
    }
  }));
