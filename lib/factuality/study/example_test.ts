import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { randomSource } from "../../stats/random.ts";
import { readJsonlRequests } from "../batch/requests.ts";
import { components } from "../evaluate/testdata/stand_ins.ts";
import type { KnowledgeCase } from "../training/knowledge_claims.ts";
import { sourcePassage } from "../types.ts";
import { batchLines, onRecord, runBatchUntil } from "./example.ts";
import { EXAMPLE_ANSWERS } from "./tables.ts";

const CASES = Array.from({ length: 6 }, (_, i): KnowledgeCase => ({
  ...{ id: `c${i}`, claim: `Lake ${i} is deep.`, label: "supported", cluster: `country ${i}` },
  ...{ set: "made up", split: "test", kind: "fact", edit: "", form: "sentence" },
  passages: [sourcePassage(`Lake ${i} is deep.`)],
}));

Deno.test("Requirement 5.4: a batch of so many requests, one line broken, that is stopped goes on and does nothing twice", () =>
  inFolder(async (folder) => {
    const lines = new TextEncoder().encode(batchLines(CASES, 6, randomSource(1)));
    const { requests, refused } = readJsonlRequests(lines);
    assert.deepEqual([requests.length, refused.map(({ line }) => line)], [6, [4]]);
    const batch = { folder, requests, components: components(), seed: 1 };
    assert.equal((await runBatchUntil(2, batch)).evaluated, 2);
    const resumed = await runBatchUntil(Infinity, batch);
    assert.deepEqual([resumed.resumed, resumed.evaluated], [2, 4]);
  }));

Deno.test("onRecord() asks once, and again only where the question is another", () =>
  inFolder(async (folder) => {
    const table = EXAMPLE_ANSWERS.at(join(folder, "answers.csv"));
    const asked: number[] = [];
    const ask = (question: number) =>
      onRecord("sum", question, () => Promise.resolve(asked.push(question)), table);
    assert.deepEqual([await ask(1), await ask(1), await ask(2), await ask(2)], [1, 1, 2, 2]);
    assert.deepEqual(asked, [1, 2]);
    assert.equal(table.read().length, 1);
  }));
