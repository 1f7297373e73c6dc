import assert from "node:assert/strict";
import fc from "fast-check";
import { evidencePassage, type LabelledCase } from "../../labelled_case.ts";
import { entityGroups } from "../../labelled_case.ts";
import { developmentSplit, withoutHeldOutClaims } from "./splits.ts";
import type { Split } from "./splits.ts";

function made(id: string, cluster: string, claim: string, source: string): LabelledCase {
  const passages = [evidencePassage("set", id, source)];
  return { id, claim, passages, label: "supported", cluster, set: "set" };
}

const PARTS = fc.tuple(fc.nat(30), fc.nat(60), fc.nat(60));
const CASES = fc.array(PARTS, { minLength: 30, maxLength: 50 })
  .map((rows) => rows.map(([a, b, c], i) => made(`${i}`, `${a}`, `${b}`, `${c}`)));

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

Deno.test("Requirement 12.4: developmentSplit() never has a claim, source or cluster on both sides", () => {
  fc.assert(
    fc.property(CASES, fc.integer(), (cases, seed) => {
      const groups = new Set(entityGroups(cases)).size;
      fc.pre(groups >= 10);
      const training = cases.map((one) => ({ ...one, split: "train" as Split }));
      const placed = developmentSplit(training, seed);
      const partsOf = ({ cluster, claim, passages: [source] }: LabelledCase) =>
        ["cluster", "claim", "source"].map((part, i) => part + [cluster, claim, source!.text][i]);
      const seen = new Map<string, string>();
      for (const one of placed) {
        for (const part of partsOf(one)) {
          assert.equal(seen.get(part) ?? one.split, one.split);
          seen.set(part, one.split);
        }
      }
      const held = placed.filter(({ split }) => split === "development");
      assert.equal(new Set(entityGroups(held)).size, Math.ceil(groups / 10));
    }),
    { numRuns: 100 },
  );
});

Deno.test("developmentSplit() takes from training alone, the same for the same seed", () => {
  const cases = Array.from({ length: 40 }, (_, i) => (
    { ...made(`${i}`, `c${i}`, `${i}.`, `s${i}`), split: i < 20 ? "train" : "test" } as const
  ));
  const placed = developmentSplit(cases, 1);
  assert.deepEqual(placed, developmentSplit(cases, 1));
  assert.deepEqual(placed.slice(20), cases.slice(20));
  assert.throws(() => developmentSplit(cases.slice(0, 9), 1), /they are 9 unrelated groups/);
});

Deno.test("withoutHeldOutClaims() takes a claim out of every split but the one held out furthest", () => {
  const cases = ["A is B.|train", "a  is b.|test", "C is D.|train", "C is D.|development"]
    .concat("E is F.|train", "E is F.|train").map((line) => {
      const [claim, split] = line.split("|") as [string, Split];
      return { claim, split };
    });
  assert.deepEqual(withoutHeldOutClaims(cases), [1, 3, 4, 5].map((i) => cases[i]));
});
