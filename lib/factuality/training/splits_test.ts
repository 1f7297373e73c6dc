import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { randomSource } from "../../stats/random.ts";
import { evidencePassage, type LabelledCase } from "../datasets/labelled_case.ts";
import { withFiles } from "../datasets/testdata/case_files.ts";
import { classWeights } from "./own_head.ts";
import {
  entityGroups,
  entitySplit,
  fileCases,
  requireNoLeak,
  withoutHeldOutClaims,
} from "./splits.ts";

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

const FILE_SHARES = { test: 0.25, development: 0.25 };

const rows = (count: number, more: (i: number) => object = () => ({})) =>
  Array.from(
    { length: count },
    (_, i) => ({
      claim: `claim ${i}`,
      source: `source ${i}`,
      label: i % 2,
      topic: `t${Math.floor(i / 2)}`,
      ...more(i),
    }),
  );

Deno.test("fileCases() splits by cluster over all files, the same way for the same seed", () =>
  withFiles({ "a.jsonl": rows(8), "b.jsonl": rows(8) }, async (folder) => {
    const told: string[] = [];
    const sources = ["a", "b"].map((name) => ({
      format: "file" as const,
      path: join(folder, `${name}.jsonl`),
    }));
    const read = () => fileCases(sources, FILE_SHARES, 1, (words) => told.push(words));
    const placed = await read();
    assert.equal(placed.length, 16);
    // The same claims stand in both files: they must not be on both sides.
    placed.slice(0, 8).forEach(({ split }, i) => assert.equal(split, placed[i + 8]!.split));
    placed.forEach(({ split }, i) => assert.equal(split, placed[i - i % 2]!.split));
    assert.deepEqual(await read(), placed);
    assert.match(told[0]!, /a\.jsonl: 8 cases, 0 of them without a source; 0 damaged lines/);
  }));

Deno.test("fileCases() takes the file's own splits, all or none, and none that leak", () =>
  withFiles({
    "own.jsonl": rows(6, (i) => ({ split: ["train", "dev", "test"][Math.floor(i / 2)] })),
    "some.jsonl": rows(6, (i) => i === 0 ? { split: "train" } : {}),
    "leak.jsonl": rows(6, (i) => ({ split: ["train", "dev", "test"][i % 3] })),
    "none.jsonl": "{\n",
  }, async (folder) => {
    const read = (name: string) =>
      fileCases(
        [{ format: "file", path: join(folder, `${name}.jsonl`) }],
        FILE_SHARES,
        1,
        () => {},
      );
    assert.deepEqual((await read("own")).map(({ split }) => split), [
      "train",
      "train",
      "development",
      "development",
      "test",
      "test",
    ]);
    await assert.rejects(read("some"), /1 of 6 cases say what split they are in/);
    await assert.rejects(read("leak"), /line-1 \(train\) and line-2 \(development\) share/);
    await assert.rejects(read("none"), /none\.jsonl has no case/);
  }));
