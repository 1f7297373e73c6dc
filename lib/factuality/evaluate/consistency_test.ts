import assert from "node:assert/strict";
import { comparablePairs } from "./consistency.ts";
import { evaluate } from "./evaluate.ts";
import {
  components,
  countingClock,
  literalVerifier,
  sentenceSplitter,
} from "./testdata/stand_ins.ts";

const clock = countingClock();
const CANDIDATE = "Norway joined NATO in 1949. Elk swim. Norway joined NATO in 1994.";
const request = { id: "r1", source: "", candidate: CANDIDATE, question: "" };

const consistency = {
  verifier: literalVerifier,
  languageModel: undefined,
  mostPairs: 10,
  alsoWithSources: false,
};

Deno.test("Requirement 6.7: without any source two claims that exclude one another are found, both named", async () => {
  const found = await evaluate(request, components({ consistency }), { clock });
  assert.equal(found.mode, "zero retrieval");
  assert.deepEqual(found.consistency?.contradictions.map(({ claimIds }) => claimIds), [[
    "c1",
    "c3",
  ]]);
  assert.deepEqual(
    found.unsupported.map(({ claimId, kind }) => [claimId, kind]),
    [["c1", "internal contradiction"], ["c3", "internal contradiction"]],
  );
  for (const { verdict } of found.claims) {
    assert.equal(verdict.kind === "unscored" && verdict.reason, "no evidence");
  }
});

Deno.test("Requirement 6.7: plausibility is the log-probability a token, and unknown without a model", async () => {
  const languageModel = {
    name: "small",
    settings: {},
    score: (texts: readonly string[]) =>
      Promise.resolve(texts.map((text) => ({ logProbability: -6, tokens: 3, bytes: text.length }))),
  };
  const given = components({ consistency: { ...consistency, languageModel } });
  const known = await evaluate(request, given, { clock });
  assert.deepEqual(known.consistency?.plausibility.map(({ value }) => value), [-2, -2, -2]);
  const unknown = await evaluate(request, components({ consistency }), { clock });
  assert.deepEqual(unknown.consistency?.plausibility.map(({ value }) => value), [
    undefined,
    undefined,
    undefined,
  ]);
});

Deno.test("zero retrieval: a bound on the pairs is told", async () => {
  const given = components({ consistency: { ...consistency, mostPairs: 1 } });
  const candidate = "Norway is cold. Norway is wet. Norway is far.";
  const found = await evaluate({ ...request, candidate }, given, { clock });
  assert.deepEqual(found.problems, [
    "Of 3 pairs of claims with words in common the 1 with the most were compared.",
  ]);
});

Deno.test("internal consistency is looked at with a source only where that is wanted", async () => {
  const withSource = { ...request, source: "The fjord is deep." };
  const not = await evaluate(withSource, components({ consistency }), { clock });
  assert.equal(not.consistency, undefined);
  const wanted = components({ consistency: { ...consistency, alsoWithSources: true } });
  const found = await evaluate(withSource, wanted, { clock });
  assert.equal(found.consistency?.contradictions.length, 1);
});

Deno.test("comparablePairs() takes pairs with a content word in common, the most in common first", async () => {
  const { claims } = await sentenceSplitter.split(
    "Elk swim. Norway has elk. Sweden is big. Norway has wild elk. Is Norway wild?",
  );
  const { pairs, comparable } = comparablePairs(claims, 2);
  assert.equal(comparable, 3);
  assert.deepEqual(pairs.map(([a, b]) => [a.id, b.id]), [["c2", "c4"], ["c1", "c2"]]);
});
