import assert from "node:assert/strict";
import { averageRanks, kendallTauB, pearson, spearman } from "./correlation.ts";

function near(actual: number, expected: number, tolerance = 1e-12) {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);
}

function value(correlation: ReturnType<typeof pearson>): number {
  assert.ok(correlation.kind === "correlation");
  return correlation.coefficient;
}

Deno.test("kendallTauB() and spearman() give the values worked by hand", () => {
  // 21 concordant and 24 discordant pairs; squared differences of ranks sum to 182.
  const mathematics = [7, 4, 3, 10, 6, 2, 9, 8, 1, 5];
  const music = [5, 7, 3, 10, 1, 9, 6, 2, 8, 4];
  near(value(kendallTauB(mathematics, music)), -3 / 45);
  near(value(spearman(mathematics, music)), 1 - 6 * 182 / 990);
  // The common textbook example of IQ and hours of television: ρ = −29/165.
  const iq = [106, 100, 86, 101, 99, 103, 97, 113, 112, 110];
  const hours = [7, 27, 2, 50, 28, 29, 20, 12, 6, 17];
  near(value(spearman(iq, hours)), -29 / 165);
});

Deno.test("correlations give the values worked by hand with ties, and by SciPy", () => {
  // Three concordant, one discordant, a tie on each side: 2 / √(5 · 5).
  near(value(kendallTauB([1, 2, 2, 3], [1, 3, 2, 2])), 0.4);
  // The example of scipy.stats.kendalltau's documentation.
  near(value(kendallTauB([12, 2, 1, 12, 2], [1, 4, 7, 1, 0])), -0.47140452079103173);
  // Deviations −1 0 1 and −1 1 0: 1 / √(2 · 2).
  near(value(pearson([1, 2, 3], [1, 3, 2])), 0.5);
  assert.equal(value(pearson([0.1, 0.2, 0.7], [0.3, 0.6, 2.1])), 1);
  assert.deepEqual(averageRanks([10, 30, 10, 20, 10]), [2, 5, 2, 4, 2]);
});

Deno.test("correlations say unavailable rather than 0 / 0, and refuse what cannot be paired", () => {
  for (const correlate of [pearson, spearman, kendallTauB]) {
    assert.equal(correlate([], []).kind, "unavailable");
    assert.equal(correlate([1], [2]).kind, "unavailable");
    assert.equal(correlate([1, 1, 1], [1, 2, 3]).kind, "unavailable");
    assert.throws(() => correlate([1, 2], [1]), RangeError);
    assert.throws(() => correlate([1, NaN], [1, 2]), RangeError);
  }
});
