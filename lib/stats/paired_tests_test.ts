import assert from "node:assert/strict";
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
