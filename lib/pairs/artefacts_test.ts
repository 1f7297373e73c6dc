import assert from "node:assert/strict";
import fc from "fast-check";
import { auditArtefacts, type Baseline, formatArtefacts } from "./artefacts.ts";
import { balancedSubset } from "./balanced_subset.ts";
import { type Cell, fewestRemovals } from "./fewest_removals.ts";
import type { Preference } from "./likelihood_measures.ts";
import { madePairs, PHENOMENA } from "./testdata/norse.ts";
import { madeItems } from "./testdata/whole_run.ts";

const SHORTER: Baseline = {
  name: "always_shorter",
  choose: ({ grammatical, ungrammatical }) =>
    grammatical.length < ungrammatical.length
      ? "grammatical"
      : grammatical.length > ungrammatical.length
      ? "ungrammatical"
      : "tie",
};

/** A baseline that goes by the pair's number, as told. */
const told = (name: string, outcomes: readonly Preference[]): Baseline => ({
  name,
  choose: ({ grammatical }) =>
    outcomes[Number(/b(\d+)/.exec(grammatical)?.[1]) % outcomes.length] ?? "tie",
});

Deno.test("auditArtefacts() counts right, ties and their half", () => {
  const items = madeItems(8);
  const mixed = told("mixed", ["grammatical", "tie", "ungrammatical", "grammatical"]);
  const rows = auditArtefacts(items, PHENOMENA, [SHORTER, mixed], { seed: 1, resamples: 200 });
  const text = formatArtefacts(rows).trimEnd().split("\n");
  assert.equal(text[0], "baseline,phenomenon,n,correct,ties,accuracy,low,high");
  // Hann is shorter than Hánum in every pair, so the shorter is always the wrong one.
  // Six lemmas, z² = 3.841459: up to 3.841459 / 9.841459.
  assert.equal(text[1], "always_shorter,ALL,8,0,0,0,0,0.390334");
  // 4 right of 8, 2 ties: (4 + 1) / 8
  assert.match(text[6] ?? "", /^mixed,ALL,8,4,2,0\.625,/);
  assert.match(text[7] ?? "", /^mixed,QUIRKY_CASE,2,2,0,1,/);
});

Deno.test("balancedSubset() keeps as many as leave the baseline at chance", () => {
  const pairs = madePairs(40).map((pair) => ({ ...pair, phenomenon: "UMLAUT" as const }));
  // Of 10 each: 7 right, 2 wrong, 1 tie: five must go.
  const g = "grammatical" as const;
  const outcomes = [g, g, g, g, g, g, g, "ungrammatical", "ungrammatical", "tie"] as const;
  const kept = balancedSubset(pairs, [told("t", outcomes)], 1);
  assert.equal(kept.length, 40 - 20);
  assert.deepEqual(
    balancedSubset(pairs.toReversed(), [told("t", outcomes)], 1).toSorted(),
    [
      ...kept,
    ].sort(),
  );
  assert.notDeepEqual(balancedSubset(pairs, [told("t", outcomes)], 2), kept);
});

Deno.test("balancedSubset() puts every baseline at chance in every phenomenon", () => {
  const outcome = fc.constantFrom("grammatical", "ungrammatical", "tie", "grammatical" as const);
  const outcomes = fc.array(outcome, { minLength: 11, maxLength: 11 });
  fc.assert(
    fc.property(outcomes, outcomes, outcomes, fc.integer(), (a, b, c, seed) => {
      const baselines = [told("a", a), told("b", b), told("c", c)];
      const pairs = madePairs(60);
      const kept = new Set(balancedSubset(pairs, baselines, seed));
      for (const phenomenon of PHENOMENA) {
        const own = pairs.filter((pair) => kept.has(pair.id) && pair.phenomenon === phenomenon);
        for (const { choose } of baselines) {
          const chosen = own.map(choose);
          const count = (name: Preference) => chosen.filter((made) => made === name).length;
          assert.equal(count("grammatical"), count("ungrammatical"));
        }
      }
    }),
    { numRuns: 100 },
  );
});

/** Tries everything. */
function fewestByForce(cells: readonly Cell[]): number {
  const width = cells[0]?.vector.length ?? 0;
  let best = Infinity;
  const go = (index: number, sums: readonly number[], removed: number) => {
    const cell = cells[index];
    if (removed >= best) return;
    if (cell === undefined) {
      if (sums.every((sum) => sum === 0)) best = removed;
      return;
    }
    for (let taken = 0; taken <= cell.count; taken++) {
      go(index + 1, sums.map((sum, i) => sum - taken * (cell.vector[i] ?? 0)), removed + taken);
    }
  };
  const total = Array.from(
    { length: width },
    (_, i) => cells.reduce((sum, { vector, count }) => sum + (vector[i] ?? 0) * count, 0),
  );
  go(0, total, 0);
  return best;
}

Deno.test("fewestRemovals() finds the optimum of a search through everything", () => {
  const value = fc.constantFrom(-1, 0, 1);
  const cell = fc.record({
    vector: fc.array(value, { minLength: 2, maxLength: 2 }),
    count: fc.integer({ min: 1, max: 5 }),
  });
  const cells = fc.uniqueArray(cell, {
    maxLength: 5,
    selector: ({ vector }) => vector.join(),
  });
  fc.assert(
    fc.property(cells, (cells) => {
      const removals = fewestRemovals(cells);
      assert.equal(removals.reduce((sum, count) => sum + count, 0), fewestByForce(cells));
      for (const [index, { count }] of cells.entries()) {
        assert.ok((removals[index] ?? 0) >= 0 && (removals[index] ?? 0) <= count);
      }
    }),
    { numRuns: 300 },
  );
});
