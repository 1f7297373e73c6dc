import assert from "node:assert/strict";
import fc from "fast-check";
import { prefixRuns, prefixTree, sharedLength, slices } from "./sequence_score.ts";

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

const START = 0;

const texts = fc.array(
  fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 8 })
    .map((tokens) => [START, ...tokens]),
  { minLength: 1, maxLength: 6 },
);

Deno.test("prefixTree() keeps what two texts begin with once", () => {
  const nodes = prefixTree([[0, 7, 8, 9], [0, 7, 5]]);
  assert.deepEqual(
    nodes.map(({ token, position, parent, texts }) => [token, position, parent, texts]),
    [
      [0, 0, -1, [0, 1]],
      [7, 1, 0, [0, 1]],
      [8, 2, 1, [0]],
      [9, 3, 2, [0]],
      [5, 2, 1, [1]],
    ],
  );
});

Deno.test("prefixTree() gives every text back, parents first, no two siblings alike", () => {
  fc.assert(
    fc.property(texts, (sequences) => {
      const nodes = prefixTree(sequences);
      sequences.forEach((tokens, text) => {
        const path = nodes.filter((node) => node.texts.includes(text));
        assert.deepEqual(path.map((node) => node.token), tokens);
        assert.deepEqual(path.map((node) => node.position), tokens.map((_, i) => i));
      });
      nodes.forEach((node, index) => assert.ok(node.parent < index));
      const places = nodes.map(({ parent, token }) => `${parent} ${token}`);
      assert.equal(new Set(places).size, places.length);
    }),
    { numRuns: 300 },
  );
});

Deno.test("prefixRuns() keeps order, respects its limits, and joins only texts that begin alike", () => {
  fc.assert(
    fc.property(texts, (sequences) => {
      const limit = { texts: 3, tokens: 12 };
      const runs = prefixRuns(sequences, limit);
      assert.deepEqual(runs.flat(), sequences.map((_, index) => index));
      for (const run of runs) {
        const [first = 0, ...others] = run;
        assert.ok(run.length <= limit.texts);
        const nodes = prefixTree(run.map((index) => sequences[index]!));
        assert.ok(run.length === 1 || nodes.length <= limit.tokens);
        for (const other of others) {
          assert.ok(sharedLength(sequences[first]!, sequences[other]!) > 1);
        }
      }
    }),
    { numRuns: 300 },
  );
});
