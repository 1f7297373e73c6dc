import assert from "node:assert/strict";
import fc from "fast-check";
import type { RunConfig } from "../configuration.ts";
import {
  anyRatings,
  configFor,
  madeEvaluation,
  type MadeRating,
  workbookOf,
} from "../testdata/evaluations.ts";
import type { ItemEvaluation } from "../types.ts";
import { summarise } from "./summary.ts";

function summaryOf(
  items: readonly (readonly MadeRating[])[],
  more: Partial<ItemEvaluation>[] = [],
  scale: Partial<RunConfig> = {},
) {
  const evaluations = items.map((ratings, index) => madeEvaluation(ratings, more[index]));
  return summarise(workbookOf(evaluations), configFor(items[0]!.length, scale));
}

Deno.test("summarise() gives mean, deviation, quartiles and ten bins of all scores together", () => {
  const { scores } = summaryOf([[["poor", 10], ["ok", 40]], [["ok", 30], ["poor", 20]]]);
  assert(scores.kind === "scores" && scores.mean === 25);
  // √((15² + 5² + 5² + 15²) / 3)
  assert(Math.abs(Number(scores.standardDeviation) - Math.sqrt(500 / 3)) < 1e-12);
  const { n, min, lowerQuartile, median, upperQuartile, max } = scores.quartiles;
  // Ranks 1.75 and 3.25 of 1 … 4.
  const spread = [n, min, lowerQuartile, median, upperQuartile, max];
  assert.deepEqual(spread, [4, 10, 17.5, 25, 32.5, 40]);
  const given = [100, 99, 90, 89, 10, 9, 0].map((da): MadeRating => ["best", da]);
  const { scores: binned } = summaryOf([given]);
  assert(binned.kind === "scores");
  assert.deepEqual(binned.histogram.map(({ count }) => count), [2, 1, 0, 0, 0, 0, 0, 0, 1, 3]);
  assert.deepEqual(binned.histogram[8], { from: 80, to: 89, count: 1 });
  assert.deepEqual(binned.histogram[9], { from: 90, to: 100, count: 3 });
  const bins = (das: readonly number[], scale: Partial<RunConfig>) => {
    const { scores } = summaryOf([das.map((da): MadeRating => ["best", da])], [], scale);
    return scores.kind === "scores" ? scores.histogram.map((bin) => Object.values(bin)) : [];
  };
  assert.deepEqual(bins([1, 3, 3], { daMin: 1, daMax: 3 }), [[1, 1, 1], [2, 2, 0], [3, 3, 2]]);
  const fractions = bins([-1, -0.8, 1], { daMin: -1, daMax: 1, integerOnly: false });
  assert.deepEqual(fractions.map(([, , count]) => count), [1, 1, 0, 0, 0, 0, 0, 0, 0, 1]);
});

Deno.test("summarise() gives time at work and from start to confirmation, of confirmed items", () => {
  const rated: MadeRating[] = [["best", 90], ["poor", 5]];
  const lasting = (seconds: number, activeSeconds: number): Partial<ItemEvaluation> => ({
    startedAt: new Date(0).toISOString(),
    committedAt: new Date(seconds * 1000).toISOString(),
    activeSeconds,
  });
  const { items, activeSeconds, wallClockSeconds, totalActiveSeconds } = summaryOf(
    [rated, rated, rated, rated],
    [lasting(60, 40.1), lasting(90, 50.2), lasting(86_400, 70.3), { activeSeconds: 9.4 }],
  );
  assert.deepEqual([items, totalActiveSeconds], [4, 170]);
  assert(activeSeconds.kind === "quartiles" && wallClockSeconds.kind === "quartiles");
  assert.deepEqual([activeSeconds.n, activeSeconds.median, wallClockSeconds.median], [3, 50.2, 90]);
});

Deno.test("FR-10: no figure of a t# can be had: translations may change places in any item", () => {
  const order = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6], { minLength: 7 });
  const run = fc.array(fc.tuple(anyRatings(7), order), { minLength: 1, maxLength: 5 });
  const listsIn = (value: unknown): readonly (readonly unknown[])[] => {
    if (typeof value !== "object" || value === null) return [];
    return [...Array.isArray(value) ? [value] : [], ...Object.values(value).flatMap(listsIn)];
  };
  fc.assert(
    fc.property(run, (items) => {
      const summary = summaryOf(items.map(([ratings]) => ratings));
      const permuted = items.map(([ratings, order]) => order.map((from) => ratings[from]!));
      assert.deepEqual(summaryOf(permuted), summary);
      // No list is as long as there are translations.
      for (const list of listsIn(summary)) assert.notEqual(list.length, 7);
    }),
    { numRuns: 200 },
  );
});

Deno.test("summarise() counts sentences, not practice, repeats and checks", () => {
  const rated: MadeRating[] = [["best", 90], ["poor", 5]];
  const workbook = workbookOf(
    Array.from(
      { length: 4 },
      () => madeEvaluation(rated, { committedAt: new Date(9000).toISOString(), activeSeconds: 10 }),
    ),
  );
  const translations = ["translation 1", "translation 2"]
    .map((text) => ({ text, bucket: "best", da: 90, why: "" }));
  const config = configFor(2, { practice: [{ source: "sentence 1", translations }] });
  const again = { ...workbook.items[3]!.input, source: "sentence 2" };
  const items = workbook.items.with(3, { ...workbook.items[3]!, input: again });
  const { items: n, totalActiveSeconds, buckets } = summarise({ ...workbook, items }, config);
  assert.deepEqual([n, totalActiveSeconds, buckets[0]!.count], [2, 20, 2]);
  // Of two documents two sentences may be alike.
  const context = { place: 1, of: 2, before: "", after: "Other." };
  const other = items.with(3, { ...items[3]!, input: { ...again, context } });
  assert.equal(summarise({ ...workbook, items: other }, config).items, 3);
});
