import assert from "node:assert/strict";
import fc from "fast-check";
import { batches } from "./batches.ts";

Deno.test("batches() fills a run up to the tokens or the sequences it may hold", () => {
  assert.deepEqual(batches([4, 4, 4, 1, 1, 1], { tokens: 8, sequences: 2 }), [
    [0, 2],
    [2, 4],
    [4, 6],
  ]);
});

Deno.test("batches() gives a row over the limit a run of its own", () => {
  assert.deepEqual(batches([2, 9, 2], { tokens: 8, sequences: 4 }), [[0, 1], [1, 2], [2, 3]]);
});

Deno.test("batches() of nothing is nothing", () => {
  assert.deepEqual(batches([], { tokens: 8, sequences: 4 }), []);
});

Deno.test("batches() covers every row once, in order, within the limits", () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 20 }));
  fc.assert(
    fc.property(lengths, fc.integer({ min: 1, max: 5 }), (rows, sequences) => {
      const runs = batches(rows, { tokens: 16, sequences });
      assert.deepEqual(runs.flatMap(([begin, end]) => rows.slice(begin, end)), rows);
      for (const [begin, end] of runs) {
        const tokens = rows.slice(begin, end).reduce((sum, length) => sum + length, 0);
        assert.ok(end > begin && end - begin <= sequences && (tokens <= 16 || end - begin === 1));
      }
    }),
    { numRuns: 200 },
  );
});
