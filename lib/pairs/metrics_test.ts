import assert from "node:assert/strict";
import fc from "fast-check";
import { ORDERS } from "./forced_choice.ts";
import { computeMetrics, metricsTable, missingAnswers } from "./metrics.ts";
import { madePairs, PHENOMENA } from "./testdata/norse.ts";
import { completeAnswers, responded } from "./testdata/responses.ts";

const PAIRS = madePairs(8);
const MODELS = ["openai/gpt-oss-120b", "openai/gpt-oss-20b", "llama-4", "llama-3.3"];
const answers = completeAnswers(MODELS, PAIRS);
const TABLE = metricsTable({ path: "/metrics.csv" }, PHENOMENA);

Deno.test("metricsTable() writes the specification's columns", () => {
  const responses = madePairs(4).flatMap(({ id }, index) => [
    responded("m", id, "A_gram", "A"),
    responded("m", id, "B_gram", index === 0 ? "B" : index === 1 ? "INVALID" : "A"),
  ]);
  const metrics = computeMetrics({
    pairs: madePairs(4),
    responses,
    models: ["m"],
    phenomena: PHENOMENA,
  });
  assert.equal(
    TABLE.format(metrics),
    "model,overall_accuracy,quirky_case_accuracy,adjective_accuracy,umlaut_accuracy," +
      "middle_voice_accuracy\nm,0.625,1,0.5,0.5,0.5\n",
  );
});

Deno.test("Feature: old-norse-minimal-pairs, Property 17: accuracy calculation correctness; Property 18: per-phenomenon accuracy calculation; Property 19: complete model coverage", () => {
  fc.assert(
    fc.property(answers, (responses) => {
      const options = { pairs: PAIRS, responses, models: MODELS, phenomena: PHENOMENA };
      const metrics = computeMetrics(options);
      assert.deepEqual(metrics.map(({ model }) => model), MODELS);
      const lines = TABLE.format(metrics).trimEnd().split("\n").slice(1);
      for (const line of lines) assert.match(line, /^[^,]+(,(0|1|0\.\d+)){5}$/);
      for (const { model, overall, byPhenomenon } of metrics) {
        const own = responses.filter((row) => row.model === model);
        const right = own.filter(({ response, order }) =>
          (response === "A" && order === "A_gram") || (response === "B" && order === "B_gram")
        );
        assert.equal(overall, right.length / own.length);
        assert.deepEqual(Object.keys(byPhenomenon), [...PHENOMENA]);
        for (const name of PHENOMENA) {
          const of = (rows: typeof own) =>
            rows.filter(({ pairId }) => pairId.startsWith(`ON_${name}_`)).length;
          assert.equal(byPhenomenon[name], of(right) / of(own));
        }
      }
    }),
    { numRuns: 100 },
  );
});

Deno.test("Feature: old-norse-minimal-pairs, Property 20: evaluation completeness validation", () => {
  const questions = MODELS.length * PAIRS.length * ORDERS.length;
  const lost = fc.uniqueArray(fc.nat(questions - 1), { maxLength: 6 });
  fc.assert(
    fc.property(answers, lost, (responses, lost) => {
      const left = responses.filter((_, index) => !lost.includes(index));
      const options = { pairs: PAIRS, responses: left, models: MODELS, phenomena: PHENOMENA };
      const missing = missingAnswers(options);
      assert.equal([...missing.values()].reduce((sum, count) => sum + count, 0), lost.length);
      if (lost.length === 0) {
        computeMetrics(options);
        return;
      }
      assert.throws(() => computeMetrics(options), (error) => {
        assert.ok(error instanceof RangeError);
        for (const [model, count] of missing) {
          assert.equal(error.message.includes(`${model} lacks ${count}`), count > 0);
        }
        return true;
      });
    }),
    { numRuns: 100 },
  );
});

Deno.test("computeMetrics() counts no rows of other pairs or doubled ones; refuses no pairs and an untested phenomenon", () => {
  const pairs = madePairs(1);
  const row = responded("m", "ON_QUIRKY_CASE_001", "A_gram", "A");
  const responses = [row, row, responded("m", "ON_UMLAUT_009", "A_gram", "A")];
  const options = { pairs, responses, models: ["m"], phenomena: ["QUIRKY_CASE"] as const };
  assert.throws(() => computeMetrics(options), /m lacks 1/);
  const one = { ...options, orders: () => ["A_gram"] as const };
  assert.equal(computeMetrics(one)[0]?.overall, 1);
  assert.throws(() => computeMetrics({ ...one, pairs: [] }), /there are no pairs/);
  const untested = { ...one, phenomena: PHENOMENA };
  assert.throws(() => computeMetrics(untested), /no pair tests ADJECTIVE/);
});
