import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../../stats/random.ts";
import type { JudgedCase } from "../../training/measured_verdicts.ts";
import {
  balancedAccuracyDifference,
  claimsIn,
  type ClusterTable,
  clusterTables,
  meanBalancedAccuracy,
} from "./cluster_tables.ts";

const judged = (label: JudgedCase["label"], cluster: string, supported?: number): JudgedCase => ({
  ...{ label, cluster },
  probabilities: supported === undefined ? undefined : {
    supported,
    refuted: 0.6 * (1 - supported),
    "not enough info": 0.4 * (1 - supported),
  },
});

const CASES = [
  judged("supported", "a", 0.9),
  judged("refuted", "a", 0.4),
  judged("supported", "b", 0.2),
  judged("not enough info", "b", 0.1),
  judged("supported", "b"),
];

Deno.test("clusterTables() counts by label and answer, one table a cluster, without the unscored", () => {
  assert.deepEqual(clusterTables(CASES, "binary"), [
    { cluster: "a", counts: [[1, 0], [0, 1]] },
    { cluster: "b", counts: [[0, 1], [0, 1]] },
  ]);
  // P(supported) of 0.4 is more than 0.6 · 0.6 for refuted.
  assert.deepEqual(clusterTables(CASES, "three-way")[0], {
    ...{ cluster: "a", counts: [[1, 0, 0], [1, 0, 0], [0, 0, 0]] },
  });
  assert.equal(claimsIn(clusterTables(CASES, "three-way")), 4);
});

/** Right ones out of ten on either side. */
const table = (cluster: string, supported: number, rest: number): ClusterTable => ({
  cluster,
  counts: [[supported, 10 - supported], [10 - rest, rest]],
});

Deno.test("meanBalancedAccuracy() is the mean of the runs' own, worked by hand", () => {
  const first = [table("a", 10, 10), table("b", 6, 8)];
  const second = [table("b", 10, 10), table("a", 10, 10)];
  const measured = meanBalancedAccuracy([first, second], randomSource(1));
  // First: recalls 16/20 and 18/20, mean 0.85; second: 1.
  assert.ok(measured.kind === "interval" && Math.abs(measured.estimate - 0.925) < 1e-12);
  assert.deepEqual([measured.low, measured.high, measured.clusters], [0.85, 1, 2]);
});

Deno.test("balancedAccuracyDifference() resamples both runs together, and wants the same clusters", () => {
  const first = [table("a", 9, 9), table("b", 6, 6)];
  const second = [table("a", 8, 8), table("b", 5, 5)];
  const measured = balancedAccuracyDifference(first, second, randomSource(1));
  assert.ok(measured.kind === "interval");
  // Better by one tenth in each country: whatever countries are drawn.
  for (const value of [measured.estimate, measured.low, measured.high]) {
    assert.ok(Math.abs(value - 0.1) < 1e-12);
  }
  assert.throws(
    () => balancedAccuracyDifference(first, second.slice(1), randomSource(1)),
    /not measured on the same clusters/,
  );
});

Deno.test("Requirement 12.4: clusterTables() count every scored claim once, whatever was said of it", () => {
  const said = fc.record({
    label: fc.constantFrom("supported" as const, "refuted" as const, "not enough info" as const),
    cluster: fc.constantFrom("a", "b", "c"),
    supported: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
  }).map(({ label, cluster, supported }) => judged(label, cluster, supported));
  fc.assert(
    fc.property(fc.array(said), fc.constantFrom("binary", "three-way"), (cases, reading) => {
      const tables = clusterTables(cases, reading as "binary" | "three-way");
      const scored = cases.filter(({ probabilities }) => probabilities !== undefined);
      assert.equal(claimsIn(tables), scored.length);
      assert.equal(tables.length, new Set(scored.map(({ cluster }) => cluster)).size);
    }),
    { numRuns: 100 },
  );
});
