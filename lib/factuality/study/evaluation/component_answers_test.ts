import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { ComponentAnswer } from "../../evaluation/component_answer.ts";
import { askComponent, unanswered } from "./ask_component.ts";
import {
  answerOfRow,
  answerRow,
  completeRuns,
  componentRuns,
  openComponentAnswers,
  readComponentAnswers,
  setAnswersAside,
} from "./component_answers.ts";
import { type ComparedComponent, settingsSha256 } from "./compared_component.ts";
import { caseOf } from "./testdata/cases.ts";

const YES: ComponentAnswer = {
  supported: 0.75,
  unscored: undefined,
  reason: "It says so.",
  milliseconds: 3,
};

function component(settings = {}, answer = () => Promise.resolve(YES)): ComparedComponent {
  return { name: "judge", settings, answer };
}

function inFolder(work: (table: string, aside: string) => Promise<void> | void) {
  return async () => {
    const folder = Deno.makeTempDirSync();
    try {
      await work(join(folder, "answers.csv"), join(folder, "aside.csv"));
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  };
}

const CASES = ["a", "b", "c"].map((id) => caseOf(id));

async function asked(one: ComparedComponent, table: string, signal?: AbortSignal) {
  using open = openComponentAnswers(table);
  return await askComponent(one, CASES, open, signal ? { signal } : {});
}

test("settingsSha256() heeds neither the order of keys nor the number of threads", () => {
  const one = settingsSha256({ seed: 1, threads: 1, model: "m" });
  assert.equal(settingsSha256({ model: "m", threads: 2, seed: 1 }), one);
  assert.notEqual(settingsSha256({ model: "m", seed: 2 }), one);
});

test("answerRow() keeps an answer without a score as its reason, never as 0", () => {
  const none = { ...YES, supported: undefined, unscored: "malformed answer" } as const;
  const row = answerRow(component(), caseOf("a"), none);
  assert.equal(row.status, "malformed answer");
  assert.equal(row.supported, "");
  assert.deepEqual(answerOfRow(row), none);
});

test("answerRow() brings a long reasoning of several lines into one short line", () => {
  const row = answerRow(component(), caseOf("a"), {
    ...YES,
    reason: `one\ntwo ${"x".repeat(900)}`,
  });
  assert.match(row.reason, /^one two x+…$/u);
  assert.ok(row.reason.length < 500);
});

test(
  "askComponent() resumes: what is answered is not asked again",
  inFolder(async (table) => {
    assert.equal(await asked(component(), table), true);
    const never = component({}, () => Promise.reject(new Error("asked again")));
    assert.equal(await asked(never, table), true);
    assert.equal(readComponentAnswers(table).length, 3);
  }),
);

test(
  "askComponent() keeps what was answered before an abort",
  inFolder(async (table) => {
    const stop = new AbortController();
    let count = 0;
    const stopping = component({}, () => {
      if (++count === 2) stop.abort();
      return Promise.resolve(YES);
    });
    assert.equal(await asked(stopping, table, stop.signal), false);
    const rows = readComponentAnswers(table);
    assert.equal(rows.length, 2);
    assert.deepEqual(unanswered(component(), CASES, rows).map(({ id }) => id), ["c"]);
  }),
);

test("unanswered() asks again with other settings, and about a case that has changed", () => {
  const rows = CASES.map((one) => answerRow(component(), one, YES));
  assert.equal(unanswered(component({ seed: 2 }), CASES, rows).length, 3);
  const changed = caseOf("a", "supported", "Country a has no coast.");
  assert.deepEqual(unanswered(component(), [changed, CASES[1]!], rows), [changed]);
});

test(
  "setAnswersAside() moves stale answers beside the table and leaves the others",
  inFolder(async (table, path) => {
    await asked(component(), table);
    const isStale = ({ case_id }: { readonly case_id: string }) => case_id === "b";
    assert.equal(setAnswersAside(table, { path, isStale }), 1);
    assert.equal(setAnswersAside(table, { path, isStale }), 0);
    assert.deepEqual(readComponentAnswers(table).map((row) => row.case_id), ["a", "c"]);
    assert.deepEqual(readComponentAnswers(path).map((row) => row.case_id), ["b"]);
  }),
);

test("componentRuns() leaves out answers to a case that has changed", () => {
  const rows = CASES.map((one) => answerRow(component(), one, YES));
  const changed = caseOf("a", "refuted");
  const [run] = componentRuns(rows, [changed, ...CASES.slice(1)]);
  assert.equal(run?.component, "judge");
  assert.deepEqual([...run!.answers.keys()], ["b", "c"]);
});

test("completeRuns() leaves out a component that was asked about fewer cases", () => {
  const rows = CASES.map((one) => answerRow(component(), one, YES));
  const other = rows.slice(0, 2).map((row) => ({ ...row, component: "slow" }));
  const runs = completeRuns(componentRuns([...rows, ...other], CASES));
  assert.deepEqual(runs.map((run) => run.component), ["judge"]);
});
