import assert from "node:assert/strict";
import { type MadeItem, madeRun } from "../testdata/runs.ts";
import { unblind } from "./ratings.ts";
import { compareSystems, systemClusters } from "./systems.ts";

const OPTIONS = { seed: 1, resamples: 200 };

function compare(...raters: readonly (readonly MadeItem[])[]) {
  const runs = raters.map((items, index) => unblind(madeRun(`rater ${index + 1}`, items)));
  return compareSystems(runs, OPTIONS);
}

function estimateOf(measure: { readonly kind: string; readonly estimate?: number }): number {
  assert.notEqual(measure.kind, "unavailable");
  return measure.estimate!;
}

/** Eight items on which A is well above B and C, which alternate. */
const CLEAR: readonly MadeItem[] = [0, 1, 2, 3, 4, 5, 6, 7]
  .map((item) => ({ da: [80 + item, ...item % 2 === 0 ? [40, 30] : [30, 40]] }));

Deno.test("compareSystems() gives means, ranks and buckets worked by hand", () => {
  const { systems } = compare([{ da: [90, 50, 10] }, { da: [80, 20, 60] }]);
  const results = systems.map((it) =>
    [it.system, estimateOf(it.meanDa), it.rank, it.items, it.ratings].join(" ")
  );
  assert.deepEqual(results, ["A 85 1 2 2", "B 35 2 2 2", "C 35 2 2 2"]);
  const shares = systems[1]!.buckets.map(({ bucket, count, share }) => [bucket, count, share]);
  const expected = [["best", 0, 0], ["good", 1, 0.5], ["ok", 0, 0], ["poor", 1, 0.5]];
  assert.deepEqual(shares, expected);
});

Deno.test("compareSystems() standardises per rater: a harsh rater's z are a mild one's", () => {
  const mild = [{ da: [90, 60, 30] }, { da: [84, 54, 36] }];
  const harsh = mild.map(({ da }) => ({ da: da.map((score) => score / 2 - 10) }));
  const alone = compare(mild).systems.map(({ meanZ }) => estimateOf(meanZ));
  const both = compare(mild, harsh).systems;
  both.forEach(({ meanZ }, i) => assert.ok(Math.abs(estimateOf(meanZ) - alone[i]!) < 1e-9));
  assert.ok(both.every(({ ratings, items }) => ratings === 4 && items === 2));
  assert.ok(Math.abs(alone.reduce((sum, z) => sum + z, 0)) < 1e-9);
});

Deno.test("compareSystems() makes a cluster of systems that take turns, repeats and checks left out", () => {
  const { systems, pairs } = compare(CLEAR);
  assert.deepEqual(systems.map(({ cluster }) => cluster), [1, 2, 2]);
  assert.deepEqual([systems[0]!.rank, systems[0]!.rankInterval], [1, { low: 1, high: 2 }]);
  const [ab, ac, bc] = pairs;
  // All eight differences have one sign: 2 of 2⁸ patterns; Holm makes it three times as much.
  assert.ok(ab!.test.kind === "test" && ab!.test.p === 2 / 256);
  assert.deepEqual([ab!, ac!, bc!].map(({ adjustedP }) => adjustedP), [6 / 256, 6 / 256, 1]);
  const check = { kind: "attention", of: 2, translation: 0, spoiledBy: "shuffled" } as const;
  const again = compare([
    ...CLEAR,
    { da: [0, 100, 100], segment: "s1", role: { kind: "repeat", of: 1 } },
    { da: [0, 100, 100], segment: "s2", role: check },
  ]);
  assert.deepEqual(again, { systems, pairs, alpha: 0.05 });
});

Deno.test("compareSystems() says who is better than whom by Holm, and WMT's clusters", () => {
  // B above C in six of eight, ranks 1 and 3 against: W+ = 32, 7 of 2⁸ patterns are as high, 14 both ways.
  const items = [1, 2, 3, 4, 5, 6, 7, 8]
    .map((by, item) => ({ da: [95, 50 + (by === 1 || by === 3 ? -by : by), 50, 5 + item % 2] }));
  const { systems, pairs } = compare(items);
  const wmt = pairs.find(({ first, second }) => first + second === "BC")!;
  assert.equal(wmt.pWmt, 7 / 256);
  const results = systems.map(({ system, betterThan, notDifferent, cluster, clusterWmt }) =>
    [system, betterThan.join(""), notDifferent.join(""), cluster, clusterWmt].join(" ")
  );
  assert.deepEqual(results, ["A BCD  1 1", "B D C 2 2", "C D B 2 3", "D   3 4"]);
});

Deno.test("compareSystems() flips documents as a whole where documents are resampled, by hand", () => {
  // Differences 10 each: in two documents of three items 2 of 4 arrangements are as extreme.
  const items = ["one", "one", "one", "two", "two", "two"]
    .map((document) => ({ da: [60, 50], document }));
  const runs = [unblind(madeRun("r", items))];
  const { pairs: [pair] } = compareSystems(runs, { ...OPTIONS, cluster: "document" });
  assert.ok(pair!.test.kind === "test");
  assert.deepEqual([pair!.test.p, pair!.test.n, pair!.items], [0.5, 2, 6]);
});

Deno.test("compareSystems() refuses no ratings and raters with different configurations", () => {
  assert.throws(() => compareSystems([], OPTIONS), RangeError);
  const one = madeRun("one", [{ da: [1, 2] }]);
  const other = madeRun("other", [{ da: [1, 2] }], { ...one.config, daMax: 200 });
  const runs = [unblind(one), unblind(other)];
  assert.throws(() => compareSystems(runs, OPTIONS), /one and other rated under different/);
});

Deno.test("systemClusters() puts a border only where all above beat all below", () => {
  const clusters = (...p: number[]) => {
    const isBetter = (first: string, second: string) =>
      p[["AB", "AC", "BC"].indexOf(first + second)]! <= 0.05;
    return systemClusters(["A", "B", "C"], isBetter).join("");
  };
  assert.equal(clusters(0.01, 0.01, 0.01), "123");
  assert.equal(clusters(0.01, 0.01, 0.2), "122");
  // A beats C, but B holds them together; neighbours differ, yet A does not beat C.
  assert.deepEqual([clusters(0.2, 0.01, 0.2), clusters(0.01, 0.2, 0.01)], ["111", "111"]);
});
