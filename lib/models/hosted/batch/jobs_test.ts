import assert from "node:assert/strict";
import { join } from "node:path";
import { inFolder } from "../../../files/testdata/folder.ts";
import { type BatchJob, openJobStore } from "./jobs.ts";

const BASE = { hostModel: "m", keyLabel: "GROQ_API_KEY_1", requests: 3 };

const JOBS: readonly BatchJob[] = [
  { ...BASE, name: "a", step: "creating", fileId: "f", since: 1e12 },
  { ...BASE, name: "b", step: "closed", outcome: "refused", merged: 0, remaining: 3 },
];

Deno.test("openJobStore() reads jobs as they were saved, and none of requests without a state", () =>
  inFolder((folder) => {
    const store = openJobStore(join(folder, "not", "there", "yet"));
    assert.deepEqual(store.jobs(), []);
    for (const job of JOBS.toReversed()) store.save(job);
    for (const name of ["a", "half"]) store.writeFile(name, "requests.jsonl", "ǫ\n");
    assert.deepEqual(store.jobs(), JOBS);
    const files = ["requests.jsonl", "output.jsonl"] as const;
    assert.deepEqual(files.map((file) => store.readFile("a", file)), ["ǫ\n", ""]);
  }));
