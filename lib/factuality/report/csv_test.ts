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
  const { verdict, p_supported, unscored_reason } = question!;
  assert.deepEqual([verdict, p_supported, unscored_reason], ["not checkable", "", "not checkable"]);
  assert.ok(formula!.text!.startsWith("'=1+1"));
});

Deno.test("Requirement 8.6: judgementsCsv() has each judge's own score beside the consensus", async () => {
  const found = rows(judgementsCsv([await sampleEvaluation()]));
  const shown = found.slice(0, 3).map((row) => {
    assert.deepEqual([row.question, row.consensus], ["factual_accuracy", "65"]);
    return [row.judge, row.score, row.unscored_reason].join();
  });
  assert.deepEqual(shown, ["first,40,", "second,90,", "third,,time-out"]);
});
