import assert from "node:assert/strict";
import { join } from "node:path";
import { withFiles } from "../../lib/factuality/cases/testdata/case_files.ts";
import { fileCases } from "./split_cases.ts";

const SHARES = { test: 0.25, development: 0.25 };
const rows = (count: number, more: (i: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, i) => ({
    ...{ claim: `claim ${i}`, source: `source ${i}`, label: i % 2, topic: `t${Math.floor(i / 2)}` },
    ...more(i),
  }));

Deno.test("fileCases() splits by cluster over all files, the same way for the same seed", () =>
  withFiles({ "a.jsonl": rows(8), "b.jsonl": rows(8) }, async (folder) => {
    const told: string[] = [];
    const sources = ["a", "b"].map((name) => ({
      ...{ format: "file" as const, path: join(folder, `${name}.jsonl`) },
    }));
    const read = () => fileCases(sources, SHARES, 1, (words) => told.push(words));
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
      fileCases([{ format: "file", path: join(folder, `${name}.jsonl`) }], SHARES, 1, () => {});
    assert.deepEqual((await read("own")).map(({ split }) => split), [
      ...["train", "train", "development", "development", "test", "test"],
    ]);
    await assert.rejects(read("some"), /1 of 6 cases say what split they are in/);
    await assert.rejects(read("leak"), /line-1 \(train\) and line-2 \(development\) share/);
    await assert.rejects(read("none"), /none\.jsonl has no case/);
  }));
