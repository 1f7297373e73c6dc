import assert from "node:assert/strict";
import { join } from "node:path";
import type { EvaluationComponents } from "../evaluation/components.ts";
import {
  components,
  countingClock,
  judgement,
  toldJudge,
} from "../evaluation/testdata/stand_ins.ts";
import { BATCH_FILES, evaluateBatch } from "./evaluate_batch.ts";
import { lockFolder } from "./lock_folder.ts";
import { killedRequests } from "./testdata/killed_requests.ts";

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = Deno.makeTempDirSync();
  try {
    await work(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function batchIn(folder: string, given: Partial<EvaluationComponents> = {}) {
  return {
    folder,
    requests: killedRequests(6),
    components: components(given),
    concurrency: 1,
    clock: countingClock(),
    seed: 1,
    versions: { deno: "2.9.6" },
    onBegin: () => () => {},
  };
}

Deno.test("Requirement 5: a batch leaves results, summary and tables, and a second run does nothing again", () =>
  inFolder(async (folder) => {
    const first = await evaluateBatch(batchIn(folder));
    assert.deepEqual([first.evaluated, first.failed, first.resumed], [6, 0, 0]);
    assert.equal(first.summary.claims.supported, 2);
    const results = Deno.readTextFileSync(join(folder, BATCH_FILES.results));
    const second = await evaluateBatch(batchIn(folder));
    assert.deepEqual([second.evaluated, second.resumed], [0, 6]);
    assert.equal(Deno.readTextFileSync(join(folder, BATCH_FILES.results)), results);
    const claims = Deno.readTextFileSync(join(folder, BATCH_FILES.claims));
    assert.equal(claims.trim().split("\n").length, 7);
    assert.match(Deno.readTextFileSync(join(folder, BATCH_FILES.report)), /6 of 6 requests/);
  }));

Deno.test("Requirement 5.4: requests that fail are logged with stage and message, and have no result", () =>
  inFolder(async (folder) => {
    const misweighed = { ...toldJudge("one", () => Promise.resolve(judgement(50))), weight: NaN };
    const requests = killedRequests(2);
    const end = await evaluateBatch({ ...batchIn(folder, { judges: [misweighed] }), requests });
    assert.deepEqual([end.evaluated, end.failed, end.summary.missing], [0, 2, 2]);
    const log = Deno.readTextFileSync(join(folder, BATCH_FILES.failures));
    assert.match(log, /"request":"r1","stage":"judging","message":"Cannot aggregate/);
  }));

Deno.test("Requirement 9.4: what ends a batch leaves a diagnosis with the configuration, and the next run goes on", () =>
  inFolder(async (folder) => {
    await evaluateBatch({ ...batchIn(folder), requests: killedRequests(2) });
    const other = batchIn(folder, { criteria: ["style"] });
    await assert.rejects(evaluateBatch(other), /with another configuration/);
    const found = JSON.parse(Deno.readTextFileSync(join(folder, BATCH_FILES.diagnosis)));
    assert.equal(found.versions.deno, "2.9.6");
    assert.equal(found.configuration.verifier.name, "literal");
    const end = await evaluateBatch(batchIn(folder));
    assert.deepEqual([end.evaluated, end.resumed], [4, 2]);
  }));

Deno.test("Requirement 5.2: a second process in the same folder is refused, so that nothing is done twice", () =>
  inFolder(async (folder) => {
    const held = lockFolder(folder);
    await assert.rejects(evaluateBatch(batchIn(folder)), /another process evaluates a batch there/);
    held[Symbol.dispose]();
    assert.equal((await evaluateBatch(batchIn(folder))).evaluated, 6);
  }));
