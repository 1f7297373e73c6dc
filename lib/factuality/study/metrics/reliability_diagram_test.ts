import assert from "node:assert/strict";
import type { LabelledCase } from "../../cases/labelled_case.ts";
import type { ComponentRun } from "../../evaluation/component_answer.ts";
import { componentReliability, reliabilityLines, reliabilityTable } from "./reliability_diagram.ts";

const CASES = ["supported", "refuted", "supported", "not enough info"].map((label, i) => ({
  ...{ id: `${i}`, claim: "C.", passages: [], cluster: `${i}`, set: "made" },
  label: label as LabelledCase["label"],
}));

const answer = (supported: number | undefined) => ({
  supported,
  unscored: supported === undefined ? "refusal" as const : undefined,
  ...{ reason: "", milliseconds: 1 },
});

const RUN: ComponentRun = {
  component: "made",
  answers: new Map([["0", answer(0.9)], ["1", answer(0.9)], ["2", answer(0.1)], [
    "3",
    answer(undefined),
  ]]),
};

Deno.test("probabilities of a component are binned against what came true, unscored claims left out", () => {
  const [made] = componentReliability(CASES, [RUN]);
  assert.deepEqual(made!.bins.map(({ n }) => n), [1, 0, 0, 0, 2]);
  assert.deepEqual(made!.bins.map(({ share }) => share), [1, undefined, undefined, undefined, 0.5]);
});

Deno.test("a point a filled bin, with its interval; Brier and calibration error beside, by hand", () => {
  const components = componentReliability(CASES, [RUN]);
  const [{ points }] = reliabilityLines(components) as [
    ReturnType<typeof reliabilityLines>[number],
  ];
  assert.deepEqual(points.map(({ x }) => x), [0.1, 0.9]);
  const [, last] = points;
  assert.ok(last!.measure.kind === "interval" && last!.measure.estimate === 0.5);
  // Brier: (0.02 + 1.62 + 1.62) / 3; ECE: (0.9·1 + 0.4·2) / 3.
  assert.match(
    reliabilityTable(components),
    /\| made \| 3 \| 1\.09 \| 0\.57 \| 1 · 0 · 0 · 0 · 2 \|/,
  );
});
