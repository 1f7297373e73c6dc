import assert from "node:assert/strict";
import { compareComponents } from "../../factuality/own/compare_components.ts";
import type { ComponentAnswer, ComponentRun } from "../../factuality/own/compare_components.ts";
import { exampleCase } from "../../factuality/own/testdata/labelled.ts";
import { trustedFirst, usefulWords } from "./evaluation.ts";

const CASES = Array.from(
  { length: 40 },
  (_, i) => exampleCase(`${i}`, i % 2 ? "refuted" : "supported"),
);

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

Deno.test("trustedFirst() and usefulWords() name judges measured above chance, if they are so here", () => {
  const [small, large] = ["small (next word)", "large (next word)"];
  const guessing = run(small, (i) => i % 3 ? 0.6 : 0.4);
  const knowing = { ...KNOWING, component: large };
  const [both] = compareComponents(CASES, [guessing, knowing]);
  assert.match(
    usefulWords(both!, new Set([large, small])),
    /^; large \(next word\) 1\.00 \[[^;]*$/,
  );
  const order = trustedFirst([guessing, KNOWING, knowing], new Set([large]));
  assert.deepEqual(order.map(({ component }) => component), [large, small, "knowing"]);
});
