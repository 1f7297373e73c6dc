import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { inFolder } from "../../files/testdata/folder.ts";
import { randomSource } from "../../stats/random.ts";
import type { LabelledCase } from "../labelled_case.ts";
import { answerOfRow, askGroups, completeRuns } from "./ask_components.ts";
import { COMPONENT_ANSWERS } from "./component_answers.ts";
import { componentRuns, drawCases, ENSEMBLE } from "./ask_components.ts";
import { measuredByAnswers } from "./component_answers.ts";
import type { AskGroupsOptions, ComparedComponent, ComponentGroup } from "./ask_components.ts";
import type { ComponentAnswer } from "./compare_components.ts";
import { exampleCase } from "./testdata/labelled.ts";
import { type AggregationStrategy, VERDICT_LABELS } from "../types.ts";

const YES: ComponentAnswer = {
  supported: 0.75,
  unscored: undefined,
  reason: "Yes.",
  milliseconds: 3,
};
const CASES = ["a", "b", "c"].map((id) => exampleCase(id));

/** A component with a constant answer that records its cases. */
function standIn(name: string, supported: number | undefined, settings = {}) {
  const asked: string[] = [];
  const unscored = supported === undefined ? "malformed answer" as const : undefined;
  return {
    name,
    settings,
    asked,
    answer({ id }: LabelledCase) {
      asked.push(id);
      return Promise.resolve({ ...YES, supported, unscored });
    },
  };
}

function groupOf(
  components: readonly ComparedComponent[],
  weights = [1, 1],
  strategy: AggregationStrategy = "weighted average",
): ComponentGroup {
  const members = components.map((component, i) => ({ component, weight: weights[i]! }));
  const ensemble = { members, strategy, lowConfidenceVariance: 20 };
  const opened = { components, ensemble, [Symbol.asyncDispose]: () => Promise.resolve() };
  const names = [...components.map(({ name }) => name), ENSEMBLE];
  return { names, open: () => Promise.resolve(opened) };
}

/** Asks in a table of a folder of its own. */
const withTable = (
  work: (
    ask: (
      judges: readonly ComparedComponent[],
      more?: Partial<AskGroupsOptions>,
    ) => Promise<boolean>,
    table: typeof COMPONENT_ANSWERS,
  ) => Promise<void>,
) =>
  inFolder((folder) => {
    const table = COMPONENT_ANSWERS.at(join(folder, "answers.csv"));
    const { signal } = new AbortController();
    const run = { table, known: CASES, casesOf: () => CASES, threads: 1, signal, tell: () => {} };
    const ask = (judges: readonly ComparedComponent[], more: Partial<AskGroupsOptions> = {}) =>
      askGroups({ ...run, groups: [groupOf(judges)], only: "", ...more });
    return work(ask, table);
  });

Deno.test("askGroups() asks each judge about each case, then puts them together without asking again", () =>
  withTable(async (ask, table) => {
    const judges = [standIn("one", 0.8), standIn("two", 0.4)];
    assert.equal(await ask(judges, { groups: [groupOf(judges, [3, 1])] }), true);
    assert.deepEqual(judges.map(({ asked }) => asked), [["a", "b", "c"], ["a", "b", "c"]]);
    const together = table.read().filter(({ component }) => component === ENSEMBLE);
    assert.deepEqual(together.map(({ supported }) => supported), [0.7, 0.7, 0.7]);
    assert.equal(together[0]!.milliseconds, 6);
    assert.match(together[0]!.reason, /weighted average of 2 of 2 judges; low confidence/);
    // A judge without a score is left out; an ensemble without any has none.
    const now = () => table.read().find(({ component }) => component === ENSEMBLE)!;
    await ask([standIn("one", undefined, { seed: 2 }), standIn("two", 0.4)]);
    assert.equal(now().supported, 0.4);
    await ask([standIn("one", undefined), standIn("two", undefined, { seed: 2 })]);
    assert.equal(now().status, "malformed answer");
    // Nothing rests on a judge that weighs nothing, by whatever strategy.
    await ask(judges, { groups: [groupOf(judges, [0, 1], "mean")] });
    assert.equal(now().supported, 0.4);
    await ask(judges, { groups: [groupOf(judges, [0, 0], "mean")] });
    assert.equal(now().status, "not measured");
  }));

Deno.test("askGroups() asks nothing again, and everything of a judge whose settings have changed", () =>
  withTable(async (ask, table) => {
    await ask([standIn("one", 0.8, { threads: 1, seed: 1, model: "m" })]);
    // Neither the order of keys nor the number of threads counts.
    const same = standIn("one", 0.8, { model: "m", threads: 2, seed: 1 });
    await ask([same]);
    assert.deepEqual(same.asked, []);
    const other = standIn("one", 0.2, { seed: 2 });
    await ask([other]);
    assert.deepEqual(other.asked, ["a", "b", "c"]);
    assert.deepEqual(table.read().map(({ supported }) => supported), Array(6).fill(0.2));
    // A case that has changed is asked again, and rows of cases that are gone are dropped.
    const known = [exampleCase("a", "supported", "Country a has no coast."), CASES[1]!];
    const one = standIn("one", 0.2, { seed: 2 });
    await ask([one], { known, casesOf: () => known });
    assert.deepEqual(one.asked, ["a"]);
    const rows = table.read().filter(({ component }) => component === "one");
    assert.deepEqual(rows.map(({ case_id }) => case_id), ["a", "b"]);
  }));

