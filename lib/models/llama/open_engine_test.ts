import assert from "node:assert/strict";
import fc from "fast-check";
import { batchRanges, prefixRuns, prefixTree } from "./open_engine.ts";

Deno.test("batchRanges() covers everything once, in order, within the limit, and leaves no item alone (property)", () => {
  const counts = fc.integer({ min: 0, max: 2000 });
  fc.assert(
    fc.property(counts, fc.integer({ min: 3, max: 300 }), (count, limit) => {
      const runs = batchRanges(count, limit);
      const items = runs.flatMap(([from, to]) =>
        Array.from({ length: to - from }, (_, i) => from + i)
      );
      assert.deepEqual(items, Array.from({ length: count }, (_, i) => i));
      assert.ok(runs.every(([from, to]) => to - from <= limit));
      assert.ok(count === 1 || runs.every(([from, to]) => to - from >= 2));
    }),
    { numRuns: 200 },
  );
});

const texts = fc.array(
  fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 8 })
    .map((tokens) => [0, ...tokens]),
  { minLength: 1, maxLength: 6 },
);

Deno.test("prefixTree() gives every text back, parents first; prefixRuns() joins only neighbours that begin alike (property)", () => {
  fc.assert(
    fc.property(texts, (sequences) => {
      const nodes = prefixTree(sequences);
      sequences.forEach((tokens, text) => {
        const path = nodes.filter((node) => node.texts.includes(text));
        assert.deepEqual(path.map((node) => node.token), tokens);
        assert.deepEqual(path.map((node) => node.position), tokens.map((_, i) => i));
      });
      nodes.forEach(({ children }, index) =>
        assert.ok([...children].every(([token, at]) => at > index && nodes[at]?.token === token))
      );
      const limit = { texts: 3, tokens: 12 };
      const runs = prefixRuns(sequences, limit);
      assert.deepEqual(runs.flat(), sequences.map((_, index) => index));
      for (const run of runs) {
        const joined = run.map((index) => sequences[index]!);
        assert.ok(run.length <= limit.texts);
        assert.ok(run.length === 1 || prefixTree(joined).length <= limit.tokens);
        assert.equal(new Set(joined.map((tokens) => tokens[1])).size, 1);
      }
    }),
    { numRuns: 300 },
  );
});
