import assert from "node:assert/strict";
import { randomSource } from "../../stats/random.ts";
import { compareComponents, componentDisagreements } from "../evaluate/compare_components.ts";
import type { ComponentAnswer, ComponentRun } from "../evaluate/compare_components.ts";
import { caseOf } from "../evaluate/testdata/labelled.ts";
import { disagreementRow, judgesFinding, rivals, trustedFirst, usefulWords } from "./evaluation.ts";
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

Deno.test("judgesFinding() tells a judge that was measured above chance first, if it is so here, too", () => {
  const [small, large] = ["small (next word)", "large (next word)"];
  const guessing = run(small, (i) => i % 3 ? 0.6 : 0.4);
  const finding = (runs: readonly ComponentRun[], trusted: readonly string[]) => {
    const [all] = compareComponents(CASES, [run("verifier", () => 0.9), ...runs], randomSource(1));
    return judgesFinding(all!, "verifier", new Set(trusted));
  };
  const knowing = { ...KNOWING, component: large };
  const none = finding([guessing], [large]);
  assert.match(
    none,
    /not for use\.\*\* On 40 held-out claims: small \(next word\) 0\.\d\d \[.*0\.50 is chance/,
  );
  assert.doesNotMatch(none, /verifier|large/);
  assert.match(
    finding([guessing, knowing], [large]),
    /can be asked.* claims: large \(next word\) 1\.00 .*; verifier 0\.50.* works: small \(next word\) 0/,
  );
  // Neither unmeasured judges nor one that is at chance here are to be asked.
  assert.match(finding([guessing, knowing], []), /not for use/);
  assert.match(finding([guessing], [small]), /not for use/);
  const [both] = compareComponents(CASES, [guessing, knowing], randomSource(1));
  assert.match(
    usefulWords(both!, new Set([large, small])),
    /^; large \(next word\) 1\.00 \[[^;]*$/,
  );
  const order = trustedFirst([guessing, KNOWING, knowing], new Set([large]));
  assert.deepEqual(order.map(({ component }) => component), [large, small, "knowing"]);
});
