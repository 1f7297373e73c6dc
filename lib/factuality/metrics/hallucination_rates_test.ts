import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../stats/random.ts";
import { claimCounts } from "./claim_counts.ts";
import {
  HALLUCINATION_SCOPES,
  macroRate,
  macroRateInterval,
  meanMicroRate,
  pooledMicroRate,
  responseRate,
} from "./hallucination_rates.ts";
import { pairedDifference, responseInterval, type ResponseMetric } from "./response_interval.ts";
import { response, RESPONSES } from "./testdata/responses.ts";

// By hand: 1 of 4 refuted and 2 of 4 unsupported; 0 of 2; claims nothing; not scored; 1 of 1.
const FIVE = [
  response("a", "ssrn"),
  response("b", "ss-"),
  response("c", ""),
  response("d", "--"),
  response("e", "r"),
];

Deno.test("claimCounts() counts claims without a verdict apart", () => {
  assert.deepEqual(claimCounts(FIVE[1]!.claims), {
    supported: 2,
    refuted: 0,
    unverifiable: 0,
    unscored: 1,
    scored: 2,
  });
});

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

Deno.test("an interval of MaHR has width at 1 too, where each response is a cluster of its own", () => {
  const all = ["a", "b", "c", "d"].map((query) => response(query, "r"));
  const interval = macroRateInterval(all, "refuted", randomSource(1));
  assert.ok(interval.kind === "interval" && interval.estimate === 1 && interval.low < 0.6);
});

Deno.test("an interval is unavailable for the answers to a single query, whose figure stands", () => {
  const one = [response("a", "sr")];
  const interval = responseInterval(one, (r) => meanMicroRate(r, "refuted"), randomSource(1));
  assert.deepEqual(interval, {
    kind: "unavailable",
    reason: "a single cluster says nothing about others",
  });
});

Deno.test("pairedDifference() leaves out a query for which one has no figure", () => {
  const metric: ResponseMetric = (responses) => meanMicroRate(responses, "refuted");
  const first = [response("a", "rs"), response("b", "ss"), response("c", "rr")];
  const second = [response("a", "ss"), response("b", "ss"), response("c", "")];
  const difference = pairedDifference(first, second, metric, randomSource(1));
  assert.ok(difference.kind === "interval");
  assert.deepEqual([difference.estimate, difference.n], [1 / 4, 2]);
  const reason = "on no shared query do both have the figure";
  assert.deepEqual(pairedDifference(first.slice(2), second, metric, randomSource(1)), {
    ...{ kind: "unavailable", reason },
  });
});

Deno.test("pairedDifference() compares on shared queries only, and refuses two responses to one", () => {
  const metric: ResponseMetric = (responses) => pooledMicroRate(responses, "refuted");
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

Deno.test("Requirement 15.2: MaHR of a response is at least its MiHR, and 1 where that is over 0", () => {
  fc.assert(
    fc.property(RESPONSES, fc.constantFrom(...HALLUCINATION_SCOPES), (responses, scope) => {
      for (const each of responses) {
        const { rate } = responseRate(each, scope);
        if (typeof rate === "number") assert.equal(macroRate([each], scope), rate > 0 ? 1 : 0);
      }
    }),
    { numRuns: 200 },
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
