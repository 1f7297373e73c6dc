import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { LabelledCase } from "../../lib/factuality/cases/labelled_case.ts";
import type { ComparedComponent } from "../../lib/factuality/study/evaluation/compared_component.ts";
import { readComponentAnswers } from "../../lib/factuality/study/evaluation/component_answers.ts";
import { caseOf } from "../../lib/factuality/study/evaluation/testdata/cases.ts";
import { askGroups, type AskRun } from "./ask_groups.ts";
import type { ComponentGroup } from "./component_group.ts";
import { ENSEMBLE } from "./component_groups.ts";

const CASES = ["a", "b"].map((id) => caseOf(id));

interface StandIn extends ComparedComponent {
  readonly asked: string[];
}

function standIn(name: string, supported: number, settings = {}): StandIn {
  const asked: string[] = [];
  return {
    ...{ name, settings, asked },
    answer({ id }: LabelledCase) {
      asked.push(id);
      const unscored = undefined;
      return Promise.resolve({ supported, unscored, reason: "so it is", milliseconds: 1 });
    },
  };
}

function groupOf(judges: readonly StandIn[]): ComponentGroup {
  const members = judges.map((component) => ({ component, weight: 1 }));
  return {
    names: [...judges.map(({ name }) => name), ENSEMBLE],
    open: () =>
      Promise.resolve({
        components: judges,
        ensemble: { members, strategy: "mean", lowConfidenceVariance: 20 },
        [Symbol.asyncDispose]: () => Promise.resolve(),
      }),
  };
}

/** A run of these judges, its table in a folder of its own. */
function inFolder(
  work: (ask: (judges: readonly StandIn[], more?: Partial<AskRun>) => Asked) => unknown,
) {
  return async () => {
    const folder = Deno.makeTempDirSync();
    const table = join(folder, "answers.csv");
    try {
      await work((judges, more = {}) => ({
        done: askGroups({
          ...{ table, aside: join(folder, "aside.csv"), known: CASES, casesOf: () => CASES },
          ...{ groups: [groupOf(judges)], only: "", threads: 1 },
          ...{ signal: new AbortController().signal, tell: () => {}, ...more },
        }),
        rows: () => readComponentAnswers(table),
      }));
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  };
}

interface Asked {
  readonly done: Promise<boolean>;
  readonly rows: () => ReturnType<typeof readComponentAnswers>;
}

test(
  "askGroups() asks each judge about each case, then puts them together without asking again",
  inFolder(async (ask) => {
    const judges = [standIn("one", 0.8), standIn("two", 0.4)];
    const { done, rows } = ask(judges);
    assert.equal(await done, true);
    assert.deepEqual(judges.map(({ asked }) => asked), [["a", "b"], ["a", "b"]]);
    const together = rows().filter(({ component }) => component === ENSEMBLE);
    assert.deepEqual(together.map(({ supported }) => supported), [0.6, 0.6]);
  }),
);

test(
  "askGroups() asks nothing again, and everything of a judge whose settings have changed",
  inFolder(async (ask) => {
    await ask([standIn("one", 0.8)]).done;
    const same = standIn("one", 0.8);
    await ask([same]).done;
    assert.deepEqual(same.asked, []);
    const other = standIn("one", 0.2, { seed: 2 });
    const { done, rows } = ask([other]);
    await done;
    assert.deepEqual(other.asked, ["a", "b"]);
    assert.deepEqual(rows().map(({ supported }) => supported), [0.2, 0.2, 0.2, 0.2]);
  }),
);

test(
  "askGroups() opens no group that is not wanted, and stops at a signal",
  inFolder(async (ask) => {
    const one = standIn("one", 0.8);
    assert.equal(await ask([one], { only: "no such name" }).done, true);
    assert.equal(await ask([one], { signal: AbortSignal.abort() }).done, false);
    assert.deepEqual(one.asked, []);
  }),
);
