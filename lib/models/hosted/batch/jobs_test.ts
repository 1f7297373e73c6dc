import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../../files/testdata/folder.ts";
import { type BatchJob, lockJobs, openJobStore } from "./jobs.ts";

const BASE = { hostModel: "m", keyLabel: "GROQ_API_KEY_1", requests: 3 };

const JOBS: readonly BatchJob[] = [
  { ...BASE, name: "a", step: "written" },
  { ...BASE, name: "b", step: "uploaded", fileId: "f" },
  { ...BASE, name: "c", step: "creating", fileId: "f", since: 1e12 },
  { ...BASE, name: "d", step: "submitted", fileId: "f", batchId: "b" },
  {
    ...BASE,
    name: "e",
    step: "fetched",
    fileId: "f",
    batchId: "b",
    status: "expired",
    errors: ["x"],
  },
  { ...BASE, name: "f", step: "closed", outcome: "refused", merged: 0, remaining: 3 },
];

Deno.test("openJobStore() reads every step as it was saved", () =>
  inFolder((folder) => {
    const store = openJobStore(join(folder, "not", "there", "yet"));
    assert.deepEqual(store.jobs(), []);
    for (const job of JOBS.toReversed()) store.save(job);
    store.writeFile("a", "requests.jsonl", "ǫ\n");
    assert.deepEqual(store.jobs(), JOBS);
    assert.equal(store.readFile("a", "requests.jsonl"), "ǫ\n");
    assert.equal(store.readFile("a", "output.jsonl"), "");
  }));

Deno.test("openJobStore() passes over requests that no job was saved for", () =>
  inFolder((folder) => {
    const store = openJobStore(folder);
    store.writeFile("half", "requests.jsonl", "x");
    store.save(JOBS[0]!);
    assert.deepEqual(store.jobs(), [JOBS[0]]);
  }));

Deno.test("openJobStore() refuses a job that is none, and says what to do", () =>
  inFolder((folder) => {
    const store = openJobStore(folder);
    for (
      const text of ["{", '{"name":"a","step":"gone"}', JSON.stringify({ ...JOBS[3], batchId: 7 })]
    ) {
      store.save(JOBS[0]!);
      Deno.writeTextFileSync(join(folder, "a", "job.json"), text);
      assert.throws(() => store.jobs(), /Cannot read .*job\.json: .*Move its folder away: .*found/);
    }
  }));

Deno.test("lockJobs() holds the folder until it is let go", () =>
  inFolder(async (folder) => {
    const lock = await lockJobs(join(folder, "jobs"));
    await assert.rejects(lockJobs(join(folder, "jobs")), /another process is at work/);
    lock[Symbol.dispose]();
    (await lockJobs(join(folder, "jobs")))[Symbol.dispose]();
  }));
