import assert from "node:assert/strict";
import type { AnswerRow } from "../../factuality/own/component_answers.ts";
import { kindFigures } from "../../factuality/own/variants/detection.ts";
import { detectionOutcomes } from "./robustness/changes.ts";
import { overallTable } from "../../factuality/own/variants/report.ts";
import { detectionPoints } from "./robustness.ts";

Deno.test("a component with some answers only has what figures there can be of them, and reasons for the others", () => {
  const answer = (case_id: string, supported: number): AnswerRow => ({
    set: "robustness",
    case_id,
    case_sha256: "0",
    cluster: "",
    claim_kind: "factual",
    label: "",
    component: "begun",
    status: "scored",
    supported,
    reason: "so",
    milliseconds: 1,
    settings_sha256: "0",
  });
  const cases = ["A", "B"].map((country) => (
    { id: `${country}/date`, base: country, country, kind: "date" as const }
  ));
  const figuresOf = (...rows: readonly AnswerRow[]) => kindFigures(detectionOutcomes(cases, rows));
  assert.deepEqual(figuresOf(answer("A", 0.9)), []);
  const begun = figuresOf(answer("A", 0.9), answer("A/date", 0.1));
  const row = overallTable(begun).split("\n")[2]!;
  assert.match(row, /^\| begun \| .* \| 1 of 1 \|/);
  assert.doesNotMatch(row, /NaN|undefined|\| 0 \|/);
  // Without a false alarm there is no point.
  assert.deepEqual(detectionPoints(begun), []);
});
