import assert from "node:assert/strict";
import fc from "fast-check";
import {
  ALWAYS_FIRST,
  ALWAYS_SHORTER,
  randomBaseline,
  unigramBaseline,
} from "../models/baselines.ts";
import { artefactsTable, auditArtefacts, balancedSubset, fewestRemovals } from "./artefacts.ts";
import { heldOutBaseline, inBothOrders } from "./artefacts.ts";
import type { Baseline, ItemPattern } from "./artefacts.ts";
import type { Preference } from "./measures.ts";
import type { MinimalPair } from "./pair.ts";
import { madeItems, madePairs, PHENOMENA } from "./testdata/norse.ts";

/** A baseline with given outcomes, by the pair's number. */
const givenBaseline = (name: string, outcomes: readonly Preference[]): Baseline => ({
  name,
  choose: ({ grammatical }) =>
    outcomes[Number(/b(\d+)/.exec(grammatical)?.[1]) % outcomes.length] ?? "tie",
});

Deno.test("auditArtefacts() counts right, ties and their half", () => {
  const items = madeItems(8);
  const mixed = givenBaseline("mixed", ["grammatical", "tie", "ungrammatical", "grammatical"]);
  const baselines = [inBothOrders(ALWAYS_SHORTER), mixed];
  const rows = auditArtefacts(items, PHENOMENA, baselines);
  const text = artefactsTable({ path: "/artefacts.csv" }).format(rows).trimEnd().split("\n");
  assert.equal(text[0], "baseline,phenomenon,n,correct,ties,accuracy,low,high");
  // Hann is shorter than Hánum in every pair, so the shorter is always the wrong one.
  // Six lemmas, z² = 3.841459: up to 3.841459 / 9.841459.
  assert.equal(text[1], "always_shorter,ALL,8,0,0,0,0,0.390334");
  // 4 right of 8, 2 ties: (4 + 1) / 8
  assert.match(text[6] ?? "", /^mixed,ALL,8,4,2,0\.625,/);
  assert.match(text[7] ?? "", /^mixed,QUIRKY_CASE,2,2,0,1,/);
});

Deno.test("balancedSubset() puts every baseline at chance in every phenomenon", () => {
  const outcome = fc.constantFrom("grammatical", "ungrammatical", "tie", "grammatical" as const);
  const outcomes = fc.array(outcome, { minLength: 11, maxLength: 11 });
  fc.assert(
    fc.property(outcomes, outcomes, outcomes, fc.integer(), (a, b, c, seed) => {
      const baselines = [givenBaseline("a", a), givenBaseline("b", b), givenBaseline("c", c)];
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

Deno.test("fewestRemovals() balances every baseline with as few pairs as may be", () => {
  const cell = (a: -1 | 0 | 1, b: -1 | 0 | 1, count: number): ItemPattern => ({
    vector: [a, b],
    count,
  });
  const removals = (...cells: readonly ItemPattern[]) => fewestRemovals(cells);
  assert.deepEqual(removals(), []);
  assert.deepEqual(removals(cell(1, 1, 3), cell(-1, -1, 1), cell(0, 0, 4)), [2, 0, 0]);
  // One pair that is right for both does what two that are right for one each would do.
  assert.deepEqual(removals(cell(1, 1, 1), cell(1, 0, 1), cell(0, 1, 1), cell(-1, -1, 1)), [
    1,
    0,
    0,
    0,
  ]);
  assert.deepEqual(removals(cell(1, -1, 2), cell(-1, 0, 1), cell(0, 1, 2)), [1, 0, 1]);
});

const [MADE] = madePairs(1);

const pairOf = (grammatical: string, ungrammatical: string): MinimalPair => {
  return { ...MADE!, grammatical, ungrammatical };
};

Deno.test("inBothOrders() gives the member that is chosen in either place, else a tie", () => {
  const coin = [0.1, 0.9].values();
  const cases = [
    [ALWAYS_SHORTER, "ab", "abc", "grammatical"],
    [ALWAYS_SHORTER, "abc", "ab", "ungrammatical"],
    [ALWAYS_SHORTER, "abc", "abd", "tie"],
    [ALWAYS_FIRST, "ab", "abc", "tie"],
    // A coin that falls on the first place, then on the second, has taken the same member twice.
    [randomBaseline(() => coin.next().value ?? 0), "ab", "abc", "grammatical"],
  ] as const;
  for (const [rule, good, bad, chosen] of cases) {
    assert.equal(inBothOrders(rule).choose(pairOf(good, bad)), chosen);
  }
});

Deno.test("heldOutBaseline() learns from every fold but the pair's own", () => {
  const lines = ["x x x", "y y", "z"].map((text, index) => ({ fold: `${index + 1}`, text }));
  const asked = (fold: string, grammatical: string, ungrammatical: string) =>
    heldOutBaseline(unigramBaseline(lines), new Map([[MADE!.id, fold]]))
      .choose(pairOf(grammatical, ungrammatical));
  assert.equal(asked("3", "x", "y"), "grammatical");
  assert.equal(asked("1", "x", "y"), "ungrammatical");
  assert.equal(asked("1", "x", "w"), "tie");
  const lost = heldOutBaseline(unigramBaseline([]), new Map());
  assert.throws(() => lost.choose(MADE!), /Cannot hold out the text of ON_QUIRKY_CASE_001/);
});
