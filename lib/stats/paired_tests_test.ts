import assert from "node:assert/strict";
import fc from "fast-check";
import { exactMcNemar, holmAdjust } from "./paired_tests.ts";

function near(actual: number, expected: number, tolerance = 1e-12) {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);
}

Deno.test("exactMcNemar() gives the p-values worked by hand", () => {
  // 2 against 8: 2 (1 + 10 + 45) / 2^10; the mid-p takes one 45 / 2^10 away.
  near(exactMcNemar({ onlyFirst: 2, onlySecond: 8 }), 112 / 1024);
  near(exactMcNemar({ onlyFirst: 2, onlySecond: 8 }, { midP: true }), 67 / 1024);
  near(exactMcNemar({ onlyFirst: 0, onlySecond: 6 }), 2 / 64);
});

Deno.test("exactMcNemar() gives the published p-values", () => {
  // Fagerland, Lydersen & Laake 2013: airway hyper-responsiveness, 1 against 7: .0703, mid-p .039.
  near(exactMcNemar({ onlyFirst: 1, onlySecond: 7 }), 0.0703, 5e-5);
  near(exactMcNemar({ onlyFirst: 1, onlySecond: 7 }, { midP: true }), 0.039, 5e-4);
  // Approval ratings (Agresti 1990, p. 350): 86 against 150; R's binom.test(86, 236) = 3.716e-05.
  near(exactMcNemar({ onlyFirst: 86, onlySecond: 150 }), 3.7159361395713866e-5, 1e-15);
});

Deno.test("exactMcNemar() is symmetric, at most 1, and mid-p never above exact", () => {
  const count = fc.nat(300);
  fc.assert(
    fc.property(count, count, (onlyFirst, onlySecond) => {
      const p = exactMcNemar({ onlyFirst, onlySecond });
      assert.ok(p > 0 && p <= 1);
      assert.equal(p, exactMcNemar({ onlyFirst: onlySecond, onlySecond: onlyFirst }));
      assert.ok(exactMcNemar({ onlyFirst, onlySecond }, { midP: true }) <= p);
      if (onlyFirst === onlySecond) near(exactMcNemar({ onlyFirst, onlySecond }), 1);
    }),
    { numRuns: 200 },
  );
});

Deno.test("exactMcNemar() is 1 without discordant items and refuses what is no count", () => {
  assert.equal(exactMcNemar({ onlyFirst: 0, onlySecond: 0 }), 1);
  assert.throws(() => exactMcNemar({ onlyFirst: -1, onlySecond: 2 }), RangeError);
  assert.throws(() => exactMcNemar({ onlyFirst: 0.5, onlySecond: 2 }), RangeError);
});

Deno.test("holmAdjust() gives the p-values worked by hand, in input order", () => {
  // Sorted .005 .01 .03 .04 times 4 3 2 1 = .02 .03 .06 .04; the last is raised to .06.
  const adjusted = holmAdjust([0.01, 0.04, 0.03, 0.005]);
  [0.03, 0.06, 0.06, 0.02].forEach((p, i) => near(adjusted[i]!, p));
});

Deno.test("holmAdjust() agrees with R's p.adjust(method = 'holm')", () => {
  // p.adjust(c(.01, .02, .03, .04, .05), "holm") = .05 .08 .09 .09 .09
  const adjusted = holmAdjust([0.01, 0.02, 0.03, 0.04, 0.05]);
  [0.05, 0.08, 0.09, 0.09, 0.09].forEach((p, i) => near(adjusted[i]!, p));
});

Deno.test("holmAdjust() keeps the order of evidence, raises every p and at most to Bonferroni's", () => {
  const pValue = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(pValue, { maxLength: 12 }), (pValues) => {
      const adjusted = holmAdjust(pValues);
      for (const [i, p] of pValues.entries()) {
        assert.ok(adjusted[i]! >= p && adjusted[i]! <= Math.min(1, p * pValues.length));
        pValues.forEach((q, j) => q >= p && assert.ok(adjusted[j]! >= adjusted[i]!));
      }
    }),
    { numRuns: 200 },
  );
});

Deno.test("holmAdjust() refuses what is no p-value", () => {
  assert.throws(() => holmAdjust([0.5, 1.2]), RangeError);
  assert.throws(() => holmAdjust([NaN]), RangeError);
});
