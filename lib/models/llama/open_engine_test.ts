import assert from "node:assert/strict";
import fc from "fast-check";
import type { ScoredTokens } from "./engine.ts";
import { batchRanges, joinCalls, prefixRuns, prefixTree } from "./open_engine.ts";

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

Deno.test("joinCalls() joins calls in their order, and one that fails costs no other its score", async () => {
  const groups: number[] = [];
  const refused = 13;
  const score = async (sequences: readonly ScoredTokens[]) => {
    groups.push(sequences.length);
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (sequences.some(({ tokens }) => tokens.includes(refused))) throw new RangeError("NaN");
    return sequences.map(({ tokens }) => ({ tokens: [...tokens], wordEnds: new Map() }));
  };
  const together = joinCalls(3, score, 4);
  const ask = (...tokens: number[]) => together([{ tokens }, { tokens: [...tokens, 1] }]);
  const outcomes = await Promise.allSettled([
    ask(0, 1),
    ask(0, 2, 3, 4), // Its second text is too long, and not even waits for others.
    ask(0, 3),
    ask(0, 4),
    ask(0, refused),
    ask(0, 5),
  ]);
  const found = outcomes.map((one) =>
    one.status === "rejected" ? one.reason.name : one.value.map(({ tokens }) => tokens.join())
  );
  assert.deepEqual(found, [
    ["0,1", "0,1,1"],
    "RangeError",
    ["0,3", "0,3,1"],
    ["0,4", "0,4,1"],
    "RangeError",
    ["0,5", "0,5,1"],
  ]);
  // Three calls of two texts, the two that are left over, and these one by one.
  assert.deepEqual(groups, [6, 4, 2, 2]);
});
