import assert from "node:assert/strict";
import { test } from "node:test";
import { randomSource } from "../../../stats/random.ts";
import type { ComponentRun } from "../../evaluation/component_answer.ts";
import { compareComponents } from "../../evaluation/component_comparison.ts";
import { humanLabelledRows } from "../evaluation/human_labelled.ts";
import { caseOf } from "../evaluation/testdata/cases.ts";
import { evaluationPart } from "./evaluation_part.ts";

const CASES = Array.from(
  { length: 20 },
  (_, i) => caseOf(`${i}`, i % 2 === 0 ? "supported" : "refuted"),
);

function run(component: string, supported: (i: number) => number): ComponentRun {
  const answer = (i: number) => ({
    ...{ supported: supported(i), unscored: undefined, reason: "", milliseconds: 3 },
  });
  return { component, answers: new Map(CASES.map(({ id }, i) => [id, answer(i)])) };
}

const RUNS = [
  run("trained verifier", (i) => i % 2 === 0 ? 0.9 : 0.1),
  run("yea-sayer", () => 0.9),
];

test("evaluationPart() sets the verifier against its targets, set by set", () => {
  const comparisons = compareComponents(CASES, RUNS, randomSource(1));
  const human = humanLabelledRows({ set: "people", scope: "all" }, CASES, RUNS, randomSource(2));
  const text = evaluationPart({ comparisons, human, test: [] });
  assert.match(text, /On 20 held-out claims .* verifier has .* at or above the target of 0\.90/);
  assert.match(text, /Not told from chance on these claims: yea-sayer/);
  assert.match(text, /- people \(20 claims\): 1\.00 .* best of the others is yea-sayer with 0\.50/);
});

test("evaluationPart() refuses to report what was not compared", () => {
  assert.throws(() => evaluationPart({ comparisons: [], human: [], test: [] }), RangeError);
});
