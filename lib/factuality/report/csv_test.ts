import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import { claimsCsv, judgementsCsv } from "./csv.ts";
import { sampleEvaluation } from "./testdata/sample.ts";

const rows = (csv: string) => parse<Record<string, string>>(csv, { columns: true });

Deno.test("Requirement 8.7: claimsCsv() has a row for each claim, unknown figures empty and texts inert", async () => {
  const evaluation = await sampleEvaluation("Norway joined NATO in 1994. Why so? =1+1 is deep.");
  const [refuted, question, formula, ...rest] = rows(claimsCsv([evaluation]));
  assert.deepEqual(rest, []);
  assert.equal(refuted!.verdict, "refuted");
  assert.equal(refuted!.p_refuted, "0.8");
  assert.equal(refuted!.evidence, "Norway joined NATO in 1949");
  assert.equal(refuted!.judges, "first: 40; second: 90; third: not scored (time-out)");
  assert.deepEqual(
    [question!.verdict, question!.p_supported, question!.unscored_reason],
    ["not checkable", "", "not checkable"],
  );
  assert.ok(formula!.text!.startsWith("'=1+1"));
});

Deno.test("Requirement 8.6: judgementsCsv() has each judge's own score beside the consensus", async () => {
  const found = rows(judgementsCsv([await sampleEvaluation()]));
  const shown = found.slice(0, 3).map((row) =>
    [row.question, row.judge, row.score, row.unscored_reason, row.consensus].join()
  );
  assert.deepEqual(shown, [
    "factual_accuracy,first,40,,65",
    "factual_accuracy,second,90,,65",
    "factual_accuracy,third,,time-out,65",
  ]);
});
