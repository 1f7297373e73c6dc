import assert from "node:assert/strict";
import fc from "fast-check";
import { exactMcNemar, holmAdjust } from "./paired_tests.ts";

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
  assert.equal(mcNemar(0, 0), 1);
  for (const wrong of [-1, 0.5]) assert.throws(() => mcNemar(wrong, 2), RangeError);
});

Deno.test("exactMcNemar() is symmetric and at most 1", () => {
  const count = fc.nat(300);
  fc.assert(fc.property(count, count, (onlyFirst, onlySecond) => {
    const p = mcNemar(onlyFirst, onlySecond);
    assert.ok(p > 0 && p <= 1);
    assert.equal(p, mcNemar(onlySecond, onlyFirst));
    if (onlyFirst === onlySecond) near(p, 1);
  }));
});

Deno.test("holmAdjust() gives the p-values worked by hand, and R's, in input order", () => {
  const cases: readonly (readonly [readonly number[], readonly number[]])[] = [
    // Sorted .005 .01 .03 .04 times 4 3 2 1 = .02 .03 .06 .04; the last is raised to .06.
    [[0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]],
    // p.adjust(c(.01, .02, .03, .04, .05), "holm")
    [[0.01, 0.02, 0.03, 0.04, 0.05], [0.05, 0.08, 0.09, 0.09, 0.09]],
  ];
  for (const [given, expected] of cases) {
    holmAdjust(given).forEach((p, i) => near(p, expected[i]!));
  }
  for (const wrong of [1.2, NaN]) assert.throws(() => holmAdjust([0.5, wrong]), RangeError);
});

Deno.test("holmAdjust() keeps the order of evidence, raises every p and at most to Bonferroni's", () => {
  const pValue = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(fc.property(fc.array(pValue, { maxLength: 12 }), (pValues) => {
    const adjusted = holmAdjust(pValues);
    for (const [i, p] of pValues.entries()) {
      assert.ok(adjusted[i]! >= p && adjusted[i]! <= Math.min(1, p * pValues.length));
      pValues.forEach((q, j) => q >= p && assert.ok(adjusted[j]! >= adjusted[i]!));
    }
  }));
});
