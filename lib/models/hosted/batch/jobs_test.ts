import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../../files/testdata/folder.ts";
import { type BatchJob, openJobStore } from "./jobs.ts";

const BASE = { hostModel: "m", keyLabel: "GROQ_API_KEY_1", requests: 3 };
const SENT = { ...BASE, fileId: "f", batchId: "b" };

const JOBS: readonly BatchJob[] = [
  { ...BASE, name: "a", step: "written" },
  { ...BASE, name: "c", step: "creating", fileId: "f", since: 1e12 },
  { ...SENT, name: "d", step: "submitted" },
  { ...SENT, name: "e", step: "fetched", status: "expired", errors: ["x"] },
  { ...BASE, name: "f", step: "closed", outcome: "refused", merged: 0, remaining: 3 },
];

Deno.test("openJobStore() reads every step as it was saved, and none of requests without a state", () =>
  inFolder((folder) => {
    const store = openJobStore(join(folder, "not", "there", "yet"));
    assert.deepEqual(store.jobs(), []);
    for (const job of JOBS.toReversed()) store.save(job);
    for (const name of ["a", "half"]) store.writeFile(name, "requests.jsonl", "ǫ\n");
    assert.deepEqual(store.jobs(), JOBS);
    const files = ["requests.jsonl", "output.jsonl"] as const;
    assert.deepEqual(files.map((file) => store.readFile("a", file)), ["ǫ\n", ""]);
    store.save({ ...JOBS[1], step: "submitted", batchId: "b" } as BatchJob);
    assert.deepEqual(store.jobs()[1], { ...SENT, name: "c", step: "submitted" });
  }));
