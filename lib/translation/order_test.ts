import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { displayMapJson, displayOrder } from "./order.ts";

/** The 99.9 % point of chi-square with 121 = 11 × 11 degrees of freedom (Wilson–Hilferty). */
const CHI_SQUARE_121 = 175.2;

Deno.test("FR-4: displayOrder() is a permutation of 0 … N−1 for any run, item and N", () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), fc.integer({ min: 1, max: 60 }), (run, item, n) => {
      const order = displayOrder(run, item, n);
      assert.deepEqual([...order].sort((a, b) => a - b), Array.from({ length: n }, (_, i) => i));
      assert.deepEqual(displayOrder(run, item, n), order);
    }),
    { numRuns: 200 },
  );
});

Deno.test("FR-4: displayOrder() puts each translation at each position alike often", () => {
  const [runs, n] = [12_000, 12];
  const counts = Array.from({ length: n * n }, () => 0);
  for (let run = 0; run < runs; run++) {
    for (const [position, translation] of displayOrder(`run ${run}`, run % 300 + 1, n).entries()) {
      counts[position * n + translation]! += 1;
    }
  }
  const expected = runs / n;
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  assert.ok(chiSquare < CHI_SQUARE_121, `chi-square ${chiSquare.toFixed(1)}`);
});

Deno.test("displayOrder() gives all six orders of three alike often", () => {
  const counts = new Map<string, number>();
  for (let item = 1; item <= 6000; item++) {
    const order = displayOrder("6a1f3c52-7e1b-4c7e-9f59-0d6a2f1f4b11", item, 3).join("");
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  const chiSquare = [...counts.values()].reduce((sum, n) => sum + (n - 1000) ** 2 / 1000, 0);
  assert.equal(counts.size, 6);
  // The 99.9 % point with five degrees of freedom.
  assert.ok(chiSquare < 20.52, `chi-square ${chiSquare.toFixed(1)}`);
});

Deno.test("displayOrder() is Fisher–Yates over the words of SHA-256(run:item:block)", () => {
  const digest = createHash("sha256").update("run:3:0").digest();
  const order = [0, 1, 2, 3];
  // No word of this digest is near 2^32, so none is drawn again.
  for (const [word, last] of [3, 2, 1].entries()) {
    const other = digest.readUInt32BE(word * 4) % (last + 1);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  assert.deepEqual(displayOrder("run", 3, 4), order);
});

Deno.test("displayOrder() refuses a number of translations that cannot be ordered", () => {
  for (const n of [0, 1.5, 1001, NaN]) assert.throws(() => displayOrder("run", 1, n), RangeError);
});

Deno.test("displayMapJson() counts positions and translations from 1", () => {
  assert.equal(displayMapJson([6, 2, 0]), '{"1":"t7","2":"t3","3":"t1"}');
});
