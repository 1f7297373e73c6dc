import assert from "node:assert/strict";
import fc from "fast-check";
import { allotShares } from "./strata.ts";

Deno.test("allotShares() gives whole numbers by largest remainder", () => {
  assert.deepEqual(allotShares({ weak: 0.4, strong: 0.6 }, 125), [["strong", 75], ["weak", 50]]);
  assert.deepEqual(allotShares({ a: 0.5, b: 0.5 }, 125), [["a", 63], ["b", 62]]);
  // 4.7, 1.6, 3.7 → 4, 1, 3 and two more for the remainders 0.7 of a and c.
  assert.deepEqual(allotShares({ a: 0.47, b: 0.16, c: 0.37 }, 10), [["a", 5], ["b", 1], ["c", 4]]);
});

Deno.test("allotShares() always sums to n", () => {
  const weights = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(weights, fc.nat(500), (weights, n) => {
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      const shares = Object.fromEntries(weights.map((weight, i) => [`s${i}`, weight / total]));
      assert.equal(allotShares(shares, n).reduce((sum, [, count]) => sum + count, 0), n);
    }),
    { numRuns: 200 },
  );
});

Deno.test("allotShares() refuses shares that are no parts of a whole", () => {
  assert.throws(() => allotShares({ a: 0.5 }, 10), RangeError);
  assert.throws(() => allotShares({ a: 1.5, b: -0.5 }, 10), RangeError);
});
