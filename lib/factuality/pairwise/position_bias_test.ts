import assert from "node:assert/strict";
import fc from "fast-check";
import type { OrderedChoice } from "./comparison.ts";
import { positionBias } from "./position_bias.ts";
import { MADE_UNSCORED, madeAnswer } from "./testdata/pairwise_judges.ts";

const answers = (aFirst: OrderedChoice, bFirst: OrderedChoice) => ({
  aFirst: madeAnswer(aFirst),
  bFirst: madeAnswer(bFirst),
});

Deno.test("positionBias() counts by hand", () => {
  const found = positionBias([
    answers("first", "second"),
    answers("tie", "tie"),
    answers("first", "first"),
    answers("tie", "first"),
    answers("second", "tie"),
    { aFirst: madeAnswer("first"), bFirst: MADE_UNSCORED },
  ]);
  assert.deepEqual(found, {
    kind: "position bias",
    pairs: 5,
    unscored: 1,
    consistency: 0.4,
    primacy: 2,
    recency: 1,
    preferenceFairness: -0.2,
  });
});

Deno.test("positionBias() has nothing to say without a pair answered twice", () => {
  assert.equal(positionBias([]).kind, "unavailable");
  assert.equal(
    positionBias([{ aFirst: MADE_UNSCORED, bFirst: MADE_UNSCORED }]).kind,
    "unavailable",
  );
});

Deno.test("Requirement 14.3: fairness is in −1 … 1, 0 where all is consistent, and turns with the places", () => {
  const choice = fc.constantFrom("first", "second", "tie" as const);
  const turned = { first: "second", second: "first", tie: "tie" } as const;
  fc.assert(
    fc.property(fc.array(fc.tuple(choice, choice), { minLength: 1 }), (pairs) => {
      const found = positionBias(pairs.map(([one, other]) => answers(one, other)));
      const mirror = positionBias(pairs.map(([one, other]) => answers(turned[one], turned[other])));
      assert.ok(found.kind === "position bias" && mirror.kind === "position bias");
      assert.ok(Math.abs(found.preferenceFairness) <= 1 - found.consistency + 1e-12);
      assert.ok(Math.abs(found.preferenceFairness + mirror.preferenceFairness) < 1e-12);
      assert.equal(found.consistency, mirror.consistency);
    }),
    { numRuns: 200 },
  );
});
