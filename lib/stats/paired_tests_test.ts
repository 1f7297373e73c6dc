import assert from "node:assert/strict";
import fc from "fast-check";
import {
  blockPermutationTest,
  exactMcNemar,
  holmAdjust,
  minimumDetectableEffect,
  signFlipTest,
  wilcoxonSignedRank,
} from "./paired_tests.ts";
import { randomSource } from "./random.ts";

function near(actual: number, expected: number, tolerance = 1e-12) {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);
}

const mcNemar = (onlyFirst: number, onlySecond: number) => exactMcNemar({ onlyFirst, onlySecond });

Deno.test("exactMcNemar() gives the p-values worked by hand, and the published ones", () => {
  // 2 against 8: 2 (1 + 10 + 45) / 2^10.
  near(mcNemar(2, 8), 112 / 1024);
  // Fagerland, Lydersen & Laake 2013: airway hyper-responsiveness, 1 against 7: .0703.
  near(mcNemar(1, 7), 0.0703, 5e-5);
  // Approval ratings (Agresti 1990, p. 350): 86 against 150; R's binom.test(86, 236) = 3.716e-05.
  near(mcNemar(86, 150), 3.7159361395713866e-5, 1e-15);
  assert.equal(mcNemar(8, 2), mcNemar(2, 8));
  assert.deepEqual([mcNemar(0, 0), mcNemar(7, 7)], [1, 1]);
  for (const wrong of [-1, 0.5]) assert.throws(() => mcNemar(wrong, 2), RangeError);
});

Deno.test("holmAdjust() gives the p-values worked by hand, and R's, in input order", () => {
  const cases: readonly (readonly [readonly number[], readonly number[]])[] = [
    // Sorted .005 .01 .03 .04 times 4 3 2 1 = .02 .03 .06 .04; the last is raised to .06.
    [[0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]],
    // p.adjust(c(.01, .02, .03, .04, .05), "holm")
    [[0.01, 0.02, 0.03, 0.04, 0.05], [0.05, 0.08, 0.09, 0.09, 0.09]],
    [[0.6, 0.9], [1, 1]],
  ];
  for (const [given, expected] of cases) {
    holmAdjust(given).forEach((p, i) => near(p, expected[i]!));
  }
  for (const wrong of [1.2, NaN]) assert.throws(() => holmAdjust([0.5, wrong]), RangeError);
});

function flip(differences: readonly number[]) {
  const test = signFlipTest(differences, { random: randomSource(1) });
  assert.ok(test.kind === "test");
  return test;
}

/** Every sign pattern, one by one. */
function byEnumeration(differences: readonly number[]): number {
  const sums = differences.reduce<number[]>(
    (all, d) => all.flatMap((total) => [total + d, total - d]),
    [0],
  );
  const observed = Math.abs(differences.reduce((total, d) => total + d, 0));
  return sums.filter((total) => Math.abs(total) >= observed - 1e-7).length / sums.length;
}

/** Fisher 1935, §21: of 32,768 sign patterns 863 have a sum of 314 or more. */
const maize = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];

Deno.test("signFlipTest() gives Fisher's published p for Darwin's maize, and p worked by hand", () => {
  const twoSided = flip(maize);
  near(twoSided.p, 1726 / 32768);
  near(twoSided.statistic, 314 / 15);
  assert.deepEqual([twoSided.method, twoSided.n], ["exact", 15]);
  // 1, 2, 3, all with one sign: 2 of 8 patterns.
  assert.equal(flip([1, 2, 3]).p, 1 / 4);
});

Deno.test("signFlipTest() counts out what enumeration counts out, whole, in parts or neither", () => {
  const whole = fc.integer({ min: -100, max: 100 });
  const kinds = [
    whole,
    whole.map((points) => points / 3),
    fc.double({ min: -10, max: 10, noNaN: true }),
    whole.map((points) => points * 1e-6 * Math.PI),
  ];
  const size = { minLength: 1, maxLength: 10 };
  const difference = fc.oneof(...kinds.map((kind) => fc.array(kind, size)));
  fc.assert(fc.property(difference, (values) => {
    // Values so small relative to the others that their signs are lost in rounding are another story.
    fc.pre(values.every((value) => value === 0 || Math.abs(value) > 1e-6));
    const test = flip(values);
    assert.equal(test.method, "exact");
    near(test.p, byEnumeration(values), 1e-9);
  }));
});

