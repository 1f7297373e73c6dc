import assert from "node:assert/strict";
import type { AnswerRow } from "../../factuality/own/component_answers.ts";
import { kindFigures } from "../../factuality/own/variants/detection.ts";
import { detectionOutcomes } from "./robustness/changes.ts";
import { overallTable } from "../../factuality/own/variants/report.ts";
import { detectionRows, noticedByJudges } from "./robustness.ts";

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
  assert.match(row, /^\| begun \| 1 \|/);
  assert.doesNotMatch(row, /NaN|undefined|\| 0 \|/);
  assert.match(noticedByJudges(begun, new Set(["begun"])), /^ begun notices .* of 1\.$/);
  const asked = (kind: "order" | "synonym", supported: number) => {
    const id = `A/${kind}`;
    return { made: { id, base: "A", country: "A", kind }, row: answer(id, supported) };
  };
  const controls = [asked("order", 0.9), asked("synonym", 0.2)];
  const whole = kindFigures(
    detectionOutcomes(
      [...cases, ...controls.map(({ made }) => made)],
      [answer("A", 0.9), answer("A/date", 0.1), ...controls.map(({ row }) => row)],
    ),
  );
  assert.match(
    noticedByJudges(whole, new Set(["begun"])),
    /of 1; of rewordings it flags 0 % \(order\) to 100 % \(synonym\), kind by kind\.$/,
  );
  assert.equal(noticedByJudges(begun, new Set()), "");
  assert.equal(detectionRows(begun, "trained verifier").length, 1);
});
