import { parse } from "csv-parse/sync";
import fc from "fast-check";
import assert from "node:assert/strict";
import { claimsCsv, evaluationJson, evaluationRecord, judgementsCsv } from "./formats.ts";
import { readEvaluation, readEvaluationJson } from "./formats.ts";
import { emptyEvaluation, sampleEvaluation } from "./testdata/sample.ts";

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

Deno.test("Requirement 8.6: judgementsCsv() has each judge's own score next to the consensus", async () => {
  const found = rows(judgementsCsv([await sampleEvaluation()]));
  const shown = found.slice(0, 3).map((row) => {
    assert.deepEqual([row.question, row.consensus], ["factual_accuracy", "65"]);
    return [row.judge, row.score, row.unscored_reason].join();
  });
  assert.deepEqual(shown, ["first,40,", "second,90,", "third,,time-out"]);
});

Deno.test("Requirement 8.7: whatever texts, figures and unknowns are in it, an evaluation goes through JSON and back unchanged", async () => {
  const bases = fc.constantFrom(await sampleEvaluation(), await emptyEvaluation());
  const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\ud800", "\0", "\u2028"));
  const figure = fc.double({ noNaN: true, noDefaultInfinity: true, min: 1e-300 });
  const unknown = fc.option(figure, { nil: undefined });
  fc.assert(
    fc.property(bases, text, figure, unknown, (base, text, total, value) => {
      const evaluation = {
        ...base,
        request: { ...base.request, candidate: text },
        problems: [text],
        milliseconds: { ...base.milliseconds, total },
        consistency: { contradictions: [], plausibility: [{ claimId: text, value }] },
      };
      const json = evaluationJson(evaluation);
      assert.deepEqual(readEvaluationJson(json, "x"), evaluation);
      assert.deepEqual(evaluationRecord(evaluation), JSON.parse(json));
      assert.doesNotMatch(evaluationJson(base), /undefined|NaN/);
    }),
    { numRuns: 100 },
  );
});

Deno.test("a schema of another version is refused with what to do", async () => {
  const evaluation = evaluationRecord(await sampleEvaluation());
  const read = (schemaVersion: unknown) => () =>
    readEvaluation({ ...evaluation, schemaVersion }, "old.json");
  for (const version of [1, 3]) {
    assert.throws(read(version), /old\.json: its schema is version .*evaluate the text/);
  }
  assert.throws(read(undefined), /no evaluation, for it has no schemaVersion/);
  assert.throws(() => readEvaluation(null, "x"), SyntaxError);
});

Deno.test("Requirement 8.2: an evaluation says what made it: version, criteria, thresholds, prompts", async () => {
  const { configuration } = readEvaluationJson(evaluationJson(await sampleEvaluation()), "x");
  const { touchstone, criteria, parameters, promptsSha256 } = configuration;
  assert.match(touchstone!, /^\d+\.\d+\.\d+$/);
  assert.deepEqual(criteria, ["factual_accuracy", "style"]);
  const thresholds = { supportedFrom: 0.5, contradictedFrom: 0.7, lowConfidenceVariance: 20 };
  const limits = { judgeClaims: true, batchSize: 8, mostPairs: 10, mostPairsBeside: 10 };
  assert.deepEqual(parameters, { ...thresholds, ...limits });
  assert.equal(promptsSha256, "0".repeat(64));
});

Deno.test("what is missing, out of range or no JSON is named", async () => {
  const evaluation = JSON.parse(evaluationJson(await sampleEvaluation()));
  evaluation.criteria[0].judges[0].judgement.score = 101;
  assert.throws(() => readEvaluation(evaluation, "x.json"), /x\.json: criteria\.0\.judges\.0/);
  assert.throws(() => readEvaluationJson("{", "x.json"), /x\.json: it is no JSON/);
});
