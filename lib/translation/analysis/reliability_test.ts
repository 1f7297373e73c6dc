import assert from "node:assert/strict";
import type { RunConfig } from "../run_config.ts";
import { raterReliability } from "./reliability.ts";
import { type MadeItem, madeRun } from "./testdata/made_run.ts";
import { unblind } from "./unblind.ts";

const OPTIONS = { seed: 1, resamples: 200, permutations: 500 };

function reliability(items: readonly MadeItem[], config?: RunConfig) {
  return raterReliability(unblind(madeRun("r", items, config)), OPTIONS);
}

function estimateOf(measure: { readonly kind: string; readonly estimate?: number }): number {
  assert.equal(measure.kind, "interval");
  return measure.estimate!;
}

Deno.test("raterReliability() counts rated items only, and their buckets", () => {
  const { items, ratings, buckets, meanDa } = reliability([
    { da: [90, 10] },
    { da: [80, 60] },
    { da: [90, 10], role: { kind: "repeat", of: 1 }, segment: "s1" },
  ]);
  assert.deepEqual([items, ratings, estimateOf(meanDa)], [2, 4, 60]);
  assert.deepEqual(buckets.map(({ count }) => count), [2, 1, 0, 1]);
});

Deno.test("raterReliability() tells how much of the score the bucket explains, worked by hand", () => {
  // Buckets 90 80 | 10 20 in both items: total 5,000, within 100 a pair, so η² = 1 − 100/5,000.
  const { bucketAndScore } = reliability([{ da: [90, 80, 10, 20] }, { da: [20, 10, 80, 90] }]);
  assert.ok(Math.abs(estimateOf(bucketAndScore.etaSquared) - 0.98) < 1e-12);
  // Ranks 3.5 3.5 1.5 1.5 and 4 3 1 2: ρ = 4/√(4·5); τ-b = 4/√(4·6).
  assert.ok(Math.abs(estimateOf(bucketAndScore.spearman) - 4 / Math.sqrt(20)) < 1e-12);
  assert.ok(Math.abs(estimateOf(bucketAndScore.kendall) - 4 / Math.sqrt(24)) < 1e-12);
  assert.equal(bucketAndScore.undefinedItems, 0);
});

Deno.test("raterReliability() counts the items in which bucket and score have no correlation", () => {
  const { bucketAndScore } = reliability([{ da: [90, 80] }, { da: [90, 10] }, { da: [80, 20] }]);
  assert.equal(bucketAndScore.undefinedItems, 1);
});

Deno.test("raterReliability() sets heaping beside the scale's own share of round scores", () => {
  const { heaping } = reliability([{ da: [100, 95, 50, 13] }, { da: [87, 65, 5, 0] }]);
  const shown = heaping.map(({ name, share, chance }) => [name, estimateOf(share), chance]);
  assert.deepEqual(shown, [
    ["multiples of 5", 6 / 8, 21 / 101],
    ["multiples of 10", 3 / 8, 11 / 101],
    ["lowest score", 1 / 8, undefined],
    ["highest score", 1 / 8, undefined],
  ]);
});

Deno.test("raterReliability() does not claim certainty of what always held", () => {
  const items = Array.from({ length: 10 }, () => ({ da: [50, 30] }));
  const { heaping: [multiples] } = reliability(items);
  assert.ok(multiples!.share.kind === "interval");
  // Wilson with ten items as trials: 10/(10 + 1.96²).
  assert.ok(Math.abs(multiples!.share.low - 10 / (10 + 1.959963985 ** 2)) < 1e-9);
  assert.deepEqual([multiples!.share.high, multiples!.share.n], [1, 20]);
});

Deno.test("raterReliability() has no chance share where scores need not be whole", () => {
  const config = { ...madeRun("r", [{ da: [1, 2] }]).config, integerOnly: false };
  const { heaping } = reliability([{ da: [1.5, 2] }, { da: [5, 2] }], config);
  assert.ok(heaping.every(({ chance }) => chance === undefined));
});

Deno.test("raterReliability() gives median and quartiles of active and wall-clock time", () => {
  const seconds = [10, 20, 30, 40, 50];
  const { time } = reliability(
    seconds.map((activeSeconds) => ({ da: [1, 2], activeSeconds, startedAt: 0, committedAt: 100 })),
  );
  assert.deepEqual(time.activeSeconds, {
    kind: "quartiles",
    n: 5,
    min: 10,
    lowerQuartile: 20,
    median: 30,
    upperQuartile: 40,
    max: 50,
  });
  assert.ok(time.wallClockSeconds.kind === "quartiles" && time.wallClockSeconds.median === 100);
});

Deno.test("raterReliability() leaves out a duration across a clock that was set back", () => {
  const { time } = reliability([
    { da: [1, 2], activeSeconds: 5, startedAt: 100, committedAt: 40 },
    { da: [1, 2], activeSeconds: 5, startedAt: 100, committedAt: 160 },
  ]);
  assert.ok(time.wallClockSeconds.kind === "quartiles");
  assert.deepEqual([time.wallClockSeconds.n, time.wallClockSeconds.median], [1, 60]);
});

Deno.test("raterReliability() finds a drift in the order of commitment, not of the items' numbers", () => {
  // Committed backwards: 2 points up and 1 second down from one item to the next.
  const items = Array.from({ length: 12 }, (_, index) => ({
    da: [30 + 2 * (11 - index), 50 + 2 * (11 - index)],
    activeSeconds: 40 - (11 - index),
    committedAt: 5000 - index,
  }));
  const { drift } = reliability(items);
  assert.ok(Math.abs(estimateOf(drift.da) - 20) < 1e-9);
  assert.ok(Math.abs(estimateOf(drift.seconds) + 10) < 1e-9);
});

Deno.test("raterReliability() does not take the haste of repeats at the end for a drift", () => {
  const items = Array.from({ length: 6 }, (_, index) => ({ da: [60, 30], segment: `s${index}` }));
  const repeats = items.slice(0, 3).map((item, index) => ({
    ...{ ...item, activeSeconds: 5 },
    role: { kind: "repeat", of: index + 1 } as const,
  }));
  const { drift } = reliability([...items, ...repeats]);
  for (const slope of [drift.seconds, drift.da]) assert.ok(Math.abs(estimateOf(slope)) < 1e-12);
});

Deno.test("raterReliability() says unavailable for what a run without extras cannot tell", () => {
  const { repeats, attention } = reliability([{ da: [90, 10] }, { da: [80, 60] }]);
  assert.deepEqual([repeats.items, repeats.pairs, attention.checks], [0, 0, []]);
  const kinds = [repeats.meanAbsoluteDifference, repeats.pearson, repeats.spearman]
    .concat([repeats.sameBucket, repeats.kappa, attention.passed] as never)
    .map(({ kind }) => kind);
  assert.deepEqual(new Set(kinds), new Set(["unavailable"]));
});
