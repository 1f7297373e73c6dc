import assert from "node:assert/strict";
import { type MadeItem, madeRun } from "../testdata/runs.ts";
import {
  compareRankings,
  correlationBeyondSystems,
  interRater,
  resampledRankings,
} from "./agreement.ts";
import type { Measure } from "../../stats/measure.ts";
import { unblind } from "./ratings.ts";

const ITEMS: readonly MadeItem[] = [[90, 60, 12], [84, 54, 36], [70, 74, 20], [98, 40, 30]]
  .map((da) => ({ da }));

function agreement(...raters: readonly (readonly MadeItem[])[]) {
  const runs = raters.map((items, index) => unblind(madeRun(`rater ${index + 1}`, items)));
  return interRater(runs, { seed: 1, resamples: 200 });
}

function assertNear(result: Measure, expected: number): void {
  assert.ok(result.kind !== "unavailable" && Math.abs(result.estimate - expected) < 1e-9);
}

Deno.test("interRater() is 1 for raters who say the same; only α of raw scores counts harshness", () => {
  const { raters, items, alphaDa, alphaZ, alphaBucket, pairs } = agreement(ITEMS, ITEMS);
  assert.deepEqual([raters, items], [["rater 1", "rater 2"], 4]);
  const { spearman, beyondSystems, systemRanking } = pairs[0]!;
  for (const result of [alphaDa, alphaZ, alphaBucket, spearman, beyondSystems]) {
    assertNear(result, 1);
  }
  assert.deepEqual(systemRanking, { kind: "correlation", coefficient: 1, n: 3 });
  const harsh = agreement(ITEMS, ITEMS.map(({ da }) => ({ da: da.map((score) => score / 2) })));
  assert.ok(harsh.alphaDa.kind === "interval" && harsh.alphaDa.estimate < 0.7);
  assertNear(harsh.alphaZ, 1);
  // Units (0,0) (1,1) (0,1) (1,0) of interval values: observed 4/8, expected 32/56; α = 1/8.
  const byHand = agreement([{ da: [0, 1] }, { da: [0, 1] }], [{ da: [0, 1] }, { da: [1, 0] }]);
  assertNear(byHand.alphaDa, 1 / 8);
});

Deno.test("interRater() uses only items that two raters share, by segment, and says where there are none", () => {
  const elsewhere: MadeItem = { da: [1, 2, 3], segment: "elsewhere" };
  const otherItems = [{ ...ITEMS[3]!, segment: "s4" }, { ...ITEMS[1]!, segment: "s2" }, elsewhere];
  const { items, alphaDa, pairs } = agreement(ITEMS, otherItems);
  assert.deepEqual([items, pairs[0]!.items], [2, 2]);
  assertNear(alphaDa, 1);
  const alone = agreement(ITEMS);
  assert.deepEqual([alone.alphaDa.kind, alone.pairs], ["unavailable", []]);
  const apart = agreement(ITEMS, [elsewhere]);
  assert.deepEqual([apart.items, apart.pairs[0]!.spearman.kind], [0, "unavailable"]);
});

const scored = (rows: readonly (readonly (readonly [number, number])[])[]) =>
  rows.map((row) => row.map(([one, other], index) => ({ system: `s${index}`, one, other })));

Deno.test("correlationBeyondSystems() gives what double centring leaves, whatever harshness and worth", () => {
  // 3 items × 2 systems. One: differences 10 20 30, mean 20: left −5 0 5 (and the reverse).
  // Other: 20 10 60, mean 30: left −5 −10 15. r = (25 + 0 + 75)/√(50 · 350) = 100/√17,500.
  const byHand = [[[60, 70], [50, 50]], [[50, 40], [30, 30]], [[90, 90], [60, 30]]] as const;
  const r = correlationBeyondSystems(scored(byHand));
  assert.ok(Math.abs(r! - 100 / Math.sqrt(17_500)) < 1e-12);
  // Neither a system's worth nor a rater's harshness counts.
  const moved = byHand.map((row) =>
    row.map(([one, other], at) => [one + 9 * at, other - 5] as const)
  );
  assert.ok(Math.abs(correlationBeyondSystems(scored(moved))! - r!) < 1e-12);
});

const figures = (...values: readonly number[]) =>
  new Map(values.map((value, index) => [`system ${index}`, value]));

Deno.test("compareRankings() gives τ-b and pairs in the same order of every two measures, by hand", () => {
  const taus = (means: Record<string, ReadonlyMap<string, number>>) =>
    compareRankings(new Map(Object.entries(means)));
  // 1 2 3 against 1 3 2: two concordant, one discordant.
  const coefficients = taus({ a: figures(1, 2, 3), b: figures(1, 3, 2), c: figures(9, 8, 7) })
    .map(({ tauB }) => tauB.kind === "correlation" && tauB.coefficient);
  assert.deepEqual(coefficients, [1 / 3, -1, -1 / 3]);
  // Alike: 1–2, 1–3, 1–4; turned round: 2–3, 2–4; tied: 3–4.
  const [tied] = taus({ a: figures(1, 2, 3, 4), b: figures(1, 3, 2, 2) });
  assert.equal(tied!.pairwiseAccuracy, 0.5);
});

Deno.test("resampledRankings() gives τ-b an interval, and compares with the yardstick on the same resamples", () => {
  const segments = Array.from({ length: 11 }, (_, index) => {
    // On average in the same order; in three segments of eleven turned round.
    const unsure = index < 3 ? figures(3, 2, 1) : figures(1, 2, 3);
    const scores = new Map([["a", figures(1, 2, 3)], ["b", unsure], ["c", unsure]]);
    return { segment: `s${index}`, document: "d", scores };
  });
  const options = { seed: 1, resamples: 500 };
  const [ab, ac, bc] = resampledRankings(segments, options, { first: "a", second: "b" });
  const { interval, beyondYardstick } = ab!;
  assert.ok(interval.kind === "interval" && interval.estimate === 1 && interval.low < 1);
  assert.equal(beyondYardstick, undefined);
  // b and c are one: however unsure a and b are, a and c are not less so; no resample differs.
  const [one, other] = [ac!.beyondYardstick, bc!.beyondYardstick];
  assert.ok(one?.kind === "interval" && one.estimate === 0 && one.low === -one.high);
  assert.ok(other?.kind === "interval" && other.estimate === 0 && other.high > 0);
});
