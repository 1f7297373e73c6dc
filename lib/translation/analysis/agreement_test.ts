import assert from "node:assert/strict";
import fc from "fast-check";
import { type MadeItem, madeRun } from "../testdata/runs.ts";
import {
  compareRankings,
  correlationBeyondSystems,
  interRater,
  resampledRankings,
} from "./agreement.ts";
import { unblind } from "./ratings.ts";

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

Deno.test("interRater() says unavailable for one rater and for raters without a common item", () => {
  const alone = agreement(ITEMS);
  assert.deepEqual([alone.alphaDa.kind, alone.pairs], ["unavailable", []]);
  const apart = agreement(ITEMS, [{ da: [1, 2, 3], segment: "elsewhere" }]);
  assert.equal(apart.items, 0);
  assert.equal(apart.pairs[0]!.spearman.kind, "unavailable");
  assert.equal(apart.pairs[0]!.beyondSystems.kind, "unavailable");
  assert.equal(apart.pairs[0]!.systemRanking.kind, "unavailable");
});

const scored = (...rows: readonly (readonly (readonly [number, number])[])[]) =>
  rows.map((row) => row.map(([one, other], index) => ({ system: `s${index}`, one, other })));

Deno.test("correlationBeyondSystems() gives what double centring leaves, worked by hand", () => {
  // 3 items × 2 systems. One: differences 10 20 30, mean 20: left −5 0 5 (and the reverse).
  // Other: 20 10 60, mean 30: left −5 −10 15. r = (25 + 0 + 75)/√(50 · 350) = 100/√17,500.
  const found = correlationBeyondSystems(scored(
    [[60, 70], [50, 50]],
    [[50, 40], [30, 30]],
    [[90, 90], [60, 30]],
  ));
  assert.ok(Math.abs(found! - 100 / Math.sqrt(17_500)) < 1e-12);
});

Deno.test("correlationBeyondSystems() does not change with a rater's harshness, nor a system's worth", () => {
  const cell = fc.tuple(fc.nat(100), fc.nat(100));
  const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 3, maxLength: 8 });
  fc.assert(
    fc.property(table, fc.nat(50), fc.nat(50), (rows, harshness, worth) => {
      const plain = correlationBeyondSystems(scored(...rows));
      const moved = correlationBeyondSystems(scored(
        ...rows.map((row) =>
          row.map(([one, other], system) =>
            [one + system * worth, other + system * worth - harshness] as const
          )
        ),
      ));
      if (plain === undefined || moved === undefined) assert.equal(plain, moved);
      else assert.ok(Math.abs(plain - moved) < 1e-6);
    }),
    { numRuns: 100 },
  );
});

const figures = (...values: readonly number[]) =>
  new Map(values.map((value, index) => [`system ${index}`, value]));

Deno.test("compareRankings() gives τ-b of every two measures, worked by hand", () => {
  // 1 2 3 against 1 3 2: two concordant, one discordant.
  const means = new Map([["a", figures(1, 2, 3)], ["b", figures(1, 3, 2)], [
    "c",
    figures(9, 8, 7),
  ]]);
  const found = compareRankings(means).map(({ first, second, tauB }) => [
    first + second,
    tauB.kind === "correlation" && tauB.coefficient,
  ]);
  assert.deepEqual(found, [["ab", 1 / 3], ["ac", -1], ["bc", -1 / 3]]);
});

Deno.test("resampledRankings() gives τ-b of the means with an interval over segments", () => {
  const segments = Array.from({ length: 11 }, (_, index) => ({
    segment: `s${index}`,
    document: "d",
    scores: new Map([
      ["a", figures(1, 2, 3)],
      // On average in the same order; in three segments of eleven turned round.
      ["b", index < 3 ? figures(3, 2, 1) : figures(1, 2, 3)],
    ]),
  }));
  const yardstick = { first: "a", second: "b" };
  const [pair] = resampledRankings(segments, { seed: 1, resamples: 500 }, yardstick);
  assert.deepEqual(pair!.tauB, { kind: "correlation", coefficient: 1, n: 3 });
  assert.ok(pair!.interval.kind === "interval");
  assert.deepEqual([pair!.interval.estimate, pair!.interval.high], [1, 1]);
  assert.ok(pair!.interval.low < 1);
  assert.equal(pair!.beyondYardstick, undefined);
});

Deno.test("resampledRankings() compares with the yardstick on the same resamples", () => {
  const segments = Array.from({ length: 11 }, (_, index) => {
    const unsure = index < 3 ? figures(3, 2, 1) : figures(1, 2, 3);
    const scores = new Map([["a", figures(1, 2, 3)], ["b", unsure], ["c", unsure]]);
    return { segment: `s${index}`, document: "d", scores };
  });
  const options = { seed: 1, resamples: 500 };
  const pairs = resampledRankings(segments, options, { first: "a", second: "b" });
  const [, ac, bc] = pairs.map(({ beyondYardstick }) => beyondYardstick);
  // b and c are one: however unsure a and b are, a and c are not less so.
  assert.ok(ac?.kind === "interval" && ac.low === 0 && ac.high === 0);
  assert.ok(bc?.kind === "interval" && bc.estimate === 0 && bc.high > 0);
});

Deno.test("compareRankings() counts the pairs of systems in the same order, a tie as another", () => {
  const means = new Map([["a", figures(1, 2, 3, 4)], ["b", figures(1, 3, 2, 2)]]);
  // Alike: 1–2, 1–3, 1–4; turned round: 2–3, 2–4; tied: 3–4.
  assert.equal(compareRankings(means)[0]!.pairwiseAccuracy, 0.5);
  const alone = compareRankings(new Map([["a", figures(1)], ["b", figures(2)]]));
  assert.equal((alone[0]!.pairwiseAccuracy as { kind: string }).kind, "unavailable");
});
