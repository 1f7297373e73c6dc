import assert from "node:assert/strict";
import fc from "fast-check";
import type { RunConfig } from "../run_config.ts";
import { breaches, type RankedRating, rankedRatings } from "./ordering.ts";
import { applyChanges, smallestRepairs } from "./repair.ts";
import {
  configFor,
  madeEvaluation,
  type MadeRating,
  soundRatings,
} from "./testdata/evaluations.ts";
import type { Change } from "./violation.ts";

const ranked = (ratings: readonly MadeRating[], config: RunConfig) =>
  rankedRatings(madeEvaluation(ratings), config);

/** Repairs of the first pair out of order, in short: `0=63` a score, `0>good` a move. */
function repairs(made: readonly MadeRating[], more: Partial<RunConfig> = {}): string[] {
  const config = configFor(made.length, more);
  const ratings = ranked(made, config);
  return smallestRepairs(breaches(ratings)[0]!, ratings, config).map((changes) =>
    changes.map((change) =>
      `${change.translation}${change.kind === "score" ? `=${change.da}` : `>${change.bucket}`}`
    ).join(" ")
  );
}

Deno.test("smallestRepairs() raises the better or lowers the worse, which moves as many points", () => {
  assert.deepEqual(repairs([["best", 60], ["good", 62]]), ["0=63", "1=59"]);
});

Deno.test("smallestRepairs() proposes nothing that runs into a third", () => {
  // Lowered to 59, row 1 would no longer be above ok 59.
  assert.deepEqual(repairs([["best", 60], ["good", 62], ["ok", 59]]), ["0=63"]);
  // Nor off the scale.
  assert.deepEqual(repairs([["good", 100], ["ok", 100]]), ["1=99"]);
});

Deno.test("smallestRepairs() moves a translation that scores like another bucket", () => {
  // Raising 20 to 91 takes 71 points; a bucket is 25 wide.
  assert.deepEqual(repairs([["best", 20], ["best", 95], ["good", 90]]), ["0>good", "2>best"]);
});

Deno.test("smallestRepairs() moves none away from equals, which would then be out of order", () => {
  // 20 and 20: one of them moved to good would score as the other in best.
  assert.deepEqual(repairs([["best", 20], ["best", 20], ["good", 90]]), ["2>best"]);
});

Deno.test("smallestRepairs() changes two where one is not enough", () => {
  // Row 1 raised to 60 pushes best to 61, row 3 lowered to 49 pushes poor to 48: 11 points each.
  assert.deepEqual(
    repairs([["best", 60], ["good", 50], ["good", 50], ["ok", 59], ["ok", 59], ["poor", 49]]),
    ["1=59 3=58"],
  );
  // Two equals on each side, between neighbours that leave no room.
  assert.deepEqual(
    repairs([["best", 51], ["good", 50], ["good", 50], ["ok", 50], ["ok", 50], ["poor", 49]]),
    ["1=51 0=52", "3=49 5=48"],
  );
});

Deno.test("smallestRepairs() lets both meet between the ends of the scale", () => {
  // Nothing goes above 100 or below 0, and neither bucket may be left empty.
  assert.deepEqual(repairs([["best", 0], ["good", 100]], { allowEmptyBuckets: false }), [
    "0=100 1=99",
  ]);
});

Deno.test("smallestRepairs() is empty where the scale is too short", () => {
  const short = { daMax: 1, allowEmptyBuckets: false };
  assert.deepEqual(repairs([["best", 1], ["good", 1], ["ok", 0]], short), []);
});

Deno.test("smallestRepairs() goes by tenths of a point where fractions are allowed", () => {
  assert.deepEqual(repairs([["best", 60], ["good", 60.5]], { integerOnly: false }), [
    "0=60.6",
    "1=59.9",
  ]);
});

/** Pairs out of order as `i,j`: independent of the rules. */
function wrongPairs(ratings: readonly RankedRating[]): Set<string> {
  const wrong = new Set<string>();
  for (const one of ratings) {
    for (const other of ratings) {
      if (one.rank < other.rank && one.da <= other.da) {
        wrong.add([one.translation, other.translation].sort().join());
      }
    }
  }
  return wrong;
}

/** Whether changes mend pair `i,j` and put no other out of order. */
function mends(
  pair: string,
  changes: readonly Change[],
  ratings: readonly RankedRating[],
  config: RunConfig,
): boolean {
  const before = wrongPairs(ratings);
  const after = wrongPairs(applyChanges(changes, ratings, config));
  return !after.has(pair) && [...after].every((other) => before.has(other));
}

const pairOf = (higher: RankedRating, lower: RankedRating) =>
  [higher.translation, lower.translation].sort().join();

Deno.test("FR-5: every repair mends its pair, stays on the scale and makes no new fault", () => {
  const made = fc.constantFrom(8, 30, 100).chain((top) => soundRatings(12, top));
  fc.assert(
    fc.property(made, fc.boolean(), (made, allowEmptyBuckets) => {
      const config = configFor(12, { allowEmptyBuckets });
      const ratings = ranked(made, config);
      for (const breach of breaches(ratings)) {
        const found = smallestRepairs(breach, ratings, config);
        assert(found.length > 0);
        for (const changes of found) {
          assert(mends(pairOf(breach.higher, breach.lower), changes, ratings, config));
          assert(
            applyChanges(changes, ratings, config)
              .every(({ da, rank }) => Number.isInteger(da) && da >= 0 && da <= 100 && rank >= 0),
          );
          const emptied = ratings.filter(({ rank }) =>
            applyChanges(changes, ratings, config).every((after) => after.rank !== rank)
          );
          assert(allowEmptyBuckets || emptied.length === 0);
        }
      }
    }),
    { numRuns: 200 },
  );
});

Deno.test("FR-5: no repair with fewer changes, or with one and fewer points, is to be found", () => {
  const config = configFor(4, { daMax: 8 });
  const width = 8 / 4;
  fc.assert(
    fc.property(soundRatings(4, 8), (made) => {
      const ratings = ranked(made, config);
      const single = everyChange(ratings, config);
      for (const breach of breaches(ratings)) {
        const pair = pairOf(breach.higher, breach.lower);
        const [repair] = smallestRepairs(breach, ratings, config);
        const mending = single.filter((change) => mends(pair, [change], ratings, config));
        assert.equal(repair!.length === 1, mending.length > 0);
        if (repair!.length > 1) continue;
        const least = Math.min(...mending.map((change) => points(change, ratings)));
        assert.equal(points(repair![0]!, ratings), least);
      }
    }),
    { numRuns: 200 },
  );

  function points(change: Change, ratings: readonly RankedRating[]): number {
    const { da, rank } = ratings.find(({ translation }) => translation === change.translation)!;
    if (change.kind === "score") return Math.abs(change.da - da);
    return width * Math.abs(config.buckets.findIndex(({ key }) => key === change.bucket) - rank);
  }
});

function everyChange(ratings: readonly RankedRating[], config: RunConfig): readonly Change[] {
  return ratings.flatMap(({ translation }) => [
    ...Array.from(
      { length: config.daMax - config.daMin + 1 },
      (_, step): Change => ({ kind: "score", translation, da: config.daMin + step }),
    ),
    ...config.buckets.map(({ key }): Change => ({ kind: "bucket", translation, bucket: key })),
  ]);
}