Deno.test("signFlipTest() draws where it cannot count, never gives 0 and nears the exact p", () => {
  const irrational = [...maize, ...new Array(10).fill(1e-3)].map((value) => value * Math.SQRT2);
  const drawn = flip(irrational);
  assert.equal(drawn.method, "monte-carlo");
  near(drawn.p, 1726 / 32768, 4 * Math.sqrt(0.0527 * 0.9473 / 10_000));
  const certain = flip(Array.from({ length: 40 }, (_, i) => Math.PI + i / 7));
  assert.equal(certain.p, 1 / 10_001);
});

Deno.test("signFlipTest() says 1 for equal sides, unavailable without pairs, and refuses NaN", () => {
  assert.equal(flip([0, 0, 0]).p, 1);
  // 300 times +1 of ±1: P = 2 · 2⁻³⁰⁰, out of reach of any number of draws.
  near(Math.log2(flip(new Array(300).fill(1)).p), -299, 1e-9);
  const options = { random: randomSource(1) };
  assert.equal(signFlipTest([], options).kind, "unavailable");
  assert.throws(() => signFlipTest([1, NaN], options), RangeError);
  assert.throws(() => signFlipTest([1], { ...options, permutations: 10 }), RangeError);
});

Deno.test("blockPermutationTest() finds a place that matters and nothing where none does", () => {
  const first = (blocks: readonly (readonly number[])[]) =>
    blocks.reduce((sum, block) => sum + block[0]!, 0);
  const test = (blocks: number[][]) => {
    const random = randomSource(3);
    const result = blockPermutationTest({ blocks, statistic: first, permutations: 2000, random });
    assert.ok(result.kind === "test");
    return result;
  };
  // Two values a block, the higher one first in all 6: 1 of 64 arrangements.
  const lopsided = test(Array.from({ length: 6 }, () => [2, 1]));
  near(lopsided.p, 1 / 64, 0.01);
  assert.deepEqual([lopsided.statistic, lopsided.n], [12, 6]);
  assert.equal(test([[1, 1], [2, 2]]).p, 1);
  const options = { statistic: () => 0, permutations: 100, random: randomSource(1) };
  assert.equal(blockPermutationTest({ ...options, blocks: [[1], []] }).kind, "unavailable");
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

Deno.test("wilcoxonSignedRank() gives p worked by hand, and scipy's", () => {
  const p = (differences: readonly number[]) => {
    const test = wilcoxonSignedRank(differences);
    assert.ok(test.kind === "test");
    return test.p;
  };
  // All five above 0: one of 2⁵ patterns; the least against: two.
  near(p([1, 2, 3, 4, 5]), 1 / 32);
  near(p([-1, 2, 3, 4, 5]), 2 / 32);
  // Zeros are left out; two tied at ranks 1.5, one against: 3 of 8 patterns have W+ ≥ 4.5.
  near(p([0, 1, -1, 2]), 3 / 8);
  assert.equal(p([0, 0]), 1);
  // Wilcoxon 1945's wheat, 8 fields: scipy 1.17.1, wilcoxon(d, alternative="greater").
  near(p([6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]), 0.0206298828125);
  // Beyond counting: scipy's approximation, of d = (i * 37 mod 101) − 49 without 0, i = 1 … 1000.
  const many = Array.from({ length: 1000 }, (_, i) => (i + 1) * 37 % 101 - 49);
  near(p(many), 0.12986653272411341, 1e-6);
  assert.equal(wilcoxonSignedRank([]).kind, "unavailable");
  assert.throws(() => wilcoxonSignedRank([NaN]), RangeError);
});
