import assert from "node:assert/strict";
import { type MadeItem, madeRun } from "../testdata/runs.ts";
import type { ItemRole } from "../preparation/run_files.ts";
import { type SystemRating, unblind } from "./ratings.ts";
import { raterReliability } from "./reliability.ts";

const OPTIONS = { seed: 1, resamples: 200, permutations: 500 };
const reliability = (items: readonly MadeItem[]) =>
  raterReliability(unblind(madeRun("r", items)), OPTIONS);

function assertNear(
  estimate: { readonly kind: string; readonly estimate?: number },
  value: number,
) {
  assert.ok(estimate.kind !== "unavailable" && Math.abs(estimate.estimate! - value) < 1e-9);
}

Deno.test("raterReliability() tells how much of the score the bucket explains, worked by hand", () => {
  // Buckets 90 80 | 10 20 in both items: total 5,000, within 100 a pair, so η² = 1 − 100/5,000.
  const { bucketAndScore } = reliability([{ da: [90, 80, 10, 20] }, { da: [20, 10, 80, 90] }]);
  assertNear(bucketAndScore.etaSquared, 0.98);
  // Ranks 3.5 3.5 1.5 1.5 and 4 3 1 2: ρ = 4/√(4·5); τ-b = 4/√(4·6).
  assertNear(bucketAndScore.spearman, 4 / Math.sqrt(20));
  assertNear(bucketAndScore.kendall, 4 / Math.sqrt(24));
});

Deno.test("raterReliability() compares heaping with chance, and does not claim certainty of what always held", () => {
  const { heaping } = reliability([{ da: [100, 95, 50, 13] }, { da: [87, 65, 5, 0] }]);
  [6, 3, 1, 1].forEach((count, kind) => assertNear(heaping[kind]!.share, count / 8));
  const chances = heaping.map(({ chance }) => chance);
  assert.deepEqual(chances, [21 / 101, 11 / 101, undefined, undefined]);
  const always = reliability(Array(10).fill({ da: [50, 30] }));
  const { share } = always.heaping[0]!;
  // Wilson with ten items as trials: 10/(10 + 1.96²).
  assert.ok(share.kind === "interval" && Math.abs(share.low - 10 / (10 + 1.959963985 ** 2)) < 1e-9);
  assert.deepEqual([share.high, share.n], [1, 20]);
});

Deno.test("raterReliability() gives time, and drift in the order of commitment, not of the items' numbers", () => {
  // Committed backwards: 2 points up and 1 second down from one item to the next.
  const items = Array.from({ length: 12 }, (_, index) => ({
    da: [30 + 2 * (11 - index), 50 + 2 * (11 - index)],
    activeSeconds: 40 - (11 - index),
    startedAt: 4900 - index,
    committedAt: 5000 - index,
  }));
  const { drift, time: { activeSeconds, wallClockSeconds } } = reliability(items);
  assertNear(drift.da, 20);
  assertNear(drift.seconds, -10);
  assert.ok(activeSeconds.kind === "quartiles" && wallClockSeconds.kind === "quartiles");
  assert.deepEqual([activeSeconds.lowerQuartile, activeSeconds.median], [31.75, 34.5]);
  assert.equal(wallClockSeconds.median, 100);
});

Deno.test("raterReliability() compares repeats system by system, though t# and rows differ, by hand", () => {
  const repeat = (of: number) => ({ segment: `s${of}`, role: { kind: "repeat", of } as const });
  const { repeats } = reliability([
    { da: [90, 60, 10] },
    { da: [80, 50, 30] },
    { da: [90, 76, 14], ...repeat(1) },
    { da: [70, 50, 20], ...repeat(2) },
  ]);
  assert.deepEqual([repeats.items, repeats.pairs], [2, 6]);
  // Differences 0 16 4 and 10 0 10.
  assertNear(repeats.meanAbsoluteDifference, 40 / 6);
  // best good poor, best good ok against best best poor, good good poor: 3 of 6 the same.
  assertNear(repeats.sameBucket, 0.5);
  // Squared distances 0 1 0 and 1 0 1; of all with all 2·20, 2·10, 12 and 26. κ = 1 − 6·3/98.
  assert.ok(repeats.kappa.kind === "kappa" && repeats.kappa.kappa === 80 / 98);
  // Item means 20/3 and 20/3: the items do not differ, and two say little.
  const { low, high } = repeats.meanAbsoluteDifference as { low: number; high: number };
  assert.ok(low < 3 && high > 60);
});

