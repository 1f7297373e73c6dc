import assert from "node:assert/strict";
import { randomSource } from "../../stats/random.ts";
import { compareComponents, componentDisagreements } from "../evaluate/compare_components.ts";
import type { ComponentAnswer, ComponentRun } from "../evaluate/compare_components.ts";
import { caseOf } from "../evaluate/testdata/labelled.ts";
import { disagreementRow, rivals } from "./evaluation.ts";
import { DISAGREEMENTS } from "./tables.ts";

const CASES = Array.from({ length: 40 }, (_, i) => caseOf(`${i}`, i % 2 ? "refuted" : "supported"));

function run(component: string, supported: (i: number) => number | undefined): ComponentRun {
  const answer = (i: number): ComponentAnswer => {
    const value = supported(i);
    const unscored = value === undefined ? "malformed answer" : undefined;
    return { supported: value, unscored, reason: `because ${i}`, milliseconds: 2 };
  };
  return { component, answers: new Map(CASES.map(({ id }, i) => [id, answer(i)])) };
}

// The one is always right, the other says yes to everything and once nothing.
const KNOWING = run("knowing", (i) => i % 2 === 0 ? 0.9 : 0.1);
const YEA_SAYER = run("yea-sayer", (i) => i === 3 ? undefined : 0.6);
const RUNS = [KNOWING, YEA_SAYER];
const [ALL] = compareComponents(CASES, RUNS, randomSource(1));

Deno.test("Requirement 13.3: disagreements are written with both reasons", () => {
  const disagreements = componentDisagreements(CASES, RUNS);
  assert.equal(disagreements.length, 19);
  const [, first] = DISAGREEMENTS.format(disagreements.map(disagreementRow)).split("\n");
  assert.match(first!, /knowing,yea-sayer,knowing,because 1,because 1/);
});

Deno.test("Requirement 13.4: rivals() names the better component, and none where it cannot be told", () => {
  const [one] = rivals(ALL!, "knowing");
  assert.deepEqual([one!.rival, one!.better], ["yea-sayer", "knowing"]);
  const [other] = rivals(
    compareComponents(CASES, [KNOWING, KNOWING], randomSource(1))[0]!,
    "knowing",
  );
  assert.equal(other!.better, undefined);
});
