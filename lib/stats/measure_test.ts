import assert from "node:assert/strict";
import fc from "fast-check";
import { mean as average } from "simple-statistics";
import {
  beyondChance,
  difference,
  mean,
  type Measure,
  measureFields,
  measureOfFields,
  proportion,
  pValueAgainst,
  ratio,
  share,
  shown,
  shownNumber,
  statistic,
} from "./measure.ts";
import { randomSource } from "./random.ts";

const ends = (measure: Measure, digits = 3) => {
  assert.ok(measure.kind === "interval", JSON.stringify(measure));
  return [measure.low, measure.high].map((end) => end.toFixed(digits));
};

/** Clusters of five, of which the given numbers are right. */
const fives = (...right: readonly number[]) =>
  right.flatMap((count, cluster) =>
    Array.from({ length: 5 }, (_, i) => ({ cluster: `${cluster}`, value: i < count }))
  );

Deno.test("proportion() gives Newcombe's published bounds", () => {
  // Newcombe 1998, Statistics in Medicine 17, 857–872, table I, method 3.
  const published: readonly (readonly [number, number, string, string])[] = [
    [81, 263, "0.2553", "0.3662"],
    [15, 148, "0.0624", "0.1605"],
    [0, 20, "0.0000", "0.1611"],
    [1, 29, "0.0061", "0.1718"],
  ];
  for (const [successes, n, low, high] of published) {
    assert.deepEqual(ends(proportion(successes, n), 4), [low, high]);
  }
  const certain = proportion(20, 20);
  assert.ok(certain.kind === "interval" && certain.high === 1);
  assert.equal(proportion(0, 0).kind, "unavailable");
  assert.throws(() => proportion(1.3, 4), RangeError);
  assert.throws(() => proportion(5, 4), RangeError);
});

Deno.test("share() has Wilson's interval of the effective n by t, worked by hand", () => {
  // 29 of 30 in 6 clusters: V = 5/6 · (0.0333² + 5 · 0.00667²) = 0.001111, n = 0.0322/V = 29, by t with
  // five degrees of freedom 29 · (1.960/2.571)² = 16.86.
  assert.deepEqual(ends(share(fives(5, 5, 5, 5, 5, 4))), ["0.764", "0.996"]);
  // All right: none of 6 clusters differs; Wilson's 6 of 6.
  assert.deepEqual(ends(share(fives(5, 5, 5, 5, 5, 5))), ["0.610", "1.000"]);
  assert.deepEqual(ends(share(fives(0, 0, 0, 0, 0, 0))), ["0.000", "0.390"]);
  // Half of ten single items: V = 0.25/9, n = 9, by t 9 · (1.960/2.262)² = 6.756.
  const single = Array.from({ length: 10 }, (_, i) => ({ cluster: `${i}`, value: i < 5 }));
  assert.deepEqual(ends(share(single)), ["0.199", "0.801"]);
  const found = share(fives(5, 4, 3, 5, 5, 1));
  assert.ok(found.kind === "interval");
  assert.deepEqual([found.n, found.clusters, found.estimate], [30, 6, 23 / 30]);
});

Deno.test("difference() never has a width of zero", () => {
  const items = (...values: readonly number[]) =>
    values.map((value, i) => ({ cluster: `${i}`, value }));
  const nineteen = (value: number) => items(...Array.from({ length: 19 }, () => value));
  // 0 of 19: Wilson's upper limit is 3.841/(19 + 3.841) = 0.1682, of a range of 2 or of 1 either way.
  assert.deepEqual(ends(difference(nineteen(-1))), ["-1.000", "-0.664"]);
  assert.deepEqual(ends(difference(nineteen(0))), ["-0.168", "0.168"]);
  // Values 1, 0, −1, 0: mean 0, V = 3/4 · 2/9 = 1/6; (d + 1)/2 has n = 0.25/(V/4) = 6, by t with three
  // degrees of freedom 6 · (1.960/3.182)² = 2.276: half Wilson's width is 0.396, of d 0.792.
  assert.deepEqual(ends(difference(items(1, 0, -1, 0))), ["-0.792", "0.792"]);
});

