import assert from "node:assert/strict";
import { test } from "node:test";
import type { ComponentAnswer } from "../../evaluation/component_answer.ts";
import { comparedEnsemble, type EnsembleMember } from "./compared_ensemble.ts";
import { caseOf } from "./testdata/cases.ts";

const answer = (supported: number | undefined): ComponentAnswer => ({
  supported,
  unscored: supported === undefined ? "malformed answer" : undefined,
  reason: "so it is",
  milliseconds: 5,
});

const member = (name: string, weight: number): EnsembleMember => ({
  component: { name, settings: {}, answer: () => Promise.reject(new Error("asked again")) },
  weight,
});

const OPTIONS = { strategy: "weighted average", lowConfidenceVariance: 20 } as const;

function ensemble(first: number | undefined, second: number | undefined) {
  const runs = [
    { component: "one", answers: new Map([["a", answer(first)]]) },
    { component: "two", answers: new Map([["a", answer(second)]]) },
  ];
  return comparedEnsemble("both", [member("one", 3), member("two", 1)], runs, OPTIONS);
}

test("comparedEnsemble() weighs the judges' scores and takes as long as both", async () => {
  const { supported, milliseconds, reason } = await ensemble(0.8, 0.4).answer(caseOf("a"));
  assert.ok(Math.abs(supported! - 0.7) < 1e-12);
  assert.equal(milliseconds, 10);
  assert.match(reason, /weighted average of 2 of 2 judges; low confidence/);
});

test("comparedEnsemble() leaves a judge without a score out, and has none without any", async () => {
  assert.equal((await ensemble(undefined, 0.4).answer(caseOf("a"))).supported, 0.4);
  const none = await ensemble(undefined, undefined).answer(caseOf("a"));
  assert.equal(none.supported, undefined);
  assert.equal(none.unscored, "malformed answer");
});

test("comparedEnsemble() refuses a case that a judge was not asked about", () => {
  assert.throws(() => ensemble(0.5, 0.5).answer(caseOf("b")), /one has no answer; ask it first/);
});
