import assert from "node:assert/strict";
import fc from "fast-check";
import { unavailable } from "../../stats/agreement.ts";
import { randomSource } from "../../stats/random.ts";
import { pairedDifference } from "./classification.ts";
import { claimCounts, factScore, factualPrecision } from "./rates.ts";
import { HALLUCINATION_SCOPES, macroRate, meanMicroRate, pooledMicroRate } from "./rates.ts";
import { correctedShare, refusalRate, responseRate } from "./rates.ts";
import { response, RESPONSES } from "./testdata/made.ts";

// By hand: 1 of 4 refuted and 2 of 4 unsupported; 0 of 2; claims nothing; not scored; 1 of 1.
const FIVE = [
  response("a", "ssrn"),
  response("b", "ss-"),
  response("c", ""),
  response("d", "--"),
  response("e", "r"),
];

Deno.test("Requirement 15.2: MiHR and MaHR are those worked by hand, in both scopes", () => {
  assert.equal(pooledMicroRate(FIVE, "refuted"), 2 / 7);
  assert.equal(pooledMicroRate(FIVE, "unsupported"), 3 / 7);
  assert.equal(meanMicroRate(FIVE, "refuted"), (1 / 4 + 0 + 1) / 3);
  assert.equal(meanMicroRate(FIVE, "unsupported"), (2 / 4 + 0 + 1) / 3);
  // A response without claims counts, one that was not scored does not.
  assert.equal(macroRate(FIVE, "unsupported"), 2 / 4);
  assert.equal(macroRate([response("a", "n"), response("b", "s")], "refuted"), 0);
});

Deno.test("Requirement 15.5: MiHR of a response without claims is unavailable with a flag, never 0", () => {
  const { rate, flag } = responseRate(response("a", ""), "unsupported");
  assert.deepEqual([rate, flag], [unavailable("no claims"), "no claims"]);
  assert.equal(responseRate(response("a", "-"), "refuted").flag, "no claim was scored");
  assert.equal(responseRate(response("a", "s"), "refuted").flag, undefined);
  for (const rateOf of [pooledMicroRate, meanMicroRate]) {
    assert.deepEqual(rateOf([], "refuted"), unavailable("no responses"));
    assert.deepEqual(rateOf([response("a", "")], "refuted"), unavailable("no claims"));
  }
});

Deno.test("pairedDifference() is over shared queries for which both have a figure", () => {
  const of = (metric: typeof pooledMicroRate, first: string[], second: string[]) => {
    const [one, other] = [first, second].map((made) =>
      made.map((letters) => response(letters[0]!, letters.slice(1)))
    );
    return pairedDifference(one!, other!, (some) => metric(some, "refuted"));
  };
  const found = [
    of(meanMicroRate, ["ars", "bss", "crr"], ["ass", "bss", "c"]),
    of(pooledMicroRate, ["arr", "brs", "zss"], ["bss", "ass"]),
  ].map((one) => one.kind === "interval" && [one.estimate, one.n]);
  assert.deepEqual(found, [[1 / 4, 2], [3 / 4, 2]]);
  const none = unavailable("no query was answered by both");
  assert.deepEqual(of(pooledMicroRate, ["ar"], []), none);
  const noFigure = unavailable("on no shared query do both have the figure");
  assert.deepEqual(of(meanMicroRate, ["cr"], ["c"]), noFigure);
});

Deno.test("Requirement 15.1, 15.3, 15.4: rates are in 0–1 and count each scored claim once, in any order", () => {
  fc.assert(
    fc.property(RESPONSES, fc.nat(), (responses, seed) => {
      const claims = responses.flatMap((response) => response.claims);
      const { supported, refuted, unverifiable, unscored, scored } = claimCounts(claims);
      assert.equal(supported + refuted + unverifiable, scored);
      assert.equal(scored + unscored, claims.length);
      const shuffled = randomSource(seed).shuffle(responses);
      for (const rateOf of [pooledMicroRate, macroRate, meanMicroRate]) {
        const [refuted, unsupported] = HALLUCINATION_SCOPES.map((s) => rateOf(responses, s));
        if (rateOf !== meanMicroRate) assert.deepEqual(rateOf(shuffled, "refuted"), refuted);
        assert.equal(typeof refuted, typeof unsupported);
        if (typeof refuted !== "number" || typeof unsupported !== "number") continue;
        assert.ok(0 <= refuted && refuted <= unsupported + 1e-12 && unsupported <= 1);
      }
    }),
    { numRuns: 300 },
  );
});

const near = (value: unknown, expected: number) =>
  assert.ok(Math.abs((value as number) - expected) < 1e-12, `${value} is not ${expected}`);

Deno.test("Requirement 16.1: FActScore and factual precision, by hand: 3 of 5 facts, 11 of 12 facts", () => {
  const responses = [response("a", "sssrn"), response("b", "sssssssssssr")];
  const { score, unpenalised, respondRatio, factsPerResponse } = factScore(responses);
  near(score, (3 / 5 * Math.exp(1 - 10 / 5) + 11 / 12) / 2);
  near(unpenalised, (3 / 5 + 11 / 12) / 2);
  near(respondRatio, 1);
  near(factsPerResponse, 8.5);
  near(factualPrecision([response("a", "sr-"), response("b", "s")]), 2 / 3);
  assert.deepEqual(factualPrecision([response("a", "-")]), unavailable("no claim was scored"));
  assert.deepEqual(factScore([]).respondRatio, unavailable("no responses"));
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

Deno.test("Requirement 20.2, 20.3, 20.4: the false acceptance rate is failed abstentions / queries about nothing", () => {
  const six = [true, false, false, undefined, true, false].map((abstained, i) => (
    { exists: i > 3, abstained, query: `${i}`, cluster: `${i}` }
  ));
  assert.equal(refusalRate(six, "false acceptance"), 2 / 3);
  assert.equal(refusalRate(six, "over-refusal"), 1 / 2);
});

Deno.test("correctedShare() takes out what a verifier gets wrong on the labelled claims", () => {
  const claim = (predicted: boolean, truth?: boolean) => ({ predicted, truth });
  // Half of eight are called unsupported; of four that were read, one more is than is called so.
  const read = [claim(true, true), claim(false, true), claim(false, false), claim(true, true)];
  const unread = [claim(true), claim(true), claim(false), claim(false)];
  assert.equal(correctedShare([...read, ...unread]), 4 / 8 + 1 / 4);
  assert.deepEqual(correctedShare(unread), { kind: "unavailable", reason: "no labelled claim" });
});