Deno.test("mean() without bounds has the t interval of the cluster jackknife", () => {
  // Cluster means 1, 2, 3, each of two values: the textbook's t interval of 1, 2, 3.
  const items = [1, 2, 3].flatMap((value) =>
    [value, value].map((it) => (
      { cluster: `${value}`, value: it }
    ))
  );
  // s/√3 = 0.5774, t with two degrees of freedom 4.303: 2 ± 2.484.
  assert.deepEqual(ends(mean(items)), ["-0.484", "4.484"]);
  const alike = items.map((item) => ({ ...item, value: 2 }));
  assert.deepEqual(mean(alike), {
    kind: "value",
    estimate: 2,
    n: 6,
    clusters: 3,
    reason: "the clusters do not differ",
  });
});

Deno.test("ratio() divides sums, and has no value over nothing", () => {
  const items = [[1, 2], [2, 4], [3, 3]].map(([over, under], i) => (
    { cluster: `${i}`, over: over!, under: under! }
  ));
  const found = ratio(items);
  assert.ok(found.kind === "interval" && found.estimate === 6 / 9);
  const none = ratio(items.map((item) => ({ ...item, under: 0 })));
  assert.deepEqual(none, { kind: "unavailable", reason: "not defined on these items" });
});

Deno.test("measures by several clusterings add and subtract variances (Cameron, Gelbach & Miller 2011)", () => {
  // Two lemmas crossed with two sentences. Without a lemma the share is 1/4 or 3/4: V = 1/16, and the
  // same without a sentence; without one of the four 1/3, 1/2, 1/2, 2/3: V = 1/24. In all 1/12.
  const items = [["a", "s", 1], ["a", "t", 0.5], ["b", "s", 0.5], ["b", "t", 0]] as const;
  const crossed = items.map(([lemma, sentence, value]) => ({ cluster: [lemma, sentence], value }));
  const found = mean(crossed);
  assert.ok(found.kind === "interval");
  assert.equal(((found.high - 0.5) / 12.706204736).toFixed(6), Math.sqrt(1 / 12).toFixed(6));
  // Lemma a right, b wrong: by sentence V is 0, and the interval is that by lemma, not narrower.
  const alike = items.map(([lemma, sentence]) => (
    { cluster: [lemma, sentence], value: Number(lemma === "a") }
  ));
  const byLemma = alike.map(({ cluster: [lemma], value }) => ({ cluster: lemma!, value }));
  assert.deepEqual(ends(share(alike)), ends(share(byLemma)));
});

Deno.test("statistic() resamples what is no smooth function, and expands the percentiles", () => {
  const items = Array.from({ length: 9 }, (_, i) => ({ cluster: `${i}`, value: i }));
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[4];
  const options = { random: randomSource(1), bounds: [0, 8] as const };
  const found = statistic(items, median, options);
  assert.ok(found.kind === "interval");
  // P(median ≤ 1) = P(Bin(9, 2/9) ≥ 5) = 0.030: percentiles 1 and 7, times 2.306/1.960 · √(9/8) = 1.248.
  assert.deepEqual(ends(found, 2), ["0.26", "7.74"]);
  const shuffled = randomSource(7).shuffle(items);
  assert.deepEqual(statistic(shuffled, median, { ...options, random: randomSource(1) }), found);
  const few = { random: randomSource(1), resamples: 10 };
  assert.throws(() => statistic(items, median, few), RangeError);
});

Deno.test("measures say why they have no number or no interval, and are never NaN", () => {
  assert.deepEqual(share([]), { kind: "unavailable", reason: "no items" });
  const one = share([{ cluster: "a", value: true }, { cluster: "a", value: false }]);
  assert.ok(one.kind === "value" && one.estimate === 0.5);
  assert.equal(one.reason, "a single cluster says nothing about others");
  const two = [{ cluster: "a", value: 0 }, { cluster: "b", value: 1 }];
  const both = (values: readonly number[]) =>
    new Set(values).size === 2 ? average([...values]) : undefined;
  const without = statistic(two, both);
  assert.ok(without.kind === "value");
  assert.equal(without.reason, "not defined without one of the clusters");
  const undefinedOften = statistic(two, both, { random: randomSource(1), resamples: 100 });
  assert.ok(undefinedOften.kind === "value");
  assert.match(undefinedOften.reason!, /^undefined on \d+ of 100 resamples$/);
  assert.throws(() => statistic(two, () => NaN), RangeError);
});

