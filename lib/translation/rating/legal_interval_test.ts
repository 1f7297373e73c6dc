import assert from "node:assert/strict";
import fc from "fast-check";
import { legalInterval } from "./legal_interval.ts";
import {
  configFor,
  madeEvaluation,
  type MadeRating,
  soundRatings,
} from "./testdata/evaluations.ts";
import { violationsOf } from "./violations.ts";

const interval = (ratings: readonly MadeRating[], translation: number, more = {}) =>
  legalInterval(madeEvaluation(ratings), translation, configFor(ratings.length, more));

Deno.test("legalInterval() lies above worse buckets and below better ones, adjacent or not", () => {
  const ratings: MadeRating[] = [["best", 90], ["best", 85], ["good", undefined], ["poor", 30]];
  assert.deepEqual(interval(ratings, 2), { low: 31, high: 84 });
  assert.deepEqual(interval(ratings, 3), { low: 0, high: 84 });
  assert.deepEqual(interval(ratings, 0), { low: 31, high: 100 });
});

Deno.test("legalInterval() is undefined without a known bucket or without room", () => {
  assert.equal(interval([[undefined, 50], ["best", 90]], 0), undefined);
  assert.equal(interval([["great", 50], ["best", 90]], 0), undefined);
  assert.equal(interval([["good", undefined], ["best", 50], ["poor", 49]], 0), undefined);
  assert.equal(interval([["best", undefined], ["poor", 100]], 0), undefined);
  assert.equal(interval([["best", 1]], 3), undefined);
});

Deno.test("legalInterval() goes by tenths of a point where fractions are allowed", () => {
  const fractions = { integerOnly: false };
  assert.deepEqual(interval([["best", 62.5], ["good", undefined]], 1, fractions), {
    low: 0,
    high: 62.4,
  });
  assert.deepEqual(interval([["ok", 0.29], ["good", undefined]], 1, { ...fractions, daMax: 1 }), {
    low: 0.291,
    high: 1,
  });
});

Deno.test("legalInterval() is the whole scale where order is not asked for", () => {
  assert.deepEqual(interval([["good", undefined], ["best", 50]], 0, { strictOrdering: false }), {
    low: 0,
    high: 100,
  });
});

Deno.test("FR-5: legalInterval() holds just the scores that break no rule", () => {
  const config = configFor(4, { daMax: 20 });
  fc.assert(
    fc.property(soundRatings(4, 20), (ratings) => {
      const found = legalInterval(madeEvaluation(ratings), 0, config);
      const legal = Array.from({ length: 21 }, (_, da) => da)
        .filter((da) => !offendsOne(da));
      const expected = found === undefined
        ? []
        : Array.from({ length: found.high - found.low + 1 }, (_, step) => found.low + step);
      assert.deepEqual(expected, legal);

      /** With any one of the others on its own, so that their faults among each other stay out. */
      function offendsOne(da: number): boolean {
        return ratings.slice(1).some((other) =>
          violationsOf(madeEvaluation([[ratings[0]![0], da], other]), config).length > 0
        );
      }
    }),
    { numRuns: 200 },
  );
});
