import assert from "node:assert/strict";
import fc from "fast-check";
import type { RunConfig } from "../configuration.ts";
import { anyRatings, configFor, madeEvaluation, type MadeRating } from "../testdata/evaluations.ts";
import type { Evaluation, RatingWorkbook } from "../types.ts";
import { summarise } from "./summary.ts";

/** A workbook of these evaluations; the summary reads nothing else of it. */
function workbookOf(evaluations: readonly Evaluation[]): RatingWorkbook {
  const input = { itemId: 1, source: "", translations: [], rowInputHash: "" };
  return {
    runId: "r",
    configSha256: "c",
    keySha256: "k",
    items: evaluations.map((evaluation) => ({ input, evaluation })),
  };
}

function summaryOf(
  items: readonly (readonly MadeRating[])[],
  more: Partial<Evaluation>[] = [],
  scale: Partial<RunConfig> = {},
) {
  const evaluations = items.map((ratings, index) => madeEvaluation(ratings, more[index]));
  return summarise(workbookOf(evaluations), configFor(items[0]!.length, scale));
}

const lasting = (seconds: number, activeSeconds: number): Partial<Evaluation> => ({
  startedAt: new Date(0).toISOString(),
  committedAt: new Date(seconds * 1000).toISOString(),
  activeSeconds,
});

Deno.test("summarise() gives mean, deviation and quartiles of all scores together", () => {
  const { scores } = summaryOf([[["poor", 10], ["ok", 40]], [["ok", 30], ["poor", 20]]]);
  assert(scores.kind === "scores");
  assert.equal(scores.mean, 25);
  // √((15² + 5² + 5² + 15²) / 3)
  assert(Math.abs(Number(scores.standardDeviation) - Math.sqrt(500 / 3)) < 1e-12);
  assert.deepEqual(scores.quartiles, {
    kind: "quartiles",
    n: 4,
    min: 10,
    // Ranks 1.75 and 3.25 of 1 … 4.
    lowerQuartile: 17.5,
    median: 25,
    upperQuartile: 32.5,
    max: 40,
  });
});

Deno.test("summarise() counts scores in ten bins, 100 in the last", () => {
  const { scores } = summaryOf([
    [["best", 100], ["best", 99], ["good", 90], ["good", 89], ["ok", 10], ["poor", 9], ["poor", 0]],
  ]);
  assert(scores.kind === "scores");
  assert.deepEqual(scores.histogram.map(({ count }) => count), [2, 1, 0, 0, 0, 0, 0, 0, 1, 3]);
  assert.deepEqual(scores.histogram[8], { from: 80, to: 89, count: 1 });
  assert.deepEqual(scores.histogram[9], { from: 90, to: 100, count: 3 });
});

Deno.test("summarise() counts every score once, on any scale", () => {
  const scale = fc.record({
    daMin: fc.integer({ min: -5, max: 5 }),
    range: fc.integer({ min: 1, max: 120 }),
    integerOnly: fc.boolean(),
  });
  fc.assert(
    fc.property(scale, fc.array(fc.nat(120), { minLength: 1 }), (made, points) => {
      const { daMin, range, integerOnly } = made;
      const ratings = points.map((da): MadeRating => ["best", daMin + da % (range + 1)]);
      const daMax = daMin + range;
      const { scores } = summaryOf([ratings], [], { daMin, daMax, integerOnly });
      assert(scores.kind === "scores");
      const counted = scores.histogram.reduce((sum, { count }) => sum + count, 0);
      assert.equal(counted, points.length);
      assert.deepEqual([scores.histogram[0]!.from, scores.histogram.at(-1)!.to], [daMin, daMax]);
    }),
  );
});

Deno.test("summarise() gives time at work and from start to confirmation, of confirmed items", () => {
  const rated: MadeRating[] = [["best", 90], ["poor", 5]];
  const { items, confirmed, activeSeconds, wallClockSeconds, totalActiveSeconds } = summaryOf(
    [rated, rated, rated, rated],
    [lasting(60, 40.1), lasting(90, 50.2), lasting(86_400, 70.3), { activeSeconds: 9.4 }],
  );
  assert.deepEqual([items, confirmed], [4, 3]);
  assert(activeSeconds.kind === "quartiles" && wallClockSeconds.kind === "quartiles");
  assert.deepEqual([activeSeconds.n, activeSeconds.median], [3, 50.2]);
  assert.equal(wallClockSeconds.median, 90);
  assert.equal(totalActiveSeconds, 170);
});

/** Items rated anyhow, and the same with the translations of each in another order. */
const permutedRun = fc.array(
  fc.tuple(anyRatings(7), fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6], { minLength: 7 })),
  { minLength: 1, maxLength: 5 },
).map((items) => ({
  ratings: items.map(([ratings]) => ratings),
  permuted: items.map(([ratings, order]) => order.map((from) => ratings[from]!)),
}));

Deno.test("FR-10: no figure of a t# can be had: translations may change places in any item", () => {
  fc.assert(
    fc.property(permutedRun, ({ ratings, permuted }) => {
      assert.deepEqual(summaryOf(permuted), summaryOf(ratings));
    }),
    { numRuns: 200 },
  );
});

Deno.test("FR-10: no list in the summary is as long as there are translations", () => {
  fc.assert(
    fc.property(permutedRun, ({ ratings }) => {
      for (const list of listsIn(summaryOf(ratings))) assert.notEqual(list.length, 7);
    }),
    { numRuns: 100 },
  );
});

function listsIn(value: unknown): readonly (readonly unknown[])[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value).flatMap(listsIn);
  return Array.isArray(value) ? [value, ...inside] : inside;
}
