import assert from "node:assert/strict";
import fc from "fast-check";
import {
  configFor,
  madeEvaluation,
  type MadeRating,
  ONE_SLIP,
  soundRatings,
} from "../testdata/evaluations.ts";
import { blameFor } from "./repairs.ts";
import { legalInterval, violationsOf } from "./violations.ts";

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

Deno.test("legalInterval() leaves a slip out for the right rows and shows where it belongs", () => {
  assert.deepEqual(ONE_SLIP.map((_, translation) => interval(ONE_SLIP, translation)), [
    { low: 75, high: 100 },
    { low: 75, high: 100 },
    { low: 0, high: 24 },
    { low: 53, high: 87 },
    { low: 53, high: 87 },
    { low: 53, high: 87 },
    { low: 21, high: 65 },
    { low: 21, high: 65 },
    { low: 0, high: 24 },
    { low: 21, high: 65 },
    { low: 0, high: 24 },
    { low: 0, high: 24 },
  ]);
});

Deno.test("FR-5: legalInterval() holds just the scores in order with the ratings in place", () => {
  const config = configFor(4, { daMax: 20 });
  fc.assert(
    fc.property(soundRatings(4, 20), (ratings) => {
      const evaluation = madeEvaluation(ratings);
      const { culprits } = blameFor(evaluation, config);
      fc.pre(culprits.every(({ rival }) => rival === undefined));
      const out = culprits.map(({ rating }) => rating.translation);
      const inPlace = ratings.filter((_, translation) => translation && !out.includes(translation));
      const found = legalInterval(evaluation, 0, config);
      const legal = Array.from({ length: 21 }, (_, da) => da).filter((da) =>
        inPlace.every((other) =>
          violationsOf(madeEvaluation([[ratings[0]![0], da], other]), config).length === 0
        )
      );
      const expected = found === undefined
        ? []
        : Array.from({ length: found.high - found.low + 1 }, (_, step) => found.low + step);
      assert.deepEqual(expected, legal);
    }),
    { numRuns: 200 },
  );
});

Deno.test("FR-5: legalInterval() holds the score of every rating that nobody blames", () => {
  fc.assert(
    fc.property(soundRatings(12, 40), (ratings) => {
      const evaluation = madeEvaluation(ratings);
      const { culprits } = blameFor(evaluation, configFor(12));
      const named = culprits.flatMap(({ rating, rival }) => [
        rating.translation,
        ...rival ? [rival.translation] : [],
      ]);
      ratings.forEach(([, da], translation) => {
        const found = legalInterval(evaluation, translation, configFor(12));
        const holds = found !== undefined && found.low <= Number(da) && Number(da) <= found.high;
        assert.equal(holds, !named.includes(translation));
      });
    }),
    { numRuns: 200 },
  );
});
