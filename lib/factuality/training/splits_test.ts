import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { randomSource } from "../../stats/random.ts";
import { evidencePassage, type LabelledCase } from "../datasets/labelled_case.ts";
import { withFiles } from "../datasets/testdata/case_files.ts";
import { classWeights } from "./own_head.ts";
import { entityGroups, entitySplit, fileCases, withoutHeldOutClaims } from "./splits.ts";
import type { Split } from "./splits.ts";

function made(id: string, cluster: string, claim: string, source: string): LabelledCase {
  const passages = [evidencePassage("set", id, source)];
  return { id, claim, passages, label: "supported", cluster, set: "set" };
}

const CASES = fc.array(fc.tuple(fc.nat(30), fc.nat(60), fc.nat(60)), {
  minLength: 20,
  maxLength: 40,
})
  .map((rows) => rows.map(([a, b, c], i) => made(`${i}`, `${a}`, `${b}`, `${c}`)));

Deno.test("Requirement 12.4: entitySplit() never has a claim, source or cluster on both sides", () => {
  // By cluster, by claim in other capitals, by source, and in chains.
  const groups = entityGroups([
    made("a", "1", "Oslo is big.", "one"),
    made("b", "1", "Rome is big.", "two"),
    made("c", "2", "rome  is big.", "three"),
    made("d", "3", "Bonn is big.", "three"),
    made("e", "4", "Bern is big.", "four"),
  ]);
  assert.deepEqual(groups, [0, 0, 0, 0, 4]);
  fc.assert(
    fc.property(CASES, fc.integer(), (cases, seed) => {
      fc.pre(new Set(entityGroups(cases)).size >= 3);
      const splits = entitySplit(cases, { test: 0.2, development: 0.2 }, randomSource(seed));
      const partsOf = ({ cluster, claim, passages: [source] }: LabelledCase) =>
        ["cluster", "claim", "source"].map((part, i) => part + [cluster, claim, source!.text][i]);
      const seen = new Map<string, string>();
      cases.forEach((one, i) => {
        for (const part of partsOf(one)) {
          assert.equal(seen.get(part) ?? splits[i], splits[i]);
          seen.set(part, splits[i]!);
        }
      });
      assert.equal(new Set(splits).size, 3);
    }),
    { numRuns: 100 },
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
  const cases = ["A is B.|train", "a  is b.|test", "C is D.|train", "C is D.|development"]
    .concat("E is F.|train", "E is F.|train").map((told) => {
      const [claim, split] = told.split("|") as [string, Split];
      return { claim, split };
    });
  assert.deepEqual(withoutHeldOutClaims(cases), [1, 3, 4, 5].map((i) => cases[i]));
});

const rows = (count: number, more: (i: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, i) => {
    const told = { claim: `claim ${i}`, source: `source ${i}`, label: i % 2 };
    return { ...told, topic: `t${Math.floor(i / 2)}`, ...more(i) };
  });

const read = (folder: string, names: readonly string[], tell = (_: string) => {}) =>
  fileCases(
    names.map((name) => ({ format: "file", path: join(folder, `${name}.jsonl`) })),
    { test: 0.25, development: 0.25 },
    1,
    tell,
  );

Deno.test("fileCases() splits by cluster over all files, the same way for the same seed", () =>
  withFiles({ "a.jsonl": rows(8), "b.jsonl": rows(8) }, async (folder) => {
    const told: string[] = [];
    const placed = await read(folder, ["a", "b"], (words) => told.push(words));
    assert.equal(placed.length, 16);
    // The same claims stand in both files: they must not be on both sides.
    placed.slice(0, 8).forEach(({ split }, i) => assert.equal(split, placed[i + 8]!.split));
    placed.forEach(({ split }, i) => assert.equal(split, placed[i - i % 2]!.split));
    assert.deepEqual(await read(folder, ["a", "b"]), placed);
    assert.match(told[0]!, /a\.jsonl: 8 cases, 0 of them without a source; 0 damaged lines/);
  }));

Deno.test("fileCases() takes the file's own splits, all or none, and none that leak", () =>
  withFiles({
    "own.jsonl": rows(6, (i) => ({ split: ["train", "dev", "test"][Math.floor(i / 2)] })),
    "some.jsonl": rows(6, (i) => i === 0 ? { split: "train" } : {}),
    "leak.jsonl": rows(6, (i) => ({ split: ["train", "dev", "test"][i % 3] })),
    "two.jsonl": rows(6, (i) => ({ split: i < 2 ? "train" : "test" })),
    "none.jsonl": "{\n",
  }, async (folder) => {
    const own = (await read(folder, ["own"])).map(({ split }) => split);
    assert.equal(own.join(), "train,train,development,development,test,test");
    await assert.rejects(read(folder, ["some"]), /1 of 6 cases say what split they are in/);
    await assert.rejects(read(folder, ["leak"]), /line-1 \(train\) and line-2 \(dev.*\) share/);
    await assert.rejects(read(folder, ["two"]), /none is in development/);
    await assert.rejects(read(folder, ["none"]), /none\.jsonl has no case/);
  }));
