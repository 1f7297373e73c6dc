import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { RunConfig } from "../configuration.ts";
import {
  configFor,
  madeEvaluation,
  type MadeRating,
  ONE_SLIP,
  soundRatings,
} from "../testdata/evaluations.ts";
import {
  type Change,
  fewestChanges,
  findCulprits,
  isInOrder,
  nearestScore,
  rankedRatings,
} from "./order.ts";
import { legalInterval, violationsOf } from "./violations.ts";

/** Summarises culprits: rating, counterpart and repair (`0=63` a score, `0>good` a bucket). */
function blamed(made: readonly MadeRating[], more: Partial<RunConfig> = {}): string[] {
  const short = (change: Change) =>
    `${change.translation}${change.kind === "score" ? `=${change.da}` : `>${change.bucket}`}`;
  return findCulprits(madeEvaluation(made), configFor(made.length, more)).culprits
    .map(({ rating, counterpart, change, pushed }) =>
      [`${rating.translation}/${counterpart.translation}:`, ...[change, ...pushed].map(short)]
        .join(" ")
    );
}

Deno.test("blameFor() names the fewest out of place, whom they stand against, and the way back", () => {
  const several: MadeRating[] = [["best", 90], ["best", 10], ["good", 70], ["ok", 40]];
  const cases: readonly (readonly [readonly MadeRating[], readonly string[]])[] = [
    [ONE_SLIP, ["2/9: 2=24"]],
    // Of two that stand only against each other the worse.
    [[["best", 60], ["good", 62]], ["1/0: 1=59"]],
    [[["best", 95], ["good", 90], ["best", 40]], ["1/2: 1=39"]],
    // Raising best to 71 would leave it below poor 90: it is poor that is out of place.
    [[["best", 69], ["good", 60], ["good", 55], ["poor", 90]], ["3/2: 3=54"]],
    [[...several, ["poor", 95], ["poor", 5]], ["1/2: 1=71", "4/3: 4=39"]],
    // There is no score between Best and Poor.
    [[["best", 50], ["good", 80], ["poor", 49]], ["1/0: 1>best"]],
    [[["best", 60], ["good", 59]], []],
  ];
  for (const [made, expected] of cases) assert.deepEqual(blamed(made), expected);
  const short = { daMax: 1, allowEmptyBuckets: false };
  assert.deepEqual(blamed([["best", 1], ["good", 1], ["ok", 0]], short), []);
});

/** Ratings crowded on scales of 8, 30 or 100 points. */
const crowded = (n: number) => fc.constantFrom(8, 30, 100).chain((top) => soundRatings(n, top));

function after(made: readonly MadeRating[], changes: readonly Change[]): MadeRating[] {
  return made.map(([bucket, da], translation) =>
    changes.filter((change) => change.translation === translation).reduce<MadeRating>(
      ([b, d], change) => change.kind === "score" ? [b, change.da] : [change.bucket, d],
      [bucket, da],
    )
  );
}

const ordered = (made: readonly MadeRating[], config: RunConfig) =>
  isInOrder(rankedRatings(madeEvaluation(made), config));

Deno.test("FR-5: all proposed repairs together leave nothing out of order and no new fault", () => {
  fc.assert(
    fc.property(crowded(12), fc.boolean(), (made, allowEmptyBuckets) => {
      const config = configFor(12, { allowEmptyBuckets });
      const before = violationsOf(madeEvaluation(made), config);
      const repairs = before.flatMap((one) => one.kind === "ordering" ? one.repair : []);
      const empty = before.filter(({ kind }) => kind === "empty-bucket");
      const left = violationsOf(madeEvaluation(after(made, repairs)), config);
      const fresh = left.filter((one) => !empty.some((other) => isDeepStrictEqual(one, other)));
      assert.deepEqual(fresh, []);
    }),
    { numRuns: 300 },
  );
});

