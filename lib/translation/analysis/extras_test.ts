import assert from "node:assert/strict";
import { attentionResult } from "./attention.ts";
import { repeatConsistency } from "./repeats.ts";
import type { ItemRole } from "../preparation/key.ts";
import { type MadeItem, madeRun } from "./testdata/made_run.ts";
import { unblind } from "./unblind.ts";

const OPTIONS = { seed: 1, resamples: 200 };

Deno.test("repeatConsistency() compares system by system, though t# and rows differ, by hand", () => {
  const items: readonly MadeItem[] = [
    { da: [90, 60, 10] },
    { da: [80, 50, 30] },
    { da: [90, 76, 14], segment: "s1", role: { kind: "repeat", of: 1 } },
    { da: [70, 50, 20], segment: "s2", role: { kind: "repeat", of: 2 } },
  ];
  const found = repeatConsistency(unblind(madeRun("r", items)).ratings, OPTIONS);
  assert.deepEqual([found.items, found.pairs], [2, 6]);
  // Differences 0 16 4 and 10 0 10.
  assert.ok(found.meanAbsoluteDifference.kind === "point");
  assert.ok(Math.abs(found.meanAbsoluteDifference.estimate - 40 / 6) < 1e-12);
  // best good poor, best good ok against best best poor, good good poor: 3 of 6 the same.
  assert.ok(found.sameBucket.kind === "point" && found.sameBucket.estimate === 0.5);
  assert.ok(found.kappa.kind === "kappa" && found.kappa.observed === 0.5);
  // Squared distances 0 1 0 and 1 0 1; of all with all 2·20, 2·10, 12 and 26. κ = 1 − 6·3/98.
  assert.equal(found.kappa.kappa, 80 / 98);
  assert.ok(found.pearson.kind === "correlation" && found.pearson.n === 6);
});

Deno.test("repeatConsistency() has intervals from six repeated items on", () => {
  const repeated = (count: number) => {
    const items = Array.from({ length: count }, (_, index) => ({ da: [90 - index, 40] }));
    const again = items.map(({ da }, index) => ({
      ...{ da: da.map((score) => score - index), segment: `s${index + 1}` },
      role: { kind: "repeat", of: index + 1 } as const,
    }));
    return repeatConsistency(unblind(madeRun("r", [...items, ...again])).ratings, OPTIONS);
  };
  const kinds = [5, 6].map((count) => {
    const { meanAbsoluteDifference, sameBucket } = repeated(count);
    return [meanAbsoluteDifference.kind, sameBucket.kind];
  });
  assert.deepEqual(kinds, [["point", "point"], ["interval", "interval"]]);
});

Deno.test("repeatConsistency() leaves out a repeat whose original was left out", () => {
  const items: readonly MadeItem[] = [
    { da: [90, 60], committedAt: "never" },
    { da: [90, 76], segment: "s1", role: { kind: "repeat", of: 1 } },
  ];
  const { ratings } = unblind(madeRun("r", items), { partial: true });
  assert.equal(repeatConsistency(ratings, OPTIONS).pairs, 0);
});

/** Eight systems, of which A is spoiled in the second item; t# of A there is 7. */
function checked(original: number, spoiled: number) {
  const role: ItemRole = { kind: "attention", of: 1, translation: 6, spoiledBy: "shuffled" };
  const others = [80, 70, 60, 50, 40, 30, 20];
  const run = madeRun("r", [
    { da: [original, ...others] },
    { da: [spoiled, ...others], segment: "s1", role },
  ]);
  return attentionResult(unblind(run).ratings, {});
}

Deno.test("attentionResult() passes what fell into the lowest quarter of its item, and nothing else", () => {
  const passing = checked(90, 25);
  assert.deepEqual(passing.checks, [{
    itemId: 2,
    originalItemId: 1,
    system: "A",
    spoiledBy: "shuffled",
    originalDa: 90,
    spoiledDa: 25,
    spoiledBucket: "ok",
    passed: true,
  }]);
  assert.ok(passing.passed.kind === "interval" && passing.passed.estimate === 1);
  // Higher than before; a little lower; middling; two of eight still lower; one still lower.
  const spoiled = [95, 85, 55, 35, 30];
  assert.deepEqual(spoiled.map((da) => checked(90, da).checks[0]!.passed), [
    ...[false, false, false, false],
    true,
  ]);
});

Deno.test("attentionResult() does not ask whether what was among the worst was spoiled", () => {
  const { checks, passed } = checked(30, 0);
  assert.deepEqual([checks, passed.kind], [[], "unavailable"]);
  assert.equal(checked(31, 0).checks.length, 1);
});
