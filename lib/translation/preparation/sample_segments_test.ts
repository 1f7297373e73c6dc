import assert from "node:assert/strict";
import fc from "fast-check";
import { sampleSegments } from "./sample_segments.ts";
import type { Segment } from "./system_outputs.ts";

/** Documents of the given lengths: d0 with segments 0, 1, … and so on. */
function corpus(lengths: readonly number[]): Segment[] {
  return lengths.flatMap((length, d) =>
    Array.from({ length }, (_, s) => ({
      ...{ document: `d${d}`, segment: String(s), source: `${d}.${s}` },
      translations: [],
    }))
  );
}

const LENGTHS = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 8 });

Deno.test("sampleSegments() keeps documents together and in order, as many items as wanted", () => {
  const property = fc.property(
    LENGTHS,
    fc.integer(),
    fc.option(fc.integer({ min: 1, max: 7 }), { nil: undefined }),
    fc.float({ min: 0, max: 1, noNaN: true }),
    (lengths, seed, windowLength, share) => {
      const segments = corpus(lengths);
      const items = Math.max(1, Math.ceil(share * segments.length));
      const sample = sampleSegments(segments, { seed, items, windowLength });
      assert.equal(new Set(sample).size, items);
      const runs = sample.filter((it, i) => it.document !== sample[i - 1]?.document);
      assert.equal(runs.length, new Set(sample.map(({ document }) => document)).size);
      for (const [i, it] of sample.entries()) {
        const next = sample[i + 1];
        if (next?.document === it.document) assert.ok(Number(next.segment) > Number(it.segment));
      }
      assert.deepEqual(sampleSegments(segments, { seed, items, windowLength }), sample);
    },
  );
  fc.assert(property, { numRuns: 200 });
});

Deno.test("sampleSegments() takes whole documents but for the last, which it cuts at its end", () => {
  const sample = sampleSegments(corpus([4, 4, 4]), { seed: 1, items: 6 });
  assert.deepEqual(sample.map(({ segment }) => segment), ["0", "1", "2", "3", "0", "1"]);
});

Deno.test("sampleSegments() draws windows of consecutive segments", () => {
  const starts = Array.from(
    { length: 40 },
    (_, seed) => sampleSegments(corpus([9]), { seed, items: 3, windowLength: 3 }),
  );
  const drawn = new Set(starts.map((it) => it.map(({ segment }) => segment).join("")));
  assert.deepEqual([...drawn].sort(), ["012", "345", "678"]);
});

Deno.test("sampleSegments() refuses more items than there are", () => {
  assert.throws(() => sampleSegments(corpus([2]), { seed: 1, items: 3 }), {
    name: "RangeError",
    message: "Cannot sample 3 segments: there are 2.",
  });
  assert.throws(() => sampleSegments(corpus([2]), { seed: 1, windowLength: 0 }), RangeError);
});