Deno.test("askGroups() asks anew for each setting, claim and source that can change an answer, and for no label", () =>
  withTable(async (ask, table) => {
    const settings = { fileSha256: "aa", prompt: "p", temperature: 0, slope: 1, host: "groq" };
    const uncounted = {
      engine: "v1",
      threads: 1,
      sharedTexts: 1,
      licence: "MIT",
      timeoutSeconds: 9,
    };
    const askedOf = async (changed = {}, known: readonly LabelledCase[] = CASES) => {
      const one = standIn("one", 0.8, { ...settings, ...uncounted, ...changed });
      await ask([one], { known, casesOf: () => known, only: "one" });
      return one.asked.length;
    };
    assert.equal(await askedOf(), 3);
    const others = { engine: "v2", threads: 8, sharedTexts: 8, licence: "GPL", timeoutSeconds: 90 };
    for (const [name, value] of Object.entries(others)) {
      assert.equal(await askedOf({ [name]: value }), 0, name);
    }
    const counted = { fileSha256: "bb", prompt: "q", temperature: 1, slope: 2, host: "mine" };
    for (const [name, value] of Object.entries(counted)) {
      assert.equal(await askedOf({ [name]: value }), 3, name);
    }
    await askedOf();
    const [first, ...rest] = CASES;
    assert.equal(await askedOf({}, [{ ...first!, label: "refuted" }, ...rest]), 0);
    assert.equal(table.read().find(({ case_id }) => case_id === first!.id)!.label, "refuted");
    assert.equal(await askedOf({}, [{ ...first!, claim: "Another." }, ...rest]), 1);
    const passages = first!.passages.map((passage) => ({
      ...passage,
      text: `${passage.text} Ja.`,
    }));
    assert.equal(await askedOf({}, [{ ...first!, claim: "Another.", passages }, ...rest]), 1);
  }));

Deno.test("askGroups() opens no group that is not wanted, and keeps what was answered before a stop", () =>
  withTable(async (ask, table) => {
    const one = standIn("one", 0.75);
    assert.equal(await ask([one], { only: "no such name" }), true);
    assert.equal(await ask([one], { signal: AbortSignal.abort() }), false);
    assert.deepEqual(one.asked, []);
    const stop = new AbortController();
    const answer = ({ id }: LabelledCase) => {
      if (id === "c") stop.abort();
      return Promise.resolve(YES);
    };
    assert.equal(await ask([{ ...one, answer }], { signal: stop.signal }), false);
    assert.deepEqual(table.read().map(({ case_id }) => case_id), ["a", "b"]);
    await ask([one]);
    assert.deepEqual(one.asked, ["c"]);
  }));

Deno.test("answers become rows and answers again: without a score never 0, a long reason in one short line", () =>
  withTable(async (ask, table) => {
    const long = { ...YES, reason: `one\ntwo ${"x".repeat(900)}` };
    const none = { ...YES, supported: undefined, unscored: "malformed answer" } as const;
    const answer = ({ id }: LabelledCase) => Promise.resolve(id === "a" ? none : long);
    await ask([{ ...standIn("one", 1), answer }], { only: "one" });
    const [first, second] = table.read();
    assert.deepEqual(answerOfRow(first!), none);
    assert.match(second!.reason, /^one two x{392}…$/u);
    const slow = table.read().slice(0, 2).map((row) => ({ ...row, component: "slow" }));
    const now = [exampleCase("a", "refuted"), ...CASES.slice(1)];
    const runs = componentRuns([...table.read(), ...slow], now);
    assert.deepEqual([...runs[0]!.answers.keys()], ["b", "c"]);
    assert.deepEqual(completeRuns(runs).map(({ component }) => component), ["one"]);
  }));

Deno.test("measuredByAnswers() measures a component by its very settings, and no other", () =>
  withTable(async (ask, table) => {
    await ask([standIn("verifier", 0.9, { version: 1 })]);
    const claims = Array.from({ length: 8 }, (_, i) => ({
      ...table.read()[0]!,
      ...{ case_id: `${i}`, cluster: `${i}` },
      ...{ label: i < 4 ? "supported" : "refuted", supported: i < 3 || i === 4 ? 0.9 : 0.1 },
    }));
    const of = measuredByAnswers(claims);
    // 3 of 4 and 3 of 4.
    const found = of({ name: "any", settings: { version: 1 } });
    assert.deepEqual([found?.balancedAccuracy, found?.n], [0.75, 8]);
    assert.ok(found!.low < 0.75 && found!.high > 0.75);
    assert.equal(of({ name: "verifier", settings: { version: 2 } }), undefined);
  }));

Deno.test("Requirement 13.1: any even beginning of a draw is balanced and has no case twice", () => {
  fc.assert(
    fc.property(fc.integer(), fc.nat(30), fc.nat(30), fc.nat(40), (seed, yes, no, count) => {
      const numbers = { supported: yes, refuted: no, "not enough info": no };
      const cases = VERDICT_LABELS.flatMap((label) =>
        Array.from({ length: numbers[label] }, (_, i) => exampleCase(`${label} ${i}`, label))
      );
      const drawn = drawCases(cases, 2 * count, randomSource(seed));
      assert.equal(drawn.length, 2 * Math.min(yes, 2 * no, count));
      assert.equal(new Set(drawn.map(({ id }) => id)).size, drawn.length);
      const supported = drawn.filter(({ label }) => label === "supported").length;
      assert.equal(2 * supported, drawn.length);
      const refuted = drawn.filter(({ label }) => label === "refuted").length;
      assert.ok(Math.abs(2 * refuted - supported) <= 1);
    }),
  );
});
