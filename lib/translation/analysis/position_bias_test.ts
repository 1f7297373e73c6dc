import assert from "node:assert/strict";
import { randomSource } from "../../stats/random.ts";
import { madeRun } from "../testdata/runs.ts";
import { positionBias } from "./position_bias.ts";
import { type SystemRating, unblind } from "./ratings.ts";

const OPTIONS = { seed: 1, resamples: 200, permutations: 500 };
const { ratings: BASE } = unblind(
  madeRun("r", Array.from({ length: 12 }, () => ({ da: [80, 60, 40, 20] }))),
);

/** The made ratings, each score changed by what its row adds. */
const withRowEffect = (effect: (position: number) => number) =>
  BASE.map((rating) => ({ ...rating, da: rating.da + effect(rating.position) }));

Deno.test("positionBias() finds points lost per row, over and above the systems' own differences", () => {
  const [before, after] = [withRowEffect(() => 0), withRowEffect((row) => -5 * row)]
    .map((ratings) => positionBias(ratings, OPTIONS).slope);
  assert.ok(before!.kind === "interval" && after!.kind === "interval");
  assert.ok(Math.abs(after!.estimate - before!.estimate + 5) < 1e-9);
});

Deno.test("positionBias() gives deviations worked by hand that sum to zero", () => {
  const deviations = (ratings: readonly SystemRating[]) =>
    positionBias(ratings, OPTIONS).positions
      // No −0: it is not what zero is written as by hand.
      .map(({ deviation }) => deviation.kind === "interval" ? deviation.estimate + 0 : undefined);
  // Items differ by 10 points, systems by 20: neither is the row's doing. One score is 12 too high.
  const plain = BASE.filter(({ itemId }) => itemId <= 2)
    .map((rating) => ({ ...rating, da: rating.da + 10 * rating.itemId }));
  assert.deepEqual(deviations(plain), [0, 0, 0, 0]);
  const high = plain.with(0, { ...plain[0]!, da: plain[0]!.da + 12 });
  // From item 1's mean, 3 higher: +9 for the high one, −3 for the others; item 2 is less by as much.
  const expected = [1, 2, 3, 4].map((position) =>
    high.filter((rating) => rating.position === position).reduce((total, { itemId, system }) => {
      const first = system === high[0]!.system ? 9 : -3;
      return total + (itemId === 1 ? first : -first) / 2;
    }, 0)
  );
  assert.deepEqual(deviations(high), expected);
});

Deno.test("positionBias() takes off a single item's mean, and has no slope where systems have fixed rows", () => {
  const { spreadTest } = positionBias(BASE.filter(({ itemId }) => itemId === 1), OPTIONS);
  // Mean squares of ±30 and ±10, whatever the order.
  assert.ok(spreadTest.kind === "test" && spreadTest.statistic === 500 && spreadTest.p === 1);
  const fixed = BASE.map((it) => ({ ...it, position: "ABCD".indexOf(it.system) + 1 }));
  assert.equal(positionBias(fixed, OPTIONS).slope.kind, "unavailable");
});

Deno.test("positionBias() is as often significant as it may be where there is no bias", () => {
  // Order drawn at random, scores fixed: p ≤ .1 in at most about a tenth of runs.
  const runs = 200;
  const random = randomSource(7);
  const options = { seed: 1, resamples: 100, permutations: 100 };
  const significant = Array.from({ length: runs }, () => {
    const shuffled = [...Map.groupBy(BASE, ({ itemId }) => itemId).values()].flatMap((own) => {
      const rows = random.shuffle([1, 2, 3, 4]);
      return own.map((rating, i) => ({ ...rating, position: rows[i]! }));
    });
    const { slopeTest } = positionBias(shuffled, options);
    assert.ok(slopeTest.kind === "test" && slopeTest.p > 0);
    return slopeTest.p;
  }).filter((p) => p <= 0.1).length;
  assert.ok(significant <= 0.1 * runs + 4 * Math.sqrt(0.09 * runs), `${significant} of ${runs}`);
});
