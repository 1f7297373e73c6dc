import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../../stats/random.ts";
import type { LabelledCase } from "../../cases/labelled_case.ts";
import { evidencePassage } from "../../cases/evidence_passage.ts";
import { classWeights } from "./class_weights.ts";
import { entityGroups, entitySplit, requireNoLeak } from "./entity_split.ts";
import { withoutHeldOutClaims } from "./held_out_claims.ts";

function made(id: string, cluster: string, claim: string, source: string): LabelledCase {
  const passages = [evidencePassage("set", id, source)];
  return { id, claim, passages, label: "supported", cluster, set: "set" };
}

Deno.test("entityGroups() joins by cluster, by claim in other capitals, by source, and in chains", () => {
  const groups = entityGroups([
    made("a", "1", "Oslo is big.", "one"),
    made("b", "1", "Rome is big.", "two"),
    made("c", "2", "rome  is big.", "three"),
    made("d", "3", "Bonn is big.", "three"),
    made("e", "4", "Bern is big.", "four"),
  ]);
  assert.deepEqual(groups, [0, 0, 0, 0, 4]);
});

const CASES = fc.array(
  fc.record({
    cluster: fc.integer({ min: 0, max: 30 }).map(String),
    claim: fc.integer({ min: 0, max: 60 }).map(String),
    source: fc.integer({ min: 0, max: 60 }).map(String),
  }),
  { minLength: 20, maxLength: 40 },
).map((rows) => rows.map(({ cluster, claim, source }, i) => made(`${i}`, cluster, claim, source)));

Deno.test("Requirement 12.4: entitySplit() never has a claim, source or cluster on both sides", () => {
  fc.assert(
    fc.property(CASES, fc.integer(), (cases, seed) => {
      fc.pre(new Set(entityGroups(cases)).size >= 3);
      const splits = entitySplit(cases, { test: 0.2, development: 0.2 }, randomSource(seed));
      for (const part of ["cluster", "claim"] as const) {
        const seen = new Map<string, string>();
        cases.forEach((one, i) => {
          assert.equal(seen.get(one[part]) ?? splits[i], splits[i]);
          seen.set(one[part], splits[i]!);
        });
      }
      assert.equal(new Set(splits).size, 3);
      requireNoLeak(cases, splits);
    }),
    { numRuns: 100 },
  );
});

Deno.test("entitySplit() says how many unrelated groups there are, where they are too few", () => {
  const cases = [made("a", "1", "x", "s"), made("b", "2", "y", "s")];
  assert.throws(
    () => entitySplit(cases, { test: 0.2, development: 0.2 }, randomSource(1)),
    /Cannot split the cases: they are 1 unrelated groups/,
  );
});

Deno.test("requireNoLeak() names two cases of one group in two splits, and an empty split", () => {
  const cases = ["a", "b", "c", "d"].map((id) => made(id, id, id, id === "d" ? "a" : id));
  assert.throws(
    () => requireNoLeak(cases, ["train", "development", "test", "test"]),
    /a \(train\) and d \(test\) share a cluster, claim or source/,
  );
  assert.throws(
    () => requireNoLeak(cases, ["train", "train", "test", "train"]),
    /none is in development/,
  );
});

Deno.test("classWeights() give supported one half and the rest even shares; as found all count 1", () => {
  // Six cases: one supported counts 3, each of two refuted ¾, each of three without info ½.
  assert.deepEqual(classWeights([0, 1, 1, 2, 2, 2], 3, "balanced"), [3, 0.75, 0.5]);
  assert.deepEqual(classWeights([0, 1, 1, 2, 2, 2], 3, "as found"), [1, 1, 1]);
  // Without refuted ones, two thirds and one third.
  const [first, none, last] = classWeights([0, 2, 2], 3, "balanced");
  assert.ok(Math.abs(first! - 2) < 1e-12 && none === 0 && Math.abs(last! - 0.5) < 1e-12);
});

Deno.test("withoutHeldOutClaims() takes a claim out of every split but the one held out furthest", () => {
  const cases = [
    { claim: "A is B.", split: "train" },
    { claim: "a  is b.", split: "test" },
    { claim: "C is D.", split: "train" },
    { claim: "C is D.", split: "development" },
    { claim: "E is F.", split: "train" },
    { claim: "E is F.", split: "train" },
  ] as const;
  assert.deepEqual(withoutHeldOutClaims(cases), [1, 3, 4, 5].map((i) => cases[i]));
});