Deno.test("Requirement 14.5: shares stay within 0–1 around the estimate, whatever the clusters and their order", () => {
  const item = fc.record({
    cluster: fc.tuple(fc.constantFrom("a", "b", "c", "d"), fc.constantFrom("s", "t", "u")),
    value: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 30 }), (items) => {
      const found = share(items);
      if (found.kind !== "interval") return assert.equal(found.kind, "value");
      const { low, high, estimate } = found;
      assert.ok(0 <= low && low <= estimate && estimate <= high && high <= 1 && low < high);
      assert.deepEqual(share(items.toReversed()), found);
    }),
    { numRuns: 200 },
  );
});

Deno.test("pValueAgainst() is 0.05 at the interval's ends, and 1 at the estimate", () => {
  const found = share(fives(5, 4, 3, 5, 5, 1));
  assert.ok(found.kind === "interval");
  for (const end of [found.low, found.high]) {
    assert.ok(Math.abs((pValueAgainst(found, end, [0, 1]) as number) - 0.05) < 1e-6);
  }
  assert.equal(pValueAgainst(found, found.estimate, [0, 1]), 1);
  const unbounded = mean([1, 2, 3].map((value) => ({ cluster: `${value}`, value })));
  // 2/0.5774 = 3.464 with two degrees of freedom: p = 0.0742.
  assert.equal((pValueAgainst(unbounded, 0) as number).toFixed(4), "0.0742");
  assert.equal(
    (pValueAgainst({ kind: "value", estimate: 1 }, 0) as { reason: string }).reason,
    "not sampled",
  );
});

Deno.test("beyondChance() counts before and after Holm's adjustment", () => {
  const of = (low: number, estimate: number, high: number): Measure => (
    { kind: "interval", estimate, low, high, clusters: 100 }
  );
  const measures = [
    of(0.8, 0.9, 0.95),
    // Just beyond chance: p is a little under 0.05, four times it is not.
    of(0.505, 0.6, 0.69),
    of(0.45, 0.5, 0.55),
    of(0.1, 0.2, 0.3),
    { kind: "unavailable", reason: "not measured" } as const,
  ];
  const { n, above, below, aboveAdjusted, belowAdjusted } = beyondChance(measures, 0.5, [0, 1]);
  const sizes = [above, below, aboveAdjusted, belowAdjusted].map(({ size }) => size);
  assert.deepEqual([n, ...sizes], [4, 2, 1, 1, 1]);
  assert.ok(aboveAdjusted.has(measures[0]!));
});

Deno.test("shown() writes the number with its interval, a minus sign, and reasons where asked", () => {
  const found = { kind: "interval", estimate: 0.5131, low: 0.48, high: 0.546 } as const;
  assert.equal(shown(found, "percent"), "51.3 [48.0, 54.6]");
  assert.equal(shown({ ...found, estimate: -0.004, low: -0.1 }), "0.00 [−0.10, 0.55]");
  assert.equal(shown({ kind: "value", estimate: 1234.4 }, "count"), "1,234");
  const none = { kind: "unavailable", reason: "no items" } as const;
  assert.equal(shown(none), "–");
  assert.equal(shown(none, 1, { reasons: true }), "– (no items)");
  assert.equal(shownNumber(-0.04, 1), "0.0");
  for (const measure of [found, { kind: "value", estimate: 1, reason: "one" } as const, none]) {
    const reason = "reason" in measure ? measure.reason : undefined;
    assert.deepEqual(measureOfFields(measureFields(measure), reason), measure);
  }
});
