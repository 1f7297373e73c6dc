import assert from "node:assert/strict";
import { randomSource } from "../../../stats/random.ts";
import { questionUncertainties } from "./question_uncertainty.ts";
import { uncertaintySummaries } from "./uncertainty_summary.ts";
import { sampleRow, tenQuestions } from "./testdata/sample_rows.ts";
import {
  answersTable,
  calibrationTable,
  kindsTable,
  separationTable,
  uncertaintyFigure,
} from "./uncertainty_views.ts";

const ROWS = [...tenQuestions("m"), ...tenQuestions("n")];
const { questions: QUESTIONS } = questionUncertainties(ROWS);
const summarise = (questions = QUESTIONS) =>
  uncertaintySummaries(questions, { random: randomSource(1), resamples: 100 });
const SUMMARIES = summarise();

Deno.test("uncertaintySummaries() tells accuracy and Brier score with intervals over countries", () => {
  const [m, n] = SUMMARIES;
  assert.deepEqual([m!.model, n!.model, m!.questions, m!.clusters, m!.samples], [
    ...["m", "n", 10, 10, 2],
  ]);
  assert.ok(m!.accuracy.kind === "interval" && m!.accuracy.estimate === 0.5);
  // Half: .03² + 3 · .01²; half: .8² + .4² + 2 · .2².
  const brier = (0.0009 + 0.0003 + 0.64 + 0.16 + 0.08) / 2;
  assert.ok(m!.brier.kind === "interval" && Math.abs(m!.brier.estimate - brier) < 1e-9);
});

Deno.test("Requirement 18.4: uncertainty tells wrong answers from right ones, and is flagged", () => {
  const { measures } = SUMMARIES[0]!;
  const total = measures.find(({ name }) => name === "total, by entropy")!;
  assert.ok(total.area.kind === "interval" && total.area.estimate === 1);
  assert.ok(total.high.kind === "interval" && total.high.estimate === 0.5);
  const same = measures.find(({ name }) => name === "epistemic, by variance")!;
  assert.ok(same.area.kind === "interval" && Math.abs(same.area.estimate - 0.5) < 1e-9);
  const token = measures.find(({ name }) => name.startsWith("token entropy"))!;
  assert.deepEqual([token.meanRight, token.high.kind], [2, "unavailable"]);
});

Deno.test("uncertaintySummaries() has no area where no answer is wrong", () => {
  const right = questionUncertainties(tenQuestions().slice(0, 10)).questions;
  const { measures } = summarise(right)[0]!;
  assert.ok(measures.every(({ area }) => area.kind === "unavailable"));
  assert.ok(measures.every(({ meanWrong }) => typeof meanWrong !== "number"));
});

Deno.test("tables and figure show every model, and what is not there as a reason", () => {
  assert.match(answersTable(SUMMARIES), /\| m \| 10 \| 10 \| 2 \| 0\.50 \[/u);
  assert.match(
    separationTable(SUMMARIES),
    /\| n \| total, by entropy \| 0\.12 \| 0\.96 \| 1\.00 \[/u,
  );
  assert.match(calibrationTable(SUMMARIES), /\| m \| 0\.9 to 1\.0 \| 5 \| 0\.97 \| 1\.00 \|/u);
  assert.match(kindsTable(QUESTIONS), /\| capital \| n \| 10 \| 5 \| 0\.54 \|/u);
  const { svg } = uncertaintyFigure(QUESTIONS);
  assert.equal(svg.match(/>wrong</gu)?.length, 2);
  const single = questionUncertainties([sampleRow("ao", [0.7, 0.1, 0.1, 0.1])]).questions;
  assert.match(
    answersTable(summarise(single)),
    /– \(a single cluster/u,
  );
  assert.ok(uncertaintyFigure(single).svg.includes("– (none)"));
});
