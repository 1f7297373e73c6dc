import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../stats/random.ts";
import { pairedDifference } from "./intervals.ts";
import {
  type AbstentionOutcome,
  claimCounts,
  type ClassifiedResponse,
  factScore,
  factualPrecision,
  HALLUCINATION_SCOPES,
  macroRate,
  meanMicroRate,
  pooledMicroRate,
  REFUSAL_RATES,
  refusalInterval,
  refusalRate,
  responseRate,
} from "./rates.ts";
import { response, RESPONSES } from "./testdata/made.ts";

// By hand: 1 of 4 refuted and 2 of 4 unsupported; 0 of 2; claims nothing; not scored; 1 of 1.
const FIVE = [
  response("a", "ssrn"),
  response("b", "ss-"),
  response("c", ""),
  response("d", "--"),
  response("e", "r"),
];

Deno.test("MiHR is that worked by hand, pooled and as mean over responses, in both scopes", () => {
  assert.equal(pooledMicroRate(FIVE, "refuted"), 2 / 7);
  assert.equal(pooledMicroRate(FIVE, "unsupported"), 3 / 7);
  assert.equal(meanMicroRate(FIVE, "refuted"), (1 / 4 + 0 + 1) / 3);
  assert.equal(meanMicroRate(FIVE, "unsupported"), (2 / 4 + 0 + 1) / 3);
});

Deno.test("MaHR counts a response without claims, and leaves out one that was not scored", () => {
  assert.equal(macroRate(FIVE, "unsupported"), 2 / 4);
  assert.equal(macroRate([response("a", "n"), response("b", "s")], "refuted"), 0);
});

Deno.test("Requirement 15.5: MiHR of a response without claims is unavailable with a flag, never 0", () => {
  const { rate, flag } = responseRate(response("a", ""), "unsupported");
  assert.deepEqual([rate, flag], [{ kind: "unavailable", reason: "no claims" }, "no claims"]);
  assert.equal(responseRate(response("a", "-"), "refuted").flag, "no claim was scored");
  assert.equal(responseRate(response("a", "s"), "refuted").flag, undefined);
  for (const rateOf of [pooledMicroRate, meanMicroRate]) {
    assert.deepEqual(rateOf([], "refuted"), { kind: "unavailable", reason: "no responses" });
    const empty = rateOf([response("a", "")], "refuted");
    assert.deepEqual(empty, { kind: "unavailable", reason: "no claims" });
  }
});

Deno.test("pairedDifference() leaves out a query for which one has no figure", () => {
  const metric = (some: readonly ClassifiedResponse[]) => meanMicroRate(some, "refuted");
  const first = [response("a", "rs"), response("b", "ss"), response("c", "rr")];
  const second = [response("a", "ss"), response("b", "ss"), response("c", "")];
  const difference = pairedDifference(first, second, metric, randomSource(1));
  assert.ok(difference.kind === "interval");
  assert.deepEqual([difference.estimate, difference.n], [1 / 4, 2]);
  const reason = "on no shared query do both have the figure";
  assert.deepEqual(pairedDifference(first.slice(2), second, metric, randomSource(1)), {
    kind: "unavailable",
    reason,
  });
});

Deno.test("pairedDifference() compares on shared queries only, and refuses two responses to one", () => {
  const metric = (some: readonly ClassifiedResponse[]) => pooledMicroRate(some, "refuted");
  const first = [response("a", "rr"), response("b", "rs"), response("z", "ss")];
  const second = [response("b", "ss"), response("a", "ss")];
  const difference = pairedDifference(first, second, metric, randomSource(1));
  assert.ok(difference.kind === "interval");
  assert.deepEqual([difference.estimate, difference.n], [3 / 4, 2]);
  assert.deepEqual(pairedDifference(first, [], metric, randomSource(1)), {
    kind: "unavailable",
    reason: "no query was answered by both",
  });
  const twice = [response("a", "s"), response("a", "r")];
  assert.throws(
    () => pairedDifference(twice, second, metric, randomSource(1)),
    /RangeError: Cannot compare models: one has two results for a; give one a query\./,
  );
});

Deno.test("Requirement 15.3: the classes of claims and those not scored are all the claims", () => {
  fc.assert(
    fc.property(RESPONSES, (responses) => {
      const claims = responses.flatMap((response) => response.claims);
      const { supported, refuted, unverifiable, unscored, scored } = claimCounts(claims);
      assert.equal(supported + refuted + unverifiable, scored);
      assert.equal(scored + unscored, claims.length);
    }),
    { numRuns: 200 },
  );
});

Deno.test("Requirement 15.4: every rate is in 0–1, and refuted alone is at most refuted and unverifiable", () => {
  fc.assert(
    fc.property(RESPONSES, (responses) => {
      for (const rateOf of [pooledMicroRate, meanMicroRate, macroRate]) {
        const [refuted, unsupported] = HALLUCINATION_SCOPES.map((s) => rateOf(responses, s));
        assert.equal(typeof refuted, typeof unsupported);
        if (typeof refuted !== "number" || typeof unsupported !== "number") continue;
        assert.ok(0 <= refuted && refuted <= unsupported + 1e-12 && unsupported <= 1);
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("Requirement 15.1: pooled rates do not depend on the order of responses", () => {
  fc.assert(
    fc.property(RESPONSES, fc.nat(), (responses, seed) => {
      const shuffled = randomSource(seed).shuffle(responses);
      for (const scope of HALLUCINATION_SCOPES) {
        assert.deepEqual(pooledMicroRate(shuffled, scope), pooledMicroRate(responses, scope));
        assert.deepEqual(macroRate(shuffled, scope), macroRate(responses, scope));
      }
    }),
    { numRuns: 200 },
  );
});

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

Deno.test("Requirement 20.2, 20.3, 20.4: the false acceptance rate is failed abstentions / queries about nothing", () => {
  assert.equal(refusalRate(SIX, "false acceptance"), 2 / 3);
  assert.equal(refusalRate(SIX, "over-refusal"), 1 / 2);
});

Deno.test("refusalInterval() is Wilson's for queries of their own: 10 of 10 is no certainty", () => {
  const all = Array.from({ length: 10 }, (_, i) => outcome(`q${i}`, false, false));
  const interval = refusalInterval([...all, ...SIX.slice(4)], "false acceptance", randomSource(1));
  assert.ok(interval.kind === "interval" && interval.n === 10);
  // Wilson's lower bound for 10 of 10 at 95 % is 1 / (1 + z²/10).
  assert.ok(Math.abs(interval.low - 1 / (1 + 1.959963984540054 ** 2 / 10)) < 1e-9);
  assert.equal(interval.high, 1);
});

Deno.test("Requirement 20.1: rates of whatever outcomes are in 0–1", () => {
  const made = fc.array(
    fc.tuple(fc.boolean(), fc.option(fc.boolean(), { nil: undefined })),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(made, (pairs) => {
      const outcomes = pairs.map(([exists, abstained], i) => outcome(`q${i}`, exists, abstained));
      for (const rate of REFUSAL_RATES.map((name) => refusalRate(outcomes, name))) {
        if (typeof rate === "number") assert.ok(rate >= 0 && rate <= 1);
      }
    }),
    { numRuns: 200 },
  );
});
