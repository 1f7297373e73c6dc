import assert from "node:assert/strict";
import fc from "fast-check";
import type { LabelledCase } from "../labelled_case.ts";
import { answerOf, CANNOT_TELL, compareComponents } from "./compare_components.ts";
import { componentDisagreements, type ComponentRun } from "./compare_components.ts";
import { unscored } from "../decision.ts";
import { judgement, verdict } from "../check/testdata/fakes.ts";

const CLAIMS = ["Elk swim.", "Norway joined NATO in 1949.", "It has 700 islands."];

/** 12 cases of 12 responses: supported and refuted by turns, of all three kinds. */
const CASES = Array.from({ length: 12 }, (_, index): LabelledCase => ({
  id: `${index}`,
  claim: CLAIMS[index % 3]!,
  passages: [],
  label: index % 2 === 0 ? "supported" : "refuted",
  cluster: `response ${index}`,
  set: "made",
}));

/** Says P(supported) for each case, and takes as many milliseconds as the case's number. */
function runOf(component: string, p: (index: number) => number | undefined): ComponentRun {
  const answers = CASES.map(({ id }, milliseconds) => {
    const supported = p(milliseconds);
    const unscored = supported === undefined ? "time-out" as const : undefined;
    return [id, { supported, unscored, reason: `${component} on ${id}`, milliseconds }] as const;
  });
  return { component, answers: new Map(answers) };
}

const knowing = runOf("knowing", (index) => index % 2 === 0 ? 0.9 : 0.1);
const believing = runOf("believing", () => 0.8);

Deno.test("Requirement 13.2: accuracy, balanced accuracy, confidence, calibration and latency, worked by hand", () => {
  const [all] = compareComponents(CASES, [knowing, believing]);
  const [first, second] = all!.figures;
  assert.deepEqual([all!.claims, all!.clusters], [12, 12]);
  assert.equal(first!.balancedAccuracy.kind === "interval" && first!.balancedAccuracy.estimate, 1);
  assert.equal(second!.accuracy.kind === "interval" && second!.accuracy.estimate, 0.5);
  assert.ok(Math.abs((first!.confidence as number) - 0.9) < 1e-12);
  // Right always at confidence 0.9, and half of the time at 0.8.
  assert.ok(Math.abs((first!.calibrationError as number) - 0.1) < 1e-12);
  assert.ok(Math.abs((second!.calibrationError as number) - 0.3) < 1e-12);
  assert.equal(first!.medianMilliseconds, 5.5);
});

Deno.test("Requirement 13.4: the better component is named, by kind of claim, or it is said that one cannot tell", () => {
  const found = compareComponents(CASES, [knowing, believing]);
  const kinds = found.map(({ kind, claims }) => `${kind} ${claims}`).join();
  assert.equal(kinds, "all 12,factual 4,temporal 4,numerical 4");
  const { better, difference, mcNemarP, claims } = found[0]!.differences[0]!;
  assert.equal(better, "knowing");
  assert.equal(difference.kind === "interval" && difference.estimate, 0.5);
  assert.ok(Math.abs(mcNemarP - 2 / 2 ** 6) < 1e-12);
  assert.equal(claims, 12);
  // A claim without a score is taken for neither right nor wrong.
  const silent = runOf("silent", (index) => index < 6 ? undefined : index % 2 === 0 ? 1 : 0);
  const [some] = compareComponents(CASES, [silent, knowing]);
  const [{ scored, unscored: without }] = [some!.figures[0]!];
  assert.deepEqual([scored, without, some!.differences[0]!.claims], [6, 6, 6]);
  const [like, mute] = [runOf("x", () => 0.7), runOf("mute", () => undefined)];
  for (const runs of [[believing, like], [mute, knowing]]) {
    const [same] = compareComponents(CASES, runs);
    assert.equal(same!.differences[0]!.better, CANNOT_TELL);
  }
  assert.equal(answerOf(verdict("supported"), 3).supported, 0.8);
  assert.equal(answerOf(judgement(40), 3).supported, 0.4);
  assert.equal(answerOf(unscored("x", "time-out", "60 s."), 3).unscored, "time-out");
});

Deno.test("Requirement 13.3: whatever components answer, a claim is logged exactly where one accepts it and the other does not", () => {
  const answer = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined });
  const answers = fc.array(answer, { minLength: 12, maxLength: 12 });
  fc.assert(
    fc.property(answers, answers, (a, b) => {
      const runs = [runOf("a", (index) => a[index]), runOf("b", (index) => b[index])];
      const differ = CASES.filter((_, index) =>
        a[index] !== undefined && b[index] !== undefined && (a[index] >= 0.5) !== (b[index] >= 0.5)
      );
      const found = componentDisagreements(CASES, runs);
      assert.deepEqual(found.map(({ caseId }) => caseId), differ.map(({ id }) => id));
      for (const { caseId, right, label, firstReason, secondReason } of found) {
        assert.deepEqual([firstReason, secondReason], [`a on ${caseId}`, `b on ${caseId}`]);
        const said = (right === "a" ? a : b)[Number(caseId)]!;
        assert.equal(said >= 0.5, label === "supported");
      }
    }),
  );
});
