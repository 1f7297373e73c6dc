import assert from "node:assert/strict";
import type { RunConfig } from "../configuration.ts";
import { type MadeItem, madeRun } from "../testdata/runs.ts";
import type { ItemRole } from "../types.ts";
import { unblind } from "./ratings.ts";
import { attentionResult, raterReliability, repeatConsistency } from "./reliability.ts";

const OPTIONS = { seed: 1, resamples: 200, permutations: 500 };

function reliability(items: readonly MadeItem[], config?: RunConfig) {
  return raterReliability(unblind(madeRun("r", items, config)), OPTIONS);
}

function estimateOf(measure: { readonly kind: string; readonly estimate?: number }): number {
  assert.equal(measure.kind, "interval");
  return measure.estimate!;
}

Deno.test("raterReliability() tells how much of the score the bucket explains, worked by hand", () => {
  // Buckets 90 80 | 10 20 in both items: total 5,000, within 100 a pair, so η² = 1 − 100/5,000.
  const { bucketAndScore } = reliability([{ da: [90, 80, 10, 20] }, { da: [20, 10, 80, 90] }]);
  assert.ok(Math.abs(estimateOf(bucketAndScore.etaSquared) - 0.98) < 1e-12);
  // Ranks 3.5 3.5 1.5 1.5 and 4 3 1 2: ρ = 4/√(4·5); τ-b = 4/√(4·6).
  assert.ok(Math.abs(estimateOf(bucketAndScore.spearman) - 4 / Math.sqrt(20)) < 1e-12);
  assert.ok(Math.abs(estimateOf(bucketAndScore.kendall) - 4 / Math.sqrt(24)) < 1e-12);
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

Deno.test("raterReliability() says unavailable for what a run without extras cannot tell", () => {
  const { repeats, attention } = reliability([{ da: [90, 10] }, { da: [80, 60] }]);
  assert.deepEqual([repeats.items, repeats.pairs, attention.checks], [0, 0, []]);
  const kinds = [repeats.meanAbsoluteDifference, repeats.pearson, repeats.spearman]
    .concat([repeats.sameBucket, repeats.kappa, attention.passed] as never)
    .map(({ kind }) => kind);
  assert.deepEqual(new Set(kinds), new Set(["unavailable"]));
});

Deno.test("repeatConsistency() compares system by system, though t# and rows differ, by hand", () => {
  const items: readonly MadeItem[] = [
    { da: [90, 60, 10] },
    { da: [80, 50, 30] },
    { da: [90, 76, 14], segment: "s1", role: { kind: "repeat", of: 1 } },
    { da: [70, 50, 20], segment: "s2", role: { kind: "repeat", of: 2 } },
  ];
  const found = repeatConsistency(unblind(madeRun("r", items)).ratings, OPTIONS);
  assert.deepEqual([found.items, found.pairs], [2, 6]);
  // Differences 0 16 4 and 10 0 10.
  assert.ok(found.meanAbsoluteDifference.kind === "point");
  assert.ok(Math.abs(found.meanAbsoluteDifference.estimate - 40 / 6) < 1e-12);
  // best good poor, best good ok against best best poor, good good poor: 3 of 6 the same.
  assert.ok(found.sameBucket.kind === "point" && found.sameBucket.estimate === 0.5);
  assert.ok(found.kappa.kind === "kappa" && found.kappa.observed === 0.5);
  // Squared distances 0 1 0 and 1 0 1; of all with all 2·20, 2·10, 12 and 26. κ = 1 − 6·3/98.
  assert.equal(found.kappa.kappa, 80 / 98);
  assert.ok(found.pearson.kind === "correlation" && found.pearson.n === 6);
});

Deno.test("repeatConsistency() has intervals from six repeated items on", () => {
  const repeated = (count: number) => {
    const items = Array.from({ length: count }, (_, index) => ({ da: [90 - index, 40] }));
    const again = items.map(({ da }, index) => ({
      da: da.map((score) => score - index),
      segment: `s${index + 1}`,
      role: { kind: "repeat", of: index + 1 } as const,
    }));
    return repeatConsistency(unblind(madeRun("r", [...items, ...again])).ratings, OPTIONS);
  };
  const kinds = [5, 6].map((count) => {
    const { meanAbsoluteDifference, sameBucket } = repeated(count);
    return [meanAbsoluteDifference.kind, sameBucket.kind];
  });
  assert.deepEqual(kinds, [["point", "point"], ["interval", "interval"]]);
});

/** Eight systems, of which A is spoiled in the second item; t# of A there is 7. */
function checked(original: number, spoiled: number) {
  const role: ItemRole = { kind: "attention", of: 1, translation: 6, spoiledBy: "shuffled" };
  const others = [80, 70, 60, 50, 40, 30, 20];
  const run = madeRun("r", [
    { da: [original, ...others] },
    { da: [spoiled, ...others], segment: "s1", role },
  ]);
  return attentionResult(unblind(run).ratings);
}

Deno.test("attentionResult() passes what fell into the lowest quarter of its item, and nothing else", () => {
  const passing = checked(90, 25);
  assert.deepEqual(passing.checks, [{
    itemId: 2,
    originalItemId: 1,
    system: "A",
    spoiledBy: "shuffled",
    originalDa: 90,
    spoiledDa: 25,
    spoiledBucket: "ok",
    passed: true,
  }]);
  assert.ok(passing.passed.kind === "interval" && passing.passed.estimate === 1);
  // Higher than before; a little lower; middling; two of eight still lower; one still lower.
  const spoiled = [95, 85, 55, 35, 30];
  assert.deepEqual(spoiled.map((da) => checked(90, da).checks[0]!.passed), [
    ...[false, false, false, false],
    true,
  ]);
});
