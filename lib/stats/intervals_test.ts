import assert from "node:assert/strict";
import { mean } from "simple-statistics";
import {
  clusterBootstrap,
  type ClusteredValue,
  fewClustersInterval,
  minimumDetectableEffect,
  normalQuantile,
  studentQuantile,
  wilsonInterval,
} from "./intervals.ts";
import { randomSource } from "./random.ts";

const average = (values: readonly number[]) => values.length === 0 ? undefined : mean([...values]);

const TWO = [{ cluster: "a", value: 0 }, { cluster: "b", value: 1 }];

function bootstrapMean(items: readonly ClusteredValue<number>[], seed = 1, resamples = 2000) {
  const random = randomSource(seed);
  return clusterBootstrap({ items, statistic: average, resamples, random });
}

Deno.test("wilsonInterval() gives Newcombe's published bounds", () => {
  // Newcombe 1998, Statistics in Medicine 17, 857–872, table I, method 3.
  const published: readonly (readonly [number, number, string, string])[] = [
    [81, 263, "0.2553", "0.3662"],
    [15, 148, "0.0624", "0.1605"],
    [0, 20, "0.0000", "0.1611"],
    [1, 29, "0.0061", "0.1718"],
  ];
  for (const [successes, n, low, high] of published) {
    const interval = wilsonInterval(successes, n, 0.95);
    assert.ok(interval.kind === "interval");
    assert.deepEqual([interval.low.toFixed(4), interval.high.toFixed(4)], [low, high]);
    assert.equal(interval.estimate, successes / n);
  }
  const certain = wilsonInterval(20, 20, 0.95);
  assert.ok(certain.kind === "interval" && certain.high === 1);
});

Deno.test("clusterBootstrap() widens the interval where clusters agree within; two worked by hand", () => {
  // 16 clusters of 25 equal values: as good as 16 items, standard error 0.125.
  const items = Array.from({ length: 400 }, (_, i) => {
    const cluster = Math.floor(i / 25);
    return { cluster: `lemma ${cluster}`, value: cluster % 2 };
  });
  const interval = bootstrapMean(items);
  assert.ok(interval.kind === "interval");
  assert.ok(Math.abs(interval.high - interval.low - 2 * 1.96 * 0.125) < 0.05);
  assert.deepEqual([interval.n, interval.clusters, interval.resamples], [400, 16, 2000]);
  // Cluster means 0 and 1: resamples are 0, 0.5 or 1 with chances ¼, ½, ¼; so 2.5 % is 0, 97.5 % is 1.
  const two = bootstrapMean(TWO);
  assert.ok(two.kind === "interval");
  assert.deepEqual([two.low, two.estimate, two.high], [0, 0.5, 1]);
  // Whatever the order of the rows.
  assert.deepEqual(bootstrapMean(randomSource(7).shuffle(items)), interval);
});

Deno.test("clusterBootstrap() says unavailable rather than NaN, and refuses too few resamples", () => {
  const why = (interval: ReturnType<typeof bootstrapMean>) =>
    interval.kind === "unavailable" ? interval.reason : "";
  assert.equal(why(bootstrapMean([])), "no items");
  const twice = TWO.map((item) => ({ ...item, cluster: "a" }));
  assert.equal(why(bootstrapMean(twice)), "a single cluster says nothing about others");
  const settings = { items: TWO, random: randomSource(1), resamples: 100 };
  // Defined only where both clusters were drawn: on about half of the resamples.
  const statistic = (values: readonly number[]) =>
    new Set(values).size === 2 ? mean([...values]) : undefined;
  assert.match(why(clusterBootstrap({ ...settings, statistic })), /^undefined on \d+ of 100 res/);
  assert.throws(() => clusterBootstrap({ ...settings, statistic: () => NaN }), RangeError);
  assert.throws(() => bootstrapMean(TWO, 1, 10), RangeError);
});

Deno.test("minimumDetectableEffect() agrees with scipy's binomial tails", () => {
  // scipy 1.17: smallest c with 2·binom.sf(c−1, n, .5) ≤ .05, then brentq of binom.sf(c−1, n, p) = .8.
  const reference: readonly (readonly [number, number])[] = [
    // By hand: only 6 of 6 rejects (2 / 64 = .031), and p⁶ is to be .8.
    [6, 0.8 ** (1 / 6)],
    [50, 0.7039277675521796],
    [100, 0.6451313644006631],
    [125, 0.6243625117188963],
    [500, 0.5636545116688263],
    [1000, 0.5447497486201005],
  ];
  for (const [n, accuracy] of reference) {
    const effect = minimumDetectableEffect(n);
    assert.ok(effect.kind === "effect");
    assert.ok(Math.abs(effect.accuracy - accuracy) < 1e-8, `${effect.accuracy} at n = ${n}`);
  }
  assert.equal(minimumDetectableEffect(5).kind, "unavailable");
  assert.throws(() => minimumDetectableEffect(0), RangeError);
});

Deno.test("normalQuantile() agrees with published quantiles to 1e-12", () => {
  // scipy 1.17 `norm.ppf` (Cephes); the first three also stand in Wichura's paper's test section.
  const published: readonly (readonly [number, number])[] = [
    [0.25, -0.6744897501960817],
    [0.001, -3.090232306167813],
    [1e-20, -9.262340089798409],
    [1e-10, -6.361340902404056],
    [1e-5, -4.264890793922825],
    [0.025, -1.9599639845400545],
    [0.1, -1.2815515655446004],
    [0.4, -0.2533471031357997],
    [0.5, 0],
    [0.6, 0.2533471031357997],
    [0.8, 0.8416212335729143],
    [0.975, 1.959963984540054],
    [0.99, 2.3263478740408408],
  ];
  for (const [p, z] of published) {
    assert.ok(Math.abs(normalQuantile(p) - z) < 1e-12, `z(${p}) = ${normalQuantile(p)}`);
    if (p > 1e-4) assert.ok(Math.abs(normalQuantile(1 - p) + z) < 1e-12, `at ${p}`);
  }
  for (const p of [0, 1, -0.1, NaN]) assert.throws(() => normalQuantile(p), RangeError);
});

Deno.test("studentQuantile() agrees with published tables within 0.2 %", () => {
  const table = [[1, 12.706], [2, 4.303], [3, 3.182], [6, 2.447], [13, 2.16], [30, 2.042]] as const;
  for (const [degrees, t] of table) {
    assert.ok(Math.abs(studentQuantile(0.975, degrees) / t - 1) < 0.002, `${degrees}`);
  }
});

Deno.test("fewClustersInterval() is Wilson's of the trials that have its variance, wider by t", () => {
  // 0.25 / 0.01 = 25 trials, of which (1.960 / 2.262)² = 0.751 count: 18.8.
  const few = fewClustersInterval(0.5, { variance: 0.01, clusters: 10, confidence: 0.95 });
  assert.ok(few.kind === "interval");
  assert.deepEqual([few.low.toFixed(2), few.high.toFixed(2), few.n.toFixed(1)], [
    "0.29",
    "0.71",
    "18.8",
  ]);
});
