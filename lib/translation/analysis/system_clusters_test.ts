import assert from "node:assert/strict";
import { unavailable } from "../../stats/unavailable.ts";
import type { SystemPair } from "./results.ts";
import { systemClusters } from "./system_clusters.ts";

function pair(first: string, second: string, adjustedP: number | undefined): SystemPair {
  const test = { kind: "test", statistic: 1, p: 0, method: "exact", resolution: 0, n: 9 } as const;
  const none = unavailable("none");
  const p = adjustedP ?? none;
  return {
    first,
    second,
    items: 9,
    difference: none,
    adjustedP: p,
    test: p === none ? none : test,
  };
}

function clusters(ab?: number, ac?: number, bc?: number) {
  const pairs = [pair("A", "B", ab), pair("A", "C", ac), pair("B", "C", bc)];
  return systemClusters(["A", "B", "C"], pairs, 0.05);
}

Deno.test("systemClusters() puts a border only where all above beat all below", () => {
  assert.deepEqual(clusters(0.01, 0.01, 0.01), [1, 2, 3]);
  assert.deepEqual(clusters(0.01, 0.01, 0.2), [1, 2, 2]);
  assert.deepEqual(clusters(0.2, 0.01, 0.01), [1, 1, 2]);
  // A beats C, but B holds them together.
  assert.deepEqual(clusters(0.2, 0.01, 0.2), [1, 1, 1]);
  // Neighbours differ, yet A does not beat C.
  assert.deepEqual(clusters(0.01, 0.2, 0.01), [1, 1, 1]);
});

Deno.test("systemClusters() counts p = alpha as significant and an untested pair as together", () => {
  assert.deepEqual(clusters(0.05, 0.05, 0.05), [1, 2, 3]);
  assert.deepEqual(clusters(0.01, undefined, 0.01), [1, 1, 1]);
});

Deno.test("systemClusters() does not take a significant difference the wrong way round", () => {
  const against = pair("A", "B", 0.01);
  const reversed: SystemPair = { ...against, test: { ...against.test, statistic: -1 } as never };
  assert.deepEqual(systemClusters(["A", "B"], [reversed], 0.05), [1, 1]);
});
