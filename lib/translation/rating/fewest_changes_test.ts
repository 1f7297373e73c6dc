import assert from "node:assert/strict";
import fc from "fast-check";
import { fewestChanges } from "./fewest_changes.ts";
import { isInOrder, type RankedRating, rankedRatings } from "./ordering.ts";
import {
  configFor,
  madeEvaluation,
  type MadeRating,
  soundRatings,
} from "./testdata/evaluations.ts";

function targets(made: readonly MadeRating[], more = {}) {
  const config = configFor(made.length, more);
  return fewestChanges(rankedRatings(madeEvaluation(made), config), config);
}

Deno.test("fewestChanges() leaves the most as they are, and moves the rest the least", () => {
  const made: MadeRating[] = [["best", 90], ["best", 10], ["good", 70], ["ok", 40], ["poor", 49]];
  assert.deepEqual(targets(made), [90, 71, 70, 40, 39]);
  assert.deepEqual(targets(made.slice(2, 4)), [70, 40]);
});

Deno.test("fewestChanges() has one leave its bucket where this takes fewer points", () => {
  // A bucket is 25 points wide; raised to 91, it would move 71.
  assert.deepEqual(targets([["best", 20], ["good", 90], ["good", 85]]), [undefined, 90, 85]);
});

Deno.test("fewestChanges() is undefined where the scale is too short for buckets never empty", () => {
  const short = { daMax: 1, allowEmptyBuckets: false };
  assert.equal(targets([["best", 1], ["good", 1], ["ok", 0]], short), undefined);
});

Deno.test("FR-5: fewestChanges() finds what trying every set of scores finds", () => {
  const more = { daMax: 4, allowEmptyBuckets: false };
  const config = configFor(4, more);
  fc.assert(
    fc.property(soundRatings(4, 4), (made) => {
      const ratings = rankedRatings(madeEvaluation(made), config);
      const cost = (scores: readonly (number | undefined)[]) =>
        ratings.reduce(
          (sum, { da }, i) => sum + (scores[i] === da ? 0 : 100 + Math.abs(scores[i]! - da)),
          0,
        );
      const found = targets(made, more)!;
      const tried = Array.from(
        { length: 5 ** 4 },
        (_, n) => ratings.map((_, i) => Math.floor(n / 5 ** i) % 5),
      )
        .filter((scores) => isInOrder(withScores(ratings, scores)));
      assert.equal(cost(found), Math.min(...tried.map(cost)));
    }),
    { numRuns: 100 },
  );
});

function withScores(
  ratings: readonly RankedRating[],
  scores: readonly number[],
): readonly RankedRating[] {
  return ratings.map((rating, i) => ({ ...rating, da: scores[i]! }));
}
