import assert from "node:assert/strict";
import fc from "fast-check";
import { positionBias } from "./position_bias.ts";
import type { SystemRating } from "./rated_run.ts";
import { madeRun } from "./testdata/made_run.ts";
import { unblind } from "./unblind.ts";

const OPTIONS = { seed: 1, resamples: 200, permutations: 500 };
const BASE = unblind(madeRun("r", Array.from({ length: 12 }, () => ({ da: [80, 60, 40, 20] }))));

/** The made ratings, each score changed by what its row adds. */
function withRowEffect(effect: (position: number) => number): readonly SystemRating[] {
  return BASE.ratings.map((rating) => ({ ...rating, da: rating.da + effect(rating.position) }));
}

Deno.test("positionBias() finds points lost per row, over and above the systems' own differences", () => {
  const [plain, biased] = [withRowEffect(() => 0), withRowEffect((row) => -5 * row)];
  const [before, after] = [positionBias(plain, OPTIONS), positionBias(biased, OPTIONS)];
  assert.ok(before.slope.kind === "interval" && after.slope.kind === "interval");
  assert.ok(Math.abs(after.slope.estimate - before.slope.estimate + 5) < 1e-9);
});

Deno.test("positionBias() tells a strong bias from none", () => {
  const strong = positionBias(withRowEffect((row) => -40 * row), OPTIONS);
  assert.ok(strong.slopeTest.kind === "test" && strong.slopeTest.p < 0.01);
  assert.ok(strong.spreadTest.kind === "test" && strong.spreadTest.p < 0.01);
  const middle = positionBias(withRowEffect((row) => row === 2 || row === 3 ? 100 : 0), OPTIONS);
  assert.ok(middle.spreadTest.kind === "test" && middle.spreadTest.p < 0.01);
});

Deno.test("positionBias() gives deviations worked by hand that sum to nought", () => {
  const one = BASE.ratings.filter(({ itemId }) => itemId <= 2);
  const { positions } = positionBias(one, OPTIONS);
  const expected = [1, 2, 3, 4].map((position) => {
    const own = one.filter((rating) => rating.position === position);
    return own.reduce((sum, { da }) => sum + da - 50, 0) / 2;
  });
  const found = positions.map(({ deviation }) =>
    deviation.kind === "interval" && deviation.estimate
  );
  assert.deepEqual(found, expected);
  assert.equal(expected.reduce((sum, deviation) => sum + deviation, 0), 0);
  assert.deepEqual(positions.map(({ position }) => position), [1, 2, 3, 4]);
});

Deno.test("positionBias() is as often significant as it may be where there is no bias", () => {
  // Order drawn at random, scores fixed: p ≤ .1 in at most about a tenth of runs.
  let significant = 0;
  const runs = 200;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e9 }), (seed) => {
      const ratings = BASE.ratings.map((rating) => ({ ...rating }));
      const byItem = [...Map.groupBy(ratings, ({ itemId }) => itemId).values()];
      const shuffled = byItem.flatMap((own, index) => {
        const turn = (seed * 2654435761 + index * 40503 * (1 + seed % 97)) >>> 0;
        const rows = permutation(turn % 24);
        return own.map((rating, i) => ({ ...rating, position: rows[i]! + 1 }));
      });
      const { slopeTest } = positionBias(shuffled, {
        ...OPTIONS,
        resamples: 100,
        permutations: 100,
      });
      assert.ok(slopeTest.kind === "test" && slopeTest.p > 0 && slopeTest.p <= 1);
      if (slopeTest.p <= 0.1) significant++;
    }),
    { numRuns: runs, seed: 7 },
  );
  assert.ok(significant <= 0.1 * runs + 4 * Math.sqrt(0.09 * runs), `${significant} of ${runs}`);
});

/** The index-th of the 24 orders of 0 … 3. */
function permutation(index: number): readonly number[] {
  const left = [0, 1, 2, 3];
  return [6, 2, 1, 1].map((step, place) =>
    left.splice(Math.floor(index / step) % (4 - place), 1)[0]!
  );
}

Deno.test("positionBias() says unavailable without ratings", () => {
  const { positions, slope, slopeTest, spreadTest } = positionBias([], OPTIONS);
  assert.deepEqual(positions, []);
  assert.deepEqual(
    [slope, slopeTest, spreadTest].map(({ kind }) => kind),
    ["unavailable", "unavailable", "unavailable"],
  );
});
