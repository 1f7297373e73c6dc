import assert from "node:assert/strict";
import { test } from "node:test";
import { randomSource } from "../../../stats/random.ts";
import { readJsonlRequests } from "../../batch/read_requests.ts";
import { components } from "../../evaluation/testdata/stand_ins.ts";
import { sourcePassage } from "../../retrieval/passage.ts";
import type { KnowledgeCase } from "../../training/knowledge_case.ts";
import { batchLines, runBatchUntil } from "./batch_example.ts";

const CASES = Array.from({ length: 6 }, (_, i): KnowledgeCase => ({
  ...{ id: `c${i}`, claim: `Lake ${i} is deep.`, label: "supported", cluster: `country ${i}` },
  ...{ set: "made up", split: "test", kind: "fact", edit: "", form: "sentence" },
  passages: [sourcePassage(`Lake ${i} is deep.`)],
}));

const bytes = (text: string) => new TextEncoder().encode(text);

test("batchLines() has so many requests and one broken line in the middle", () => {
  const { requests, refused } = readJsonlRequests(bytes(batchLines(CASES, 4, randomSource(1))));
  assert.equal(requests.length, 4);
  assert.deepEqual(refused.map(({ line }) => line), [3]);
});

test("batchLines() takes no long source", () => {
  const long = CASES.map((one) => ({ ...one, passages: [sourcePassage("x".repeat(501))] }));
  assert.throws(() => batchLines(long, 1, randomSource(1)), RangeError);
});

test("Requirement 5.4: a batch that is stopped goes on and does nothing twice", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    const { requests } = readJsonlRequests(bytes(batchLines(CASES, 6, randomSource(1))));
    const batch = { folder, requests, components: components(), seed: 1 };
    const stopped = await runBatchUntil(2, batch);
    assert.deepEqual([stopped.evaluated, stopped.stopped], [2, true]);
    const resumed = await runBatchUntil(Infinity, batch);
    assert.deepEqual([resumed.resumed, resumed.evaluated, resumed.stopped], [2, 4, false]);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
