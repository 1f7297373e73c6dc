import assert from "node:assert/strict";
import { compareComponents } from "../../factuality/own/compare_components.ts";
import type { ComponentAnswer, ComponentRun } from "../../factuality/own/compare_components.ts";
import { caseOf } from "../../factuality/own/testdata/labelled.ts";
import { judgesFinding, trustedFirst, usefulWords } from "./evaluation.ts";

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

Deno.test("judgesFinding() tells a judge that was measured above chance first, if it is so here, too", () => {
  const [small, large] = ["small (next word)", "large (next word)"];
  const guessing = run(small, (i) => i % 3 ? 0.6 : 0.4);
  const finding = (runs: readonly ComponentRun[], trusted: readonly string[]) => {
    const [all] = compareComponents(CASES, [run("verifier", () => 0.9), ...runs]);
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
  const [both] = compareComponents(CASES, [guessing, knowing]);
  assert.match(
    usefulWords(both!, new Set([large, small])),
    /^; large \(next word\) 1\.00 \[[^;]*$/,
  );
  const order = trustedFirst([guessing, KNOWING, knowing], new Set([large]));
  assert.deepEqual(order.map(({ component }) => component), [large, small, "knowing"]);
});
