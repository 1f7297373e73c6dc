import assert from "node:assert/strict";
import fc from "fast-check";
import { slices } from "./slices.ts";

Deno.test("slices() covers everything once, in order, within the limit, and leaves no item alone", () => {
  const counts = fc.integer({ min: 0, max: 2000 });
  fc.assert(
    fc.property(counts, fc.integer({ min: 3, max: 300 }), (count, limit) => {
      const runs = slices(count, limit);
      assert.deepEqual(
        runs.map(([from]) => from),
        [0, ...runs.map(([, to]) => to)].slice(0, runs.length),
      );
      assert.equal(runs.at(-1)?.[1] ?? 0, count);
      assert.ok(runs.every(([from, to]) => to - from <= limit));
      assert.ok(count === 1 || runs.every(([from, to]) => to - from >= 2));
    }),
    { numRuns: 500 },
  );
});

Deno.test("slices() moves a token over rather than leave one behind", () => {
  assert.deepEqual(slices(257, 256), [[0, 255], [255, 257]]);
  assert.deepEqual(slices(256, 256), [[0, 256]]);
  assert.deepEqual(slices(1, 256), [[0, 1]]);
});
