import assert from "node:assert/strict";
import fc from "fast-check";
import { factScore } from "./fact_score.ts";
import { factualPrecision } from "./factual_precision.ts";
import { pooledMicroRate } from "./hallucination_rates.ts";
import { response, RESPONSES } from "./testdata/responses.ts";

const near = (value: unknown, expected: number) =>
  assert.ok(Math.abs((value as number) - expected) < 1e-12, `${value} is not ${expected}`);

Deno.test("factScore() is that worked by hand: 3 of 5 facts, 11 of 12 facts", () => {
  const responses = [response("a", "sssrn"), response("b", "sssssssssssr")];
  const { score, unpenalised, respondRatio, factsPerResponse } = factScore(responses);
  near(score, (3 / 5 * Math.exp(1 - 10 / 5) + 11 / 12) / 2);
  near(unpenalised, (3 / 5 + 11 / 12) / 2);
  near(respondRatio, 1);
  near(factsPerResponse, 8.5);
});

Deno.test("factScore() has no penalty at γ facts", () => {
  near(factScore([response("a", "ssss")], 4).score, 1);
  assert.throws(() => factScore([], 0), /RangeError: Cannot score facts: γ is 0/);
});

Deno.test("factScore() leaves out abstentions and responses without facts, and counts each apart", () => {
  const score = factScore([
    response("a", "ss"),
    response("b", "rr", { abstained: true }),
    response("c", ""),
    response("d", "-"),
  ]);
  near(score.unpenalised, 1);
  near(score.respondRatio, 1 / 4);
  assert.deepEqual([score.responded, score.abstained, score.withoutFacts], [1, 1, 2]);
});

Deno.test("Requirement 16.1: factual precision is supported / scored, unavailable without any", () => {
  near(factualPrecision([response("a", "sr-"), response("b", "s")]), 2 / 3);
  assert.deepEqual(factualPrecision([response("a", "-")]), {
    kind: "unavailable",
    reason: "no claim was scored",
  });
  const { score, respondRatio } = factScore([]);
  assert.deepEqual([score, respondRatio], [
    { kind: "unavailable", reason: "no responses" },
    { kind: "unavailable", reason: "no responses" },
  ]);
});

Deno.test("Requirement 16.1: FActScore is in 0–1 and at most its unpenalised form; precision is 1 − pooled MiHR", () => {
  fc.assert(
    fc.property(RESPONSES, (responses) => {
      const { score, unpenalised, responded, abstained, withoutFacts } = factScore(responses);
      assert.equal(responded + abstained + withoutFacts, responses.length);
      if (typeof score === "number" && typeof unpenalised === "number") {
        assert.ok(0 <= score && score <= unpenalised && unpenalised <= 1);
      }
      const precision = factualPrecision(responses);
      if (typeof precision !== "number") return;
      near(pooledMicroRate(responses, "unsupported"), 1 - precision);
    }),
    { numRuns: 300 },
  );
});
