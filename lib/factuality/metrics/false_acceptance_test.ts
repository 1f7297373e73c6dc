import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../stats/random.ts";
import {
  type AbstentionOutcome,
  falseAcceptanceInterval,
  falseAcceptanceRate,
  overRefusalInterval,
  overRefusalRate,
  refusalOutcome,
} from "./false_acceptance.ts";

const outcome = (
  query: string,
  exists: boolean,
  abstained: boolean | undefined,
  cluster = query,
): AbstentionOutcome => ({ query, cluster, exists, abstained });

const SIX = [
  outcome("a", false, true),
  outcome("b", false, false),
  outcome("c", false, false),
  outcome("d", false, undefined),
  outcome("e", true, true),
  outcome("f", true, false),
];

Deno.test("Requirement 20.2: the false acceptance rate is failed abstentions / queries about nothing", () => {
  assert.equal(falseAcceptanceRate(SIX), 2 / 3);
  assert.equal(overRefusalRate(SIX), 1 / 2);
});

Deno.test("Requirement 20.3 and 20.4: declining is a correct refusal, writing a false acceptance", () => {
  assert.deepEqual(SIX.map(refusalOutcome), [
    "correct refusal",
    "false acceptance",
    "false acceptance",
    undefined,
    "over-refusal",
    "answer",
  ]);
});

Deno.test("falseAcceptanceInterval() is Wilson's for queries of their own: 10 of 10 is no certainty", () => {
  const all = Array.from({ length: 10 }, (_, i) => outcome(`q${i}`, false, false));
  const interval = falseAcceptanceInterval([...all, ...SIX.slice(4)], randomSource(1));
  assert.ok(interval.kind === "interval" && interval.n === 10);
  // Wilson's lower bound for 10 of 10 at 95 % is 1 / (1 + z²/10).
  assert.ok(Math.abs(interval.low - 1 / (1 + 1.959963984540054 ** 2 / 10)) < 1e-9);
  assert.equal(interval.high, 1);
});

Deno.test("overRefusalInterval() resamples clusters where one has several queries", () => {
  const two = [outcome("a", true, true, "x"), outcome("b", true, true, "x")];
  const interval = overRefusalInterval([...two, outcome("c", true, false)], randomSource(1));
  assert.ok(interval.kind === "interval" && "clusters" in interval);
  assert.deepEqual([interval.clusters, interval.n], [2, 3]);
});

Deno.test("rates without a query are unavailable, with the reason", () => {
  assert.deepEqual(falseAcceptanceRate([]), {
    kind: "unavailable",
    reason: "no query about what does not exist",
  });
  assert.equal(overRefusalInterval([], randomSource(1)).kind, "unavailable");
  assert.deepEqual(falseAcceptanceInterval([outcome("a", false, undefined)], randomSource(1)), {
    kind: "unavailable",
    reason: "nobody has told whether its answers decline",
  });
});

Deno.test("Requirement 20.1: each query that could be told is one of four outcomes, and rates are in 0–1", () => {
  const made = fc.array(
    fc.tuple(fc.boolean(), fc.option(fc.boolean(), { nil: undefined })),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(made, (pairs) => {
      const outcomes = pairs.map(([exists, abstained], i) => outcome(`q${i}`, exists, abstained));
      for (const rate of [falseAcceptanceRate(outcomes), overRefusalRate(outcomes)]) {
        if (typeof rate === "number") assert.ok(rate >= 0 && rate <= 1);
      }
      const named = outcomes.map(refusalOutcome).filter((name) => name !== undefined);
      assert.equal(named.length, pairs.filter(([, abstained]) => abstained !== undefined).length);
    }),
    { numRuns: 200 },
  );
});
