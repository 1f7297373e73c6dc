import assert from "node:assert/strict";
import { interRater } from "./inter_rater.ts";
import { type MadeItem, madeRun } from "./testdata/made_run.ts";
import { unblind } from "./unblind.ts";

const OPTIONS = { seed: 1, resamples: 200 };
const ITEMS: readonly MadeItem[] = [
  { da: [90, 60, 12] },
  { da: [84, 54, 36] },
  { da: [70, 74, 20] },
  { da: [98, 40, 30] },
];

function agreement(...raters: readonly (readonly MadeItem[])[]) {
  const runs = raters.map((items, index) => unblind(madeRun(`rater ${index + 1}`, items)));
  return interRater(runs, OPTIONS);
}

function estimateOf(measure: { readonly kind: string; readonly estimate?: number }): number {
  assert.equal(measure.kind, "interval");
  return measure.estimate!;
}

Deno.test("interRater() is 1 throughout for raters who say the same", () => {
  const { raters, items, alphaDa, alphaZ, alphaBucket, pairs } = agreement(ITEMS, ITEMS);
  assert.deepEqual([raters, items], [["rater 1", "rater 2"], 4]);
  for (const alpha of [alphaDa, alphaZ, alphaBucket]) assert.equal(estimateOf(alpha), 1);
  assert.ok(Math.abs(estimateOf(pairs[0]!.spearman) - 1) < 1e-12);
  assert.ok(Math.abs(estimateOf(pairs[0]!.beyondSystems) - 1) < 1e-12);
  assert.deepEqual(pairs[0]!.systemRanking, { kind: "correlation", coefficient: 1, n: 3 });
});

Deno.test("interRater(): α of raw scores counts harshness, α of standardised scores does not", () => {
  const harsh = ITEMS.map(({ da }) => ({ da: da.map((score) => score / 2) }));
  const { alphaDa, alphaZ, pairs } = agreement(ITEMS, harsh);
  assert.ok(estimateOf(alphaDa) < 0.7);
  assert.ok(Math.abs(estimateOf(alphaZ) - 1) < 1e-9);
  assert.ok(Math.abs(estimateOf(pairs[0]!.spearman) - 1) < 1e-12);
});

Deno.test("interRater() gives α worked by hand", () => {
  // Units (0,0) (1,1) (0,1) (1,0) of interval values: observed 4/8, expected 32/56; α = 1/8.
  const { alphaDa } = agreement([{ da: [0, 1] }, { da: [0, 1] }], [{ da: [0, 1] }, { da: [1, 0] }]);
  assert.ok(Math.abs(estimateOf(alphaDa) - 1 / 8) < 1e-12);
});

Deno.test("interRater() uses only items that two raters share, by segment and not by number", () => {
  const second: readonly MadeItem[] = [
    { ...ITEMS[3]!, segment: "s4" },
    { ...ITEMS[1]!, segment: "s2" },
    { da: [1, 2, 3], segment: "elsewhere" },
  ];
  const { items, alphaDa, pairs } = agreement(ITEMS, second);
  assert.equal(items, 2);
  assert.equal(estimateOf(alphaDa), 1);
  assert.equal(pairs[0]!.items, 2);
});

Deno.test("interRater() of three raters has a row for every two", () => {
  const { pairs } = agreement(ITEMS, ITEMS, ITEMS);
  const named = pairs.map(({ first, second }) => `${first} ${second}`);
  assert.deepEqual(named, ["rater 1 rater 2", "rater 1 rater 3", "rater 2 rater 3"]);
});

Deno.test("interRater() says unavailable for one rater and for raters without a common item", () => {
  const alone = agreement(ITEMS);
  assert.deepEqual([alone.alphaDa.kind, alone.pairs], ["unavailable", []]);
  const apart = agreement(ITEMS, [{ da: [1, 2, 3], segment: "elsewhere" }]);
  assert.equal(apart.items, 0);
  assert.equal(apart.pairs[0]!.spearman.kind, "unavailable");
  assert.equal(apart.pairs[0]!.beyondSystems.kind, "unavailable");
  assert.equal(apart.pairs[0]!.systemRanking.kind, "unavailable");
});