Deno.test("attention checks: failed where the spoiled text scored as high or higher, left out only in the lowest tenth", () => {
  /** An item with system A `unspoiled`, then a check with A spoiled. */
  const checked = (unspoiled: number, spoiled: number, others = [80, 70, 60, 50, 40, 30, 20]) => {
    const role: ItemRole = { kind: "attention", of: 1, translation: 6, spoiledBy: "swapped" };
    const again = { da: [spoiled, ...others], segment: "s1", role };
    return reliability([{ da: [unspoiled, ...others] }, again]);
  };
  const passes = [[90, 89], [90, 35], [90, 90], [64, 93], [11, 10]]
    .map(([one, other]) => checked(one!, other!).attention.checks[0]!.passed);
  assert.deepEqual(passes, [true, true, false, false, true]);
  // Ties leave nothing below the best, which is no reason to leave a check out.
  const asleep = checked(80, 80, Array(7).fill(80));
  assert.deepEqual(asleep.attention.checks.map(({ passed }) => passed), [false]);
  assert.match(asleep.warnings.attention_passed!, /^failed 1 of 1 attention checks: /);
  assert.equal(checked(90, 20).warnings.attention_passed, undefined);
  // 0 to 100: a text at 10 has little left to fall.
  const { checks, notCounted, passed } = checked(10, 90).attention;
  assert.deepEqual([checks.length, notCounted.length], [0, 1]);
  assert.ok(
    passed.kind === "unavailable" && /1 not counted because .*lowest tenth/.test(passed.reason),
  );
});

Deno.test("a rater who gives one score is warned of, in words where κ would be blank", () => {
  const again = { da: [80, 80], segment: "s1", role: { kind: "repeat", of: 1 } as const };
  const { warnings, repeats, distinctScores } = reliability([
    { da: [80, 80] },
    { da: [80, 80] },
    again,
  ]);
  assert.equal(distinctScores, 1);
  assert.match(warnings.distinct_scores!, /same score/);
  assert.ok(repeats.kappa.kind === "unavailable");
  assert.equal(repeats.kappa.reason, "undefined: constant");
  assert.deepEqual(reliability([{ da: [80, 40] }, { da: [80, 30] }]).warnings, {});
});

Deno.test("items confirmed faster than 12 words a second are counted, over the words on the screen", () => {
  // `source 1` and two of `translation 1 of 1`: 2 + 2 × 4 = 10 words take 10/12 s.
  const items = [0.8, 0.9, 30].map((activeSeconds) => ({ da: [80, 40], activeSeconds }));
  const { hasty, warnings } = reliability(items);
  assert.equal(hasty.count, 1);
  assert.match(warnings.items_hasty!, /^confirmed 1 of 3 items faster than 12 words a second/);
});

const PLAIN = unblind(madeRun("r", Array(12).fill({ da: [80, 60, 40, 20] })));
const BASE = PLAIN.ratings;
const positionBias = (ratings: SystemRating[]) =>
  raterReliability({ ...PLAIN, ratings }, OPTIONS).position;

Deno.test("raterReliability(): rows: finds points lost per row, over and above the systems' own differences", () => {
  const lower = BASE.map((rating) => ({ ...rating, da: rating.da - 5 * rating.position }));
  assertNear(positionBias(BASE).slope, 0);
  assertNear(positionBias(lower).slope, -5);
});

Deno.test("raterReliability(): rows: gives deviations worked by hand that sum to zero", () => {
  const deviations = (ratings: SystemRating[]) =>
    positionBias(ratings).positions
      // No −0: it is not what zero is written as by hand.
      .map(({ deviation }) =>
        deviation.kind === "unavailable" ? undefined : deviation.estimate + 0
      );
  // Items differ by 10 points, systems by 20: neither is the row's doing. One score is 12 too high.
  const plain = BASE.filter(({ item_id }) => item_id <= 2)
    .map((rating) => ({ ...rating, da: rating.da + 10 * rating.item_id }));
  assert.deepEqual(deviations(plain), [0, 0, 0, 0]);
  const high = plain.with(0, { ...plain[0]!, da: plain[0]!.da + 12 });
  // From item 1's mean, 3 higher: +9 for the high one, −3 for the others; item 2 is less by as much.
  const expected = [1, 2, 3, 4].map((position) =>
    high.filter((rating) => rating.position === position).reduce((total, { item_id, system }) => {
      const first = system === high[0]!.system ? 9 : -3;
      return total + (item_id === 1 ? first : -first) / 2;
    }, 0)
  );
  assert.deepEqual(deviations(high), expected);
});

Deno.test("raterReliability(): rows: takes off a single item's mean, and has no slope where systems have fixed rows", () => {
  const { spreadTest } = positionBias(BASE.filter(({ item_id }) => item_id === 1));
  // Mean squares of ±30 and ±10, whatever the order.
  assert.ok(spreadTest.kind === "test" && spreadTest.statistic === 500 && spreadTest.p === 1);
  const fixed = BASE.map((it) => ({ ...it, position: "ABCD".indexOf(it.system) + 1 }));
  assert.equal(positionBias(fixed).slope.kind, "unavailable");
});
