import assert from "node:assert/strict";
import fc from "fast-check";
import { madeRun } from "../testdata/runs.ts";
import { positionBias } from "./position_bias.ts";
import { type SystemRating, unblind } from "./ratings.ts";

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

Deno.test("positionBias() gives deviations worked by hand that sum to zero", () => {
  // Items differ by 10 points, systems by 20: neither is the row's doing. One score is 12 too high.
  const plain = BASE.ratings.filter(({ itemId }) => itemId <= 2)
    .map((rating) => ({ ...rating, da: rating.da + 10 * rating.itemId }));
  assert.deepEqual(estimates(positionBias(plain, OPTIONS)), [0, 0, 0, 0]);
  const high = plain.map((rating, index) => ({
    ...rating,
    da: rating.da + (index === 0 ? 12 : 0),
  }));
  // From item 1's mean, 3 higher: +9 for the high one, −3 for the others; item 2 is less by as much.
  const expected = [1, 2, 3, 4].map((position) => {
    const own = high.filter((rating) => rating.position === position);
    return own.reduce((total, { itemId, system }) => {
      const first = system === high[0]!.system ? 9 : -3;
      return total + (itemId === 1 ? first : -first);
    }, 0) / 2;
  });
  assert.deepEqual(estimates(positionBias(high, OPTIONS)), expected);
  assert.equal(expected.reduce((total, deviation) => total + deviation, 0), 0);
});

Deno.test("positionBias() with a single item takes its mean off, for nothing is known of systems", () => {
  const one = BASE.ratings.filter(({ itemId }) => itemId === 1);
  const { slopeTest, spreadTest } = positionBias(one, OPTIONS);
  // Mean squares of ±30 and ±10, whatever the order.
  assert.ok(spreadTest.kind === "test" && spreadTest.statistic === 500 && spreadTest.p === 1);
  assert.ok(slopeTest.kind === "test");
});

Deno.test("positionBias() has no slope where item and system say where a translation stood", () => {
  const fixed = BASE.ratings.map((rating) => ({
    ...rating,
    position: "ABCD".indexOf(rating.system) + 1,
  }));
  assert.equal(positionBias(fixed, OPTIONS).slope.kind, "unavailable");
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

function estimates(
  { positions }: ReturnType<typeof positionBias>,
): readonly (number | undefined)[] {
  return positions.map(({ deviation }) =>
    // No −0: it is not what zero is written as by hand.
    deviation.kind === "interval" ? deviation.estimate + 0 : undefined
  );
}

/** The index-th of the 24 orders of 0 … 3. */
function permutation(index: number): readonly number[] {
  const left = [0, 1, 2, 3];
  return [6, 2, 1, 1].map((step, place) =>
    left.splice(Math.floor(index / step) % (4 - place), 1)[0]!
  );
}