Deno.test("FR-5: every score that a repair allows serves as well", () => {
  const ratings = fc.integer({ min: 2, max: 8 }).chain(crowded);
  fc.assert(
    fc.property(ratings, fc.boolean(), (made, allowEmptyBuckets) => {
      const config = configFor(made.length, { allowEmptyBuckets });
      const { culprits } = findCulprits(madeEvaluation(made), config);
      for (const { change, scores } of culprits) {
        if (change.kind === "bucket" || !scores) continue;
        const all = culprits.flatMap((one) => [one.change, ...one.pushed]);
        for (const da of [scores.low, scores.high]) {
          assert(ordered(after(made, [...all, { ...change, da }]), config));
        }
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("FR-5: fewestChanges() finds what trying every set of scores finds", () => {
  const targets = (made: readonly MadeRating[], config: RunConfig) =>
    fewestChanges(rankedRatings(madeEvaluation(made), config), config)!;
  const byHand: MadeRating[] = [["best", 90], ["best", 10], ["good", 70], ["ok", 40], ["poor", 49]];
  assert.deepEqual(targets(byHand, configFor(5)), [90, 71, 70, 40, 39]);
  const config = configFor(4, { daMax: 4, allowEmptyBuckets: false });
  fc.assert(fc.property(soundRatings(4, 4), (made) => {
    const cost = (scores: readonly (number | undefined)[]) =>
      made.reduce((sum, [, da], i) => {
        return sum + (scores[i] === da ? 0 : 100 + Math.abs(scores[i]! - Number(da)));
      }, 0);
    const every = Array.from(
      { length: 5 ** 4 },
      (_, n) => made.map((_, i) => (n / 5 ** i | 0) % 5),
    );
    const tried = every.filter((scores) =>
      ordered(made.map(([bucket], i) => [bucket, scores[i]]), config)
    );
    assert.equal(cost(targets(made, config)), Math.min(...tried.map(cost)));
  }));
});

const interval = (ratings: readonly MadeRating[], translation: number) =>
  legalInterval(madeEvaluation(ratings), translation, configFor(ratings.length));

Deno.test("legalInterval() lies above worse buckets and below better ones, a slip left out", () => {
  const limits = (ratings: readonly MadeRating[]) =>
    ratings.map((_, t) => Object.values(interval(ratings, t) ?? {}).join("–"));
  const ratings: MadeRating[] = [["best", 90], ["good", undefined], ["poor", 30], ["great", 5]];
  assert.deepEqual(limits(ratings), ["31–100", "31–89", "0–89", ""]);
  assert.equal(limits([["good", undefined], ["best", 50], ["poor", 49]])[0], "");
  const slip = limits(ONE_SLIP);
  assert.deepEqual([0, 2, 3, 6].map((t) => slip[t]), ["75–100", "0–24", "53–87", "21–65"]);
});

Deno.test("FR-5: legalInterval() holds the score of every rating that is not blamed, and no other", () => {
  fc.assert(
    fc.property(soundRatings(12, 40), (ratings) => {
      const { culprits } = findCulprits(madeEvaluation(ratings), configFor(12));
      const named = culprits.map(({ rating }) => rating.translation);
      ratings.forEach(([, da], translation) => {
        const legal = interval(ratings, translation);
        const holds = legal !== undefined && legal.low <= Number(da) && Number(da) <= legal.high;
        assert.equal(holds, !named.includes(translation));
      });
    }),
    { numRuns: 200 },
  );
});

Deno.test("nearestScore() is a whole point, or as fine as repairs are; never off the scale", () => {
  const on = (more: Partial<RunConfig>) => (place: number) =>
    nearestScore(place, configFor(2, more));
  assert.deepEqual([63.5, -3, 101].map(on({})), [64, 0, 100]);
  assert.deepEqual([63.178, 0.06, 99.99].map(on({ integerOnly: false })), [63.2, 0.1, 100]);
  assert.deepEqual([0.1234567].map(on({ integerOnly: false, daMax: 1 })), [0.123]);
});
