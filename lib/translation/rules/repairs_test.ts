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
import { blameFor, type Change, type Culprit, fewestChanges, pointsMoved } from "./repairs.ts";
import { isInOrder, type RankedRating, rankedRatings } from "./scale.ts";
import { violationsOf } from "./violations.ts";

/** By culprit: it, whom it stands against, and its ways in short: `0=63` a score, `0>good` a move. */
function blamed(made: readonly MadeRating[], more: Partial<RunConfig> = {}): string[] {
  return blameFor(madeEvaluation(made), configFor(made.length, more)).culprits
    .map(({ rating, counterpart, ways, pushed }) =>
      [
        `${rating.translation}/${counterpart.translation}:`,
        ways.map(({ change }) => short(change)).join("|"),
        ...pushed.map(short),
      ].join(" ")
    );
}

function short(change: Change): string {
  return change.kind === "score"
    ? `${change.translation}=${change.da}`
    : `${change.translation}>${change.bucket}`;
}

Deno.test("blameFor() finds the one slip among twelve, which breaks the order with nine rows", () => {
  assert.deepEqual(blamed(ONE_SLIP), ["2/9: 2=24|2>best"]);
});

Deno.test("blameFor() names both of two that stand only against each other", () => {
  assert.deepEqual(blamed([["best", 60], ["good", 62]]), ["1/0: 1=59|0=63"]);
  assert.deepEqual(blamed([["best", 95], ["good", 90], ["best", 40]]), [
    "1/2: 1=39|2=91|1>best|2>good",
  ]);
});

Deno.test("blameFor() counts every pair, not only that of the adjacent buckets", () => {
  // Raising best to 71 would leave it below poor 90: it is poor that is out of place.
  assert.deepEqual(blamed([["best", 69], ["good", 60], ["good", 55], ["poor", 90]]), [
    "3/2: 3=54|3>best",
  ]);
});

Deno.test("blameFor() gives each of several its repair among those that stay", () => {
  assert.deepEqual(
    blamed([["best", 90], ["best", 10], ["good", 70], ["ok", 40], ["poor", 95], ["poor", 5]]),
    ["1/2: 1=71|1>poor", "4/3: 4=39|4>best"],
  );
});

Deno.test("blameFor() blames none where all is in order or the scale is too short", () => {
  assert.deepEqual(blamed([["best", 60], ["good", 59]]), []);
  const short = { daMax: 1, allowEmptyBuckets: false };
  assert.deepEqual(blamed([["best", 1], ["good", 1], ["ok", 0]], short), []);
});

/** Ratings crowded on a short scale, a middling and a long one. */
const crowded = (n: number) => fc.constantFrom(8, 30, 100).chain((top) => soundRatings(n, top));

function after(made: readonly MadeRating[], changes: readonly Change[]): MadeRating[] {
  return made.map(([bucket, da], translation) =>
    changes.filter((change) => change.translation === translation).reduce<MadeRating>(
      ([b, d], change) => change.kind === "score" ? [b, change.da] : [change.bucket, d],
      [bucket, da],
    )
  );
}

Deno.test("FR-5: all proposed repairs together leave nothing out of order and no new fault", () => {
  fc.assert(
    fc.property(crowded(12), fc.boolean(), (made, allowEmptyBuckets) => {
      const config = configFor(12, { allowEmptyBuckets });
      const before = violationsOf(madeEvaluation(made), config);
      const repairs = before.flatMap((one) => one.kind === "ordering" ? one.repair : []);
      const empty = before.filter(({ kind }) => kind === "empty-bucket");
      const left = violationsOf(madeEvaluation(after(made, repairs)), config);
      assert.deepEqual(
        left.filter((one) => !empty.some((other) => isDeepStrictEqual(one, other))),
        [],
      );
    }),
    { numRuns: 300 },
  );
});

Deno.test("FR-5: no fewer ratings than are blamed can be changed to put the order right", () => {
  fc.assert(
    fc.property(crowded(8), (made) => {
      const config = configFor(8);
      const ratings = rankedRatings(madeEvaluation(made), config);
      // Whatever is taken out of an order has a bucket where its score fits.
      const most = Math.max(
        ...Array.from({ length: 256 }, (_, set) => ratings.filter((_, i) => set >> i & 1))
          .filter(isInOrder).map(({ length }) => length),
      );
      assert.equal(blamed(made).length, 8 - most);
    }),
    { numRuns: 200 },
  );
});

Deno.test("FR-5: every way named serves instead of the repair, with any score it allows", () => {
  let rivals = 0;
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 8 }).chain(crowded),
      fc.boolean(),
      (made, allowEmptyBuckets) => {
        const config = configFor(made.length, { allowEmptyBuckets });
        const { culprits } = blameFor(madeEvaluation(made), config);
        for (const culprit of culprits) {
          if (culprit.rival) rivals++;
          const besides = culprits.flatMap((one) => [
            ...one === culprit ? [] : [one.ways[0]!.change],
            ...one.pushed,
          ]);
          for (const { change, scores } of culprit.ways) {
            for (const da of scores ? [scores.low, scores.high] : [0]) {
              const way = change.kind === "score" ? { ...change, da } : change;
              const then = rankedRatings(madeEvaluation(after(made, [...besides, way])), config);
              assert(isInOrder(then));
            }
          }
        }
      },
    ),
    { numRuns: 300 },
  );
  assert(rivals > 20);
});

Deno.test("FR-5: where one score is enough, no other score takes fewer points", () => {
  fc.assert(
    fc.property(soundRatings(4, 8), (made) => {
      const config = configFor(4, { daMax: 8 });
      const ordered = (changes: readonly Change[]) =>
        isInOrder(rankedRatings(madeEvaluation(after(made, changes)), config));
      const mending = made.flatMap(([, was], translation) =>
        Array.from({ length: 9 }, (_, da) => ({ kind: "score", translation, da, was } as const))
          .filter((change) => ordered([change]))
      );
      if (mending.length === 0 || ordered([])) return;
      const least = Math.min(...mending.map(({ da, was }) => Math.abs(da - Number(was))));
      const [{ rating, ways }] = blameFor(madeEvaluation(made), config).culprits as [Culprit];
      const cost = pointsMoved(rating, ways[0]!.change, config);
      assert(cost <= least, `${short(ways[0]!.change)} takes ${cost}, not ${least}`);
    }),
    { numRuns: 200 },
  );
});

function targets(made: readonly MadeRating[], more = {}) {
  const config = configFor(made.length, more);
  return fewestChanges(rankedRatings(madeEvaluation(made), config), config);
}

Deno.test("fewestChanges() leaves the most as they are, and moves the rest the least", () => {
  const made: MadeRating[] = [["best", 90], ["best", 10], ["good", 70], ["ok", 40], ["poor", 49]];
  assert.deepEqual(targets(made), [90, 71, 70, 40, 39]);
  assert.deepEqual(targets(made.slice(2, 4)), [70, 40]);
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
